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
    var lines = paragraph(head(message.tone, options), message.what[language], indent: 0, options)
    if let excerpt = message.excerpt { lines += excerpt.lines(options) }
    for reason in message.reasons {
      lines += paragraph(label("reason: ", "이유: ", options), reason[language], indent: 2, options)
    }
    for step in message.nextSteps {
      lines += paragraph(label("hint: ", "힌트: ", options), step[language], indent: 2, options)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private struct Head {
    var text: String
    var style: Styling.ANSIStyle
  }

  private func label(_ english: String, _ korean: String, _ options: RenderOptions) -> Head {
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
  private func paragraph(_ head: Head, _ text: StyledText, indent: Int, _ options: RenderOptions) -> [String] {
    let start = String(repeating: " ", count: indent)
    let headWidth = options.cells.of(head.text)
    guard let width = options.lineWidth, width >= indent + headWidth + 12 else {
      let whole = StyledText(start + head.text) + text
      return Styling.lines(whole, width: options.lineWidth, options)
    }
    let lines = Styling.lines(text, width: width - indent - headWidth, options)
    let hanging = String(repeating: " ", count: indent + headWidth)
    return lines.enumerated().map { index, line in
      index == 0 ? start + Styling.paint(head.text, head.style, options) + line : hanging + line
    }
  }
}
