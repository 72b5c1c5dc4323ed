import Networking
import Text

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
  package static func line(_ message: Message, _ options: RenderOptions) -> String {
    line(
      level: level(message.tone), code: message.code ?? defaultCode(message.tone),
      text: text([message.what], options) ?? "", reason: text(message.reasons, options),
      hint: text(message.nextSteps, options), exit: message.exitStatus)
  }

  /// Returns the line for a text that isn't a message, such as a preview.
  package static func line(text: String) -> String {
    line(level: "note", code: .text, text: text, reason: nil, hint: nil, exit: nil)
  }

  /// Returns the members of a message, in the order of the line.
  package static func members(_ message: Message, _ options: RenderOptions) -> [(String, JSON)] {
    members(
      level: level(message.tone), code: message.code ?? defaultCode(message.tone),
      text: text([message.what], options) ?? "", reason: text(message.reasons, options),
      hint: text(message.nextSteps, options), exit: message.exitStatus)
  }

  private static func line(
    level: String, code: MessageCode, text: String, reason: String?, hint: String?, exit: Int32?
  ) -> String {
    let members = members(level: level, code: code, text: text, reason: reason, hint: hint, exit: exit)
    return String(separator) + JSON.object(members).serialized + "\n"
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

  private static func level(_ tone: Message.Severity) -> String {
    switch tone {
    case .note: "note"
    case .success: "success"
    case .warning: "warning"
    case .failure: "error"
    }
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
