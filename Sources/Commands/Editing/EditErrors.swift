import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The errors in an edited text.
package struct EditErrors: Error {
  /// The maximum number of errors that are listed.
  private static let maximumCount = 10

  private let found: [ParseError]

  package init(_ found: [ParseError]) { self.found = found }

  /// Returns the text with the errors at the top, which replace the earlier ones, for another attempt.
  package func text(_ text: String, _ language: MessageLanguage) -> String {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    let stored = lines.filter { !$0.hasPrefix("#!") }
    let reasons = reasons.map { "#! " + Sanitizer.sanitized($0[language].plain) }
    return (reasons + stored).map { $0 + "\n" }.joined()
  }

  private var reasons: [LocalizedText] {
    let named = found.prefix(Self.maximumCount).flatMap { [$0.message] + ($0.suggestion.map { [$0] } ?? []) }
    let rest = found.count - Self.maximumCount
    return named + (rest > 0 ? [LocalizedText("and \(rest) more", ko: "그 밖에 \(rest)개")] : [])
  }

  /// The error to throw if the user closes the editor without correcting the mistakes.
  var failure: any Error {
    if found.count == 1 { return found[0] }
    var message = Message.failure(
      "\(found.count) rows are invalid. Nothing was sent.", ko: "\(found.count)행을 읽을 수 없습니다. 아무것도 보내지 않았습니다.")
    for mistake in found.prefix(Self.maximumCount) { message = message.because(mistake.message) }
    if found.count > Self.maximumCount {
      message = message.because(
        "and \(found.count - Self.maximumCount) more", ko: "그 밖에 \(found.count - Self.maximumCount)개")
    }
    return CommandError(.usageError, message)
  }
}
