import Foundation
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// A transcript with questions: the lines after `< ` answer the questions of the line above them, one by one.
///
/// `@ ` sets the clock of the sandbox. Questions are recorded after `? ` with their answers. A question without an answer
/// had none left.
struct AskedTranscript {
  private let file: Golden

  init(_ name: String, in folder: String = "Asked", file: String = #filePath) {
    self.file = Golden(name, in: "Transcripts/" + folder, file: file)
  }

  func check(in sandbox: Sandbox, _ asker: TranscriptAsker, _ clock: SetClock) async throws {
    var actual = ""
    var lines = try file.text().unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)[...]
    while let line = lines.popFirst() {
      if line.hasPrefix("#") || line.hasPrefix("@ ") { actual += line + "\n" }
      if line.hasPrefix("@ ") {
        clock.set(try #require(try? Date(String(line.dropFirst(2)), strategy: .iso8601), "\(line)"))
      }
      guard line.hasPrefix("> ") else { continue }
      let answers = lines.prefix { !$0.hasPrefix("> ") }.filter { $0.hasPrefix("< ") || $0 == "<" }
      asker.expect(answers.map { String($0.dropFirst(2)) }, in: sandbox.console)
      actual += line + "\n"
      actual += Transcript.ended(await sandbox.run(String(line.dropFirst(2))))
    }
    try file.check(actual)
  }
}

/// An asker that answers from a transcript and adds its questions to the output.
final class TranscriptAsker: UserPrompt {
  private struct State {
    var answers: [String] = []
    var console: BufferConsole?
  }

  private let state = Mutex(State())

  func expect(_ answers: [String], in console: BufferConsole) {
    state.withLock { $0 = State(answers: answers, console: console) }
  }

  func answer(to question: String) async -> String? {
    let (answer, console) = state.withLock { state in
      (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.console)
    }
    try? console?.writeOutput("? " + question + "\n" + (answer.map { $0.isEmpty ? "<\n" : "< " + $0 + "\n" } ?? ""))
    return answer
  }

  func secret(_ prompt: String) async -> String? { await answer(to: prompt) }

  func field(_ field: FormQuestion) async -> FormAnswer {
    let offered = field.initial.isEmpty ? "" : "[" + field.initial + "]"
    return await answer(to: field.prompt + offered).map { .text($0) } ?? .left
  }
}
