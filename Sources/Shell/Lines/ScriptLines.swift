import Catalog
import Engine
import Exploration
import Foundation
import Language
import LineEditing
import Platform
import Presentation
import Text

/// The logical lines of a script, read one by one, with the number of their first physical line.
struct ScriptLines: Sequence, IteratorProtocol {
  private let input: () -> Input?
  private var reader = LogicalLines()
  private var number = 0

  /// Creates the lines from a closure that returns the next physical line, or `nil` at the end.
  init(_ input: @escaping () -> Input?) { self.input = input }

  init(_ lines: [Input]) {
    var rest = lines[...]
    self.init { rest.popFirst() }
  }

  mutating func next() -> ScriptLine? {
    while let input = input() {
      number += 1
      switch input {
      case .line(let text): if let line = reader.add(text, number) { return ScriptLine(line) }
      case .invalidUTF8: return .unusable(.notText, number: number)
      case .tooLong: return .unusable(.tooLong, number: number)
      case .unreadable(let code): return .unusable(.unreadable(code), number: number)
      case .interrupted, .endOfFile, .editor: break
      }
    }
    return reader.finish().map(ScriptLine.init)
  }
}

/// A logical line of a script, joined from physical lines.
package enum ScriptLine {
  case line(LogicalLines.Line)
  case unusable(UnusableLine, number: Int)

  package var number: Int {
    switch self {
    case .line(let line): line.number
    case .unusable(_, let number): number
    }
  }

  package init(_ completed: LogicalLines.Completed) {
    switch completed {
    case .line(let line): self = .line(line)
    case .tooLong(let number): self = .unusable(.goesOnTooLong, number: number)
    }
  }
}

/// The joining of physical lines that belong together because of an open quote or a trailing backslash.
package struct LogicalLines {
  /// A complete logical line.
  package struct Line: Hashable {
    package var text: String
    /// The number of its first physical line, from 1.
    package var number: Int

    package init(text: String, number: Int) {
      self.text = text
      self.number = number
    }
  }

  /// The result of completing a logical line.
  package enum Completed: Hashable {
    case line(Line)
    /// A line over the maximum length.
    ///
    /// It was read to its end, and no part of it may run.
    case tooLong(number: Int)
  }

  /// The maximum size of a logical line in bytes, so that a forgotten quote doesn't load a large file into memory.
  package static let mostBytes = 4 << 20

  private var scanner = ContinuationScanner()
  private var held: Line?
  private var isTooLong = false

  /// Adds a physical line, and returns the logical line if it is complete.
  package mutating func add(_ text: String, _ number: Int) -> Completed? {
    if held == nil {
      held = Line(text: text, number: number)
    } else if !isTooLong {
      held?.text.append("\n")
      held?.text.append(text)
    }
    if let count = held?.text.utf8.count, count > LogicalLines.mostBytes {
      isTooLong = true
      held?.text = ""
    }
    return scanner.needsContinuation(after: text) ? nil : finish()
  }

  /// Returns the incomplete line at the end of the script.
  package mutating func finish() -> Completed? {
    defer { (scanner, held, isTooLong) = (ContinuationScanner(), nil, false) }
    return held.map { isTooLong ? .tooLong(number: $0.number) : .line($0) }
  }
}

/// A line that must not run.
package enum UnusableLine {
  case notText
  case tooLong
  /// A joined line over the maximum length.
  case goesOnTooLong
  /// Reading failed at this line; the value is the `errno`.
  case unreadable(Int32)

  /// The exit status of the script.
  package var code: ExitStatus {
    switch self {
    case .notText, .tooLong, .goesOnTooLong: .usageError
    case .unreadable: .refused
    }
  }

  package var message: Message {
    switch self {
    case .notText:
      .failure("The line is not valid UTF-8. It was not run.", ko: "UTF-8이 아닌 바이트가 있는 줄을 실행하지 않았습니다.")
    case .tooLong:
      .failure("The line is longer than 64 KiB. It was not run.", ko: "줄이 64 KiB보다 길어 실행하지 않았습니다.")
    case .goesOnTooLong:
      .failure(
        "The line is longer than 4 MiB. It was not run.", ko: "줄이 4 MiB 넘게 이어져 실행하지 않았습니다."
      ).next("Check for an unclosed quote.", ko: "닫지 않은 따옴표가 있는지 확인하세요.")
    case .unreadable(let code):
      .failure(
        "Cannot read the rest of the script. It ends here.", ko: "스크립트의 나머지를 읽을 수 없습니다. 여기서 끝냅니다."
      ).because(LocalizedText(same: "\(.foreign(String(cString: strerror(code))))"))
    }
  }
}

/// Checks lines without running them: commands, options, values and conditions as far as they are known.
struct ScriptChecker {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Checks a line, and applies aliases and variables that it would define to `session`.
  ///
  /// - Throws: The first error in the line.
  func check(_ line: String, _ session: inout Session) throws {
    let line = try ForeignLineTranslator.checked(line, session) ?? line
    for segment in try context.commands.grammar.segments(of: line) {
      guard let texts = try context.grammar(of: session).expandingAliases(segment) else {
        try check(segment, of: line, &session)
        continue
      }
      for text in texts {
        for inner in try context.commands.grammar.segments(of: text) { try check(inner, of: text, &session) }
      }
    }
  }

  private func check(_ segment: CommandSource, of line: String, _ session: inout Session) throws {
    var invocation = try context.commands.grammar.check(
      segment, of: line, names: session.server.fieldNames, arguments: session.scriptStack.last?.arguments,
      variables: session.value)
    // A variable that is set while the script runs can have any value. A script's file may be known although its
    // arguments aren't.
    if invocation.hasUnresolvedVariables {
      guard context.commands.declaration(of: invocation)?.traits.contains(.passesArguments) == true,
        invocation.text("FILE")?.isEmpty == false
      else { return }
      invocation.arguments["ARGS"] = nil
    }
    _ = try LineRunner(context).prefixes(invocation)
    guard let command = try context.commands.command(invocation) as? any StaticallyCheckable else { return }
    try command.check(&session, in: context)
  }
}
