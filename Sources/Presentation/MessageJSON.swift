import Networking
import Text

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
