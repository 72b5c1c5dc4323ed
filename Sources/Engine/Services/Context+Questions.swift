import Platform
import Text

/// The questions a command asks a person at a terminal, all through the same function.
extension Context {
  /// Returns the line that a person answers a question with, without blanks at its ends, or `nil` if nobody can be asked,
  /// at the end of input and after Ctrl-C. What was typed before the question was visible is not taken as the answer.
  package func answer(to question: LocalizedText, _ session: Session) async -> String? {
    guard let asker else { return nil }
    console.status(nil)
    return await asker.answer(to: question[session.settings.tongue].plain)?.trimmed
  }

  /// Returns whether a person answers a question that ends in `[y/N]` with yes. Everything else, the end of input included,
  /// means no.
  package func isConfirmed(_ question: LocalizedText, _ session: Session) async -> Bool {
    await answer(to: question, session).map(Confirmation.isYes) ?? false
  }
}
