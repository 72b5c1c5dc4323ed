import Catalog
import Engine
import Foundation
import Language
import Platform
import Presentation
import Text

/// Hands a product's text to the editor until what comes back can be read, or the person gives up.
struct EditTalk {
  private let sheet: EditSheet
  private let file: EditFile
  private let words: [String]
  private let environment: [String: String]
  private let departure: Departure

  /// - Throws: ``Failure`` when there is no editor that could be started.
  init(_ sheet: EditSheet, _ file: EditFile, _ environment: [String: String], _ departure: Departure) throws {
    self.sheet = sheet
    self.file = file
    self.environment = environment
    self.departure = departure
    words = try EditorCommand.words(environment)
  }

  /// What the person made of the product; nil when the text says what it said.
  /// - Parameter changes: makes something of what was typed; what it throws stands on top of the text when it is shown again.
  func changes<Changes>(_ changes: ([Assignment]) throws(ParseError) -> Changes) async throws -> Changes? {
    var text = sheet.text
    var refused: ParseError?
    while true {
      try file.write(text)
      let start = ContinuousClock.now
      try await edit()
      let typed = try file.read()
      if typed == text {
        if let refused { throw refused }
        if ContinuousClock.now - start < .milliseconds(300) { throw cameBackAtOnce }
        return nil
      }
      do throws(ParseError) {
        let assignments = try sheet.assignments(in: typed)
        return assignments.isEmpty ? nil : try changes(assignments)
      } catch {
        refused = error
        text = sheet.text(typed, refused: [error.what] + (error.next.map { [$0] } ?? []))
      }
    }
  }

  private func edit() async throws {
    let ending = await ChildProgram(words + [file.path], environment: environment, departure).run(isSeen: true)
    try Task.checkCancellation()
    switch ending {
    case .exit(0): return
    case .exit(let code):
      throw failure(Wording("It ended with \(code).", ko: "종료 코드 \(code)번으로 끝났습니다."))
    case .signal(let signal):
      throw failure(Wording("It was ended by signal \(signal).", ko: "시그널 \(signal)번으로 끝났습니다."))
    case .notStarted(let code): throw failure(Failure.reason(code))
    }
  }

  private func failure(_ reason: Wording) -> Failure {
    Failure(
      .heldBack,
      .failure(
        "The editor \(.value(words.joined(separator: " "))) did not do its work; nothing was sent.",
        ko: "편집기 \(.value(words.joined(separator: " ")))에서 마치지 못해 아무것도 보내지 않았습니다."
      ).because(reason)
        .next(
          "\(.value("$VISUAL")) or \(.value("$EDITOR")) names another.",
          ko: "\(.value("$VISUAL"))이나 \(.value("$EDITOR"))로 다른 편집기를 정합니다."))
  }

  /// Such an editor still has the text open, so the file stays.
  private var cameBackAtOnce: Failure {
    Failure(
      .heldBack,
      .failure(
        "The editor came back at once, with nothing changed; nothing was sent.",
        ko: "편집기가 바로 끝났고 바뀐 것이 없어 아무것도 보내지 않았습니다."
      )
      .next(
        "An editor with a window needs the option that waits: \(.command("VISUAL='code --wait'"))",
        ko: "창을 여는 편집기에는 기다리는 옵션이 있어야 합니다: \(.command("VISUAL='code --wait'"))"))
  }
}
