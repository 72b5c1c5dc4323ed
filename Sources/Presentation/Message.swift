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
