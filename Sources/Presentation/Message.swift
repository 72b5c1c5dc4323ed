import Networking
import Text

/// A message to the user: what happened, the reasons, and the next steps.
///
/// Each method returns a new value.
///
///     throw Message.failure("Product \(42) was not deleted.", ko: "상품 \(42, .object) 삭제하지 못했습니다.")
///       .because("The secret does not match.", ko: "시크릿이 맞지 않습니다.")
///       .next("\(.command("login")) sets it.", ko: "\(.command("login"))으로 설정합니다.")
package struct Message: Error, Hashable, Sendable {
  /// The severity, which determines the mark and the color.
  package enum Severity: Hashable, Sendable { case note, success, warning, failure }

  package var tone: Severity
  package var what: LocalizedText
  package var reasons: [LocalizedText] = []
  package var nextSteps: [LocalizedText] = []
  /// The code for programs, or `nil` for that of the severity.
  package var code: MessageCode?
  /// The exit status that the message explains, or `nil`.
  package var exitStatus: Int32?
  /// The part of a line that the message is about.
  package var excerpt: Excerpt?

  package init(_ tone: Severity, _ what: LocalizedText) {
    self.tone = tone
    self.what = what
  }

  /// Returns a note: information without a problem or an action.
  package static func note(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.note, LocalizedText(english, ko: korean))
  }

  /// Returns a message about an action that was done.
  package static func success(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.success, LocalizedText(english, ko: korean))
  }

  /// Returns a warning about an action that may not be what the user intends.
  package static func warning(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.warning, LocalizedText(english, ko: korean))
  }

  /// Returns a message about an action that was not done.
  package static func failure(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.failure, LocalizedText(english, ko: korean))
  }

  /// Adds a reason.
  ///
  /// Several reasons are shown in order.
  package func because(_ english: StyledText, ko korean: StyledText) -> Message {
    because(LocalizedText(english, ko: korean))
  }

  package func because(_ reason: LocalizedText) -> Message {
    var copy = self
    copy.reasons.append(reason)
    return copy
  }

  /// Adds the reasons of the first elements, and one that counts the others.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of elements to list.
  ///   - counter: The Korean counter of the elements.
  ///   - reason: A closure that returns the reason of an element.
  package func because<Elements: Collection>(
    first limit: Int, of elements: Elements, counter: String = "개", reason: (Elements.Element) -> LocalizedText
  ) -> Message {
    var copy = self
    copy.reasons += elements.prefix(limit).map(reason)
    if let rest = LocalizedText.rest(of: elements.count, after: limit, counter: counter) { copy.reasons.append(rest) }
    return copy
  }

  /// Sets the code for programs.
  package func coded(_ code: MessageCode) -> Message {
    var copy = self
    copy.code = code
    return copy
  }

  /// Adds a next step.
  package func next(_ english: StyledText, ko korean: StyledText) -> Message {
    next(LocalizedText(english, ko: korean))
  }

  package func next(_ step: LocalizedText) -> Message {
    var copy = self
    copy.nextSteps.append(step)
    return copy
  }
}

extension LocalizedText {
  /// Returns the end of a list of which only the first elements are shown, such as "and 3 more", or `nil` if all are.
  package static func rest(of count: Int, after limit: Int, counter: String = "개") -> LocalizedText? {
    let rest = count - limit
    return rest > 0 ? LocalizedText("and \(rest) more", ko: "그 밖에 \(rest)\(counter)") : nil
  }
}

/// The form of messages on standard error, chosen with `--errors`.
package enum MessageFormat: String, Hashable, Sendable, CaseIterable {
  /// Sentences for people.
  case text
  /// One JSON object a line for programs.
  case json
}

/// The stable code of a message for programs, as `--errors json` prints it.
///
/// The Language article lists them; a code is never renamed and never gets another meaning. Texts may change.
package enum MessageCode: String, Hashable, Sendable, CaseIterable {
  // Messages that are no error.
  case note
  case success
  case warning
  /// Text that is shown between messages, such as the preview of a change.
  case text

  // Exit status 1.
  /// The server refused the request.
  case refused
  case notFound = "not-found"
  case rateLimited = "rate-limited"
  /// The response isn't one of this API.
  case unreadableResponse = "unreadable-response"
  /// The list of products could not be read completely.
  case incompleteList = "incomplete-list"
  /// A result doesn't fit the limit of bytes.
  case tooLarge = "too-large"
  /// No state of the market is stored yet.
  case noSnapshot = "no-snapshot"
  case nothingToUndo = "nothing-to-undo"
  case cannotUndo = "cannot-undo"
  /// An error without a code of its own.
  case unexpected

  // Exit status 2.
  /// The line or an option could not be understood.
  case badLine = "bad-line"
  /// The arguments of a tool don't match its parameters.
  case badArguments = "bad-arguments"
  /// A file that the line names can't be used.
  case badFile = "bad-file"
  case badPicture = "bad-picture"
  case badPlan = "bad-plan"
  /// The edition of the API doesn't have the operation.
  case unsupported

  // Exit status 3.
  case unreachable

  // Exit status 4.
  /// A check of this program held the command back.
  case blocked
  case notConfirmed = "not-confirmed"
  case canceled
  case readOnly = "read-only"
  case notLoggedIn = "not-logged-in"
  case notOwner = "not-owner"
  case vendorUnknown = "vendor-unknown"
  case outlier
  case plainHTTP = "plain-http"
  case fileExists = "file-exists"
  case journalUnavailable = "journal-unavailable"
  /// Another program holds a lock.
  case busy
  case otherDestination = "other-destination"
  /// The number of a product names another one now.
  case otherProduct = "other-product"
  /// A line would repeat a part of a run that did not end.
  case interruptedRun = "interrupted-run"
  case notDue = "not-due"
  case expired
  /// A person has to confirm the plan of an agent.
  case needsPerson = "needs-person"
  /// The profile applies signed plans only, and this one has no valid signature.
  case needsSignature = "needs-signature"
  /// The file that describes the market has guesses, or `contract writes` has not proven it at this server.
  case unproven = "unproven"
  /// The file that describes the market means something else than when a pending change was recorded.
  case otherDescription = "other-description"
  /// The profile wants the signatures of two persons, and this plan hasn't both.
  case needsSecondPerson = "needs-second-person"

  // Exit status 5 to 8, and interruptions.
  case outcomeUnknown = "outcome-unknown"
  case assertionFailed = "assertion-failed"
  case partialFailure = "partial-failure"
  case drift
  case interrupted
}

/// Renders a message: a mark and a label, with labelled reasons and next steps below.
///
///     ✗ error: Product 42 was not deleted.
///       reason: The secret does not match.
///       hint: Run `login` to set it.
package struct MessageRenderer: Sendable {
  package init() {}

  /// Returns the message in the user's language.
  ///
  /// Reasons and next steps are indented; each line is ended.
  package func render(_ message: Message, _ options: RenderOptions) -> String {
    if options.messageFormat == .json { return MessageJSON.line(message, options) }
    let language = options.language
    var lines = paragraph(head(message.tone, options), text: message.what[language], indent: 0, options: options)
    if let excerpt = message.excerpt { lines += excerpt.lines(options) }
    for reason in message.reasons {
      lines += paragraph(
        label("reason: ", ko: "이유: ", options: options), text: reason[language], indent: 2, options: options)
    }
    for step in message.nextSteps {
      lines += paragraph(
        label("hint: ", ko: "힌트: ", options: options), text: step[language], indent: 2, options: options)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private struct Head {
    var text: String
    var style: Styling.ANSIStyle
  }

  private func label(_ english: String, ko korean: String, options: RenderOptions) -> Head {
    Head(text: options.language == .english ? english : korean, style: .dim)
  }

  private func head(_ tone: Message.Severity, _ options: RenderOptions) -> Head {
    let (mark, plain, english, korean, style): (String, String, String, String, Styling.ANSIStyle) =
      switch tone {
      case .note: ("-", "-", "note", "참고", .cyan)
      case .success: ("✓", "+", "", "", .green)
      case .warning: ("!", "!", "warning", "경고", .yellow)
      case .failure: ("✗", "x", "error", "오류", .red)
      }
    // A success has a mark on a terminal and no label.
    let word = english.isEmpty ? "" : (options.language == .english ? english : korean) + ": "
    guard options.isTerminal else { return Head(text: word, style: .plain) }
    return Head(text: (options.usesASCIILines ? plain : mark) + " " + word, style: style)
  }

  /// Returns a paragraph with a hanging indent; on a narrow screen further lines are indented like the first.
  private func paragraph(_ head: Head, text: StyledText, indent: Int, options: RenderOptions) -> [String] {
    let start = String(repeating: " ", count: indent)
    let headWidth = options.cells.of(head.text)
    guard let width = options.lineWidth, width >= indent + headWidth + 12 else {
      let whole = StyledText(start + head.text) + text
      return Styling.lines(whole, width: options.lineWidth, options)
    }
    let lines = Styling.lines(text, width: width - indent - headWidth, options)
    let hanging = String(repeating: " ", count: indent + headWidth)
    return lines.enumerated().map { index, line in
      index == 0 ? start + Styling.paint(head.text, head.style, options: options) + line : hanging + line
    }
  }
}

/// A message as one line of JSON for programs.
///
///     {"level":"error","code":"read-only","text":"…","reason":null,"hint":null,"exit":4}
///
/// All members are always there. Several reasons or hints are lines of one text, and `exit` is the exit status that the
/// message explains, or null.
package enum MessageJSON {
  /// The first character of a rendered line: the record separator of JSON text sequences (RFC 7464).
  ///
  /// Sanitized text can't contain it, so a console that mixes lines of JSON with previews distinguishes them and removes
  /// it.
  package static let separator: Character = "\u{1E}"

  /// Returns the line of a message with its separator.
  package static func line(_ message: Message, _ options: RenderOptions) -> String { line(members(message, options)) }

  /// Returns the line for a text that isn't a message, such as a preview.
  package static func line(text: String) -> String {
    line(members(level: "note", code: .text, text: text, reason: nil, hint: nil, exit: nil))
  }

  /// Returns the members of a message, in the order of the line.
  package static func members(_ message: Message, _ options: RenderOptions) -> [(String, JSON)] {
    members(
      level: message.tone.word, code: message.code ?? defaultCode(message.tone),
      text: text([message.what], options) ?? "", reason: text(message.reasons, options),
      hint: text(message.nextSteps, options), exit: message.exitStatus)
  }

  private static func line(_ members: [(String, JSON)]) -> String {
    String(separator) + JSON.object(members).serialized + "\n"
  }

  private static func members(
    level: String, code: MessageCode, text: String, reason: String?, hint: String?, exit: Int32?
  ) -> [(String, JSON)] {
    [
      ("level", .string(level)), ("code", .string(code.rawValue)), ("text", .string(text)),
      ("reason", reason.map { .string($0) } ?? .null), ("hint", hint.map { .string($0) } ?? .null),
      ("exit", exit.map { .int(Int($0)) } ?? .null),
    ]
  }

  private static func defaultCode(_ tone: Message.Severity) -> MessageCode {
    switch tone {
    case .note: .note
    case .success: .success
    case .warning: .warning
    case .failure: .unexpected
    }
  }

  private static func text(_ texts: [LocalizedText], _ options: RenderOptions) -> String? {
    guard !texts.isEmpty else { return nil }
    var plain = RenderOptions(language: options.language)
    plain.usesASCII = options.usesASCII
    return texts.map { Styling.lines($0[options.language], width: nil, plain).joined(separator: "\n") }
      .joined(separator: "\n")
  }
}

/// A line with a range that is marked below it.
package struct Excerpt: Hashable, Sendable {
  package var line: String
  /// The range in Unicode scalars.
  package var range: Range<Int>

  package init(_ line: String, _ range: Range<Int>) {
    self.line = line
    self.range = range
  }

  /// Returns the line, or the part around the range that fits, and the marks below it, both indented by two spaces.
  func lines(_ options: RenderOptions) -> [String] {
    let scalars = line.unicodeScalars.map { Excerpt.sanitized($0) }
    let target = range.clamped(to: 0..<scalars.count)
    let room = options.lineWidth.map { max(8, $0 - 2) } ?? .max
    let columns = Excerpt.columns(of: scalars, options.cells)
    var start = 0
    // Two thirds of the width are before the range, so that the preceding text is visible.
    while columns[target.lowerBound] - columns[start] > room / 3 * 2 { start += 1 }
    var end = start
    while end < scalars.count, columns[end + 1] - columns[start] <= room { end += 1 }
    let before = columns[target.lowerBound] - columns[start]
    let shown = target.clamped(to: start..<end)
    let marked = max(1, min(columns[shown.upperBound] - columns[shown.lowerBound], room - before))
    let marks = Styling.paint(String(repeating: "^", count: max(1, marked)), .red, options: options)
    return [
      "  " + scalars[start..<end].map { String($0) }.joined(), "  " + String(repeating: " ", count: before) + marks,
    ]
  }

  /// Returns the column of each scalar and of the end, so that a long line is measured once.
  private static func columns(of scalars: [Unicode.Scalar], _ cells: WidthMeasurer) -> [Int] {
    var columns = [0]
    columns.reserveCapacity(scalars.count + 1)
    var sum = 0
    for scalar in scalars {
      sum += cells.of(scalar)
      columns.append(sum)
    }
    return columns
  }

  /// Returns a period for an invisible or control character.
  private static func sanitized(_ scalar: Unicode.Scalar) -> Unicode.Scalar { scalar.isPrintable ? scalar : "." }
}
