import Catalog
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
    let tongue = options.language
    var lines = paragraph(head(message.tone, options), message.what[tongue], indent: 0, options)
    if let excerpt = message.excerpt { lines += excerpt.lines(options) }
    for reason in message.reasons {
      lines += paragraph(label("reason: ", "이유: ", options), reason[tongue], indent: 2, options)
    }
    for step in message.nextSteps {
      lines += paragraph(label("hint: ", "힌트: ", options), step[tongue], indent: 2, options)
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
