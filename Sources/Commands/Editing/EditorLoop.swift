import Catalog
import Engine
import Failures
import Foundation
import Language
import Platform
import Presentation
import Text

/// The loop that opens a text in the editor until the result can be read or the user gives up.
struct EditorLoop {
  private let file: EditorFile
  private let words: [String]
  private let environment: Environment
  private let departure: ShutdownCoordinator
  private let tongue: MessageLanguage

  /// - Throws: ``CommandError`` if no editor can be started.
  init(_ file: EditorFile, _ session: Session, in context: CommandContext) throws {
    self.file = file
    environment = context.environment
    departure = context.interruption.shutdown
    tongue = session.settings.tongue
    words = try EditorCommand.words(environment)
  }

  /// Opens the text in the editor, and returns the changes that `unescaped` finds, or `nil` if the text is unchanged.
  ///
  /// If `unescaped` throws, the text is shown again with the mistakes at the top.
  func changes<Changes>(
    of start: String, _ read: (String) throws(EditErrors) -> Changes?
  ) async throws -> Changes? {
    var text = start
    var refused: EditErrors?
    while true {
      try file.write(text)
      let start = ContinuousClock.now
      try await edit()
      let typed = try file.read()
      if typed == text {
        if let refused { throw refused.failure }
        if ContinuousClock.now - start < .milliseconds(300) { throw cameBackAtOnce }
        return nil
      }
      do throws(EditErrors) {
        return try read(typed)
      } catch {
        refused = error
        text = error.text(typed, tongue)
      }
    }
  }

  private func edit() async throws {
    let ending = await Subprocess(words + [file.path], environment: environment, departure).run(isSeen: true)
    try Task.checkCancellation()
    switch ending {
    case .exit(0): return
    case .exit(let code):
      throw failure(LocalizedText("It exited with status \(code).", ko: "종료 코드 \(code)번으로 끝났습니다."))
    case .signal(let signal):
      throw failure(LocalizedText("It was killed by signal \(signal).", ko: "시그널 \(signal)번으로 끝났습니다."))
    case .failedToStart(let code): throw failure(CommandError.reason(code))
    }
  }

  private func failure(_ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "The editor \(.value(words.joined(separator: " "))) failed. Nothing was sent.",
        ko: "편집기 \(.value(words.joined(separator: " ")), .subject) 오류로 끝났습니다. 아무것도 보내지 않았습니다."
      ).because(reason)
        .next(
          "Set \(.value("$VISUAL")) or \(.value("$EDITOR")) to another editor.",
          ko: "\(.value("$VISUAL"))이나 \(.value("$EDITOR"))에 다른 편집기를 지정하세요."))
  }

  /// The error for an editor that returns immediately.
  ///
  /// It may still have the text open, so the file isn't deleted.
  private var cameBackAtOnce: CommandError {
    CommandError(
      .blocked,
      .failure(
        "The editor closed immediately without changes. Nothing was sent.",
        ko: "편집기가 바로 끝났고 바뀐 것이 없습니다. 아무것도 보내지 않았습니다."
      )
      .next(
        "A graphical editor needs an option that makes it wait: \(.command("VISUAL='code --wait'"))",
        ko: "창을 여는 편집기는 닫힐 때까지 기다리는 옵션이 필요합니다: \(.command("VISUAL='code --wait'"))"))
  }
}

/// The errors in an edited text.
package struct EditErrors: Error {
  /// The maximum number of errors that are listed.
  private static let most = 10

  private let found: [ParseError]

  package init(_ found: [ParseError]) { self.found = found }

  /// Returns the text with the errors at the top, which replace the earlier ones, for another attempt.
  package func text(_ text: String, _ tongue: MessageLanguage) -> String {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    let kept = lines.filter { !$0.hasPrefix("#!") }
    let reasons = reasons.map { "#! " + Sanitizer.sanitized($0[tongue].plain) }
    return (reasons + kept).map { $0 + "\n" }.joined()
  }

  private var reasons: [LocalizedText] {
    let named = found.prefix(Self.most).flatMap { [$0.message] + ($0.suggestion.map { [$0] } ?? []) }
    let rest = found.count - Self.most
    return named + (rest > 0 ? [LocalizedText("and \(rest) more", ko: "그 밖에 \(rest)개")] : [])
  }

  /// The error to throw if the user closes the editor without correcting the mistakes.
  var failure: any Error {
    if found.count == 1 { return found[0] }
    var message = Message.failure(
      "\(found.count) rows are invalid. Nothing was sent.", ko: "\(found.count)행을 읽을 수 없습니다. 아무것도 보내지 않았습니다.")
    for mistake in found.prefix(Self.most) { message = message.because(mistake.message) }
    if found.count > Self.most {
      message = message.because(
        "and \(found.count - Self.most) more", ko: "그 밖에 \(found.count - Self.most)개")
    }
    return CommandError(.usageError, message)
  }
}

/// The editor in `$VISUAL` or `$EDITOR`, split into words without a shell.
package enum EditorCommand {
  /// Returns the words of the command, or `vi` if no editor is set.
  ///
  /// - Throws: `CommandError` if it can't be split, or contains `--`, after which a file name can't be distinguished from an
  ///   option.
  package static func words(_ environment: Environment) throws -> [String] {
    let named = ["VISUAL", "EDITOR"].first { !(environment[$0] ?? "").allSatisfy(\.isWhitespace) }
    guard let named, let text = environment[named] else { return ["vi"] }
    guard let words = split(text), !words.isEmpty else {
      throw refused(named, text, LocalizedText("It has an unclosed quote.", ko: "닫지 않은 따옴표가 있습니다."))
    }
    if words.contains("--") {
      throw refused(
        named, text,
        LocalizedText("It must not contain \(.value("--")).", ko: "\(.value("--"), .topic) 쓸 수 없습니다."))
    }
    return words
  }

  /// Splits a command at spaces, or returns `nil` for an unclosed quote.
  ///
  /// Quotes and backslashes protect what they contain.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text[...]
    while let character = characters.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): word = (word ?? "") + (characters.popFirst().map { String($0) } ?? "")
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (_, character): quote = nil
      case (_, nil) where character.isWhitespace:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }

  private static func refused(_ name: String, _ text: String, _ reason: LocalizedText) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Cannot run \(.value("$" + name)): \(.foreign(text))",
        ko: "\(.value("$" + name), .object) 사용할 수 없습니다: \(.foreign(text))"
      ).because(reason))
  }
}
