import Catalog
import Text

/// What is said to a person: what happened, why, and what to do next. Each step returns a new value.
///
///     throw Message.failure("Product \(42) was not deleted.", ko: "상품 \(42, .object) 지우지 못했습니다.")
///       .because("The secret does not match.", ko: "비밀 값이 맞지 않습니다.")
///       .next("\(.command("login")) sets it.", ko: "\(.command("login"))으로 설정합니다.")
package struct Message: Error, Hashable, Sendable {
  /// How grave it is; decides the mark and the colour in front.
  package enum Tone: Hashable, Sendable { case note, success, warning, failure }

  package var tone: Tone
  package var what: Wording
  package var reasons: [Wording] = []
  package var nextSteps: [Wording] = []
  /// The place in a line that it is about.
  package var excerpt: Excerpt?

  package init(_ tone: Tone, _ what: Wording) {
    self.tone = tone
    self.what = what
  }

  /// Something to know; nothing is wrong and nothing was done.
  package static func note(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.note, Wording(english, ko: korean))
  }
  /// What was done.
  package static func success(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.success, Wording(english, ko: korean))
  }
  /// What was done or will be, and may not be what is wanted.
  package static func warning(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.warning, Wording(english, ko: korean))
  }
  /// What was not done.
  package static func failure(_ english: StyledText, ko korean: StyledText) -> Message {
    Message(.failure, Wording(english, ko: korean))
  }

  /// Adds a reason; several stand below each other in the order given.
  package func because(_ english: StyledText, ko korean: StyledText) -> Message {
    because(Wording(english, ko: korean))
  }
  package func because(_ reason: Wording) -> Message {
    var copy = self
    copy.reasons.append(reason)
    return copy
  }
  /// Says what can be done about it.
  package func next(_ english: StyledText, ko korean: StyledText) -> Message { next(Wording(english, ko: korean)) }
  package func next(_ step: Wording) -> Message {
    var copy = self
    copy.nextSteps.append(step)
    return copy
  }
}
