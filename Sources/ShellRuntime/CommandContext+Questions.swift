import Platform
import Presentation
import Text

// Prompts of commands to a user at a terminal.
extension CommandContext {
  /// Returns the user's reply without surrounding white space, or `nil` if there is no user to ask, at the end of input
  /// and after Ctrl-C.
  ///
  /// Input typed before the prompt was visible isn't used.
  package func answer(to question: LocalizedText, _ session: Session) async -> String? {
    guard let asker else { return nil }
    console.showStatus(nil)
    return await asker.answer(to: question[session.settings.language].plain)?.trimmed
  }

  /// Returns whether the user replies yes to a prompt that ends in `[y/N]`.
  ///
  /// Everything else, including the end of input, means no.
  package func isConfirmed(_ question: LocalizedText, _ session: Session) async -> Bool {
    await answer(to: question, session).map(ConfirmationPrompt.isYes) ?? false
  }

  /// Asks a question that ends in `[y/N]`, and returns if the user replies yes.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - warning: A message shown before it.
  ///   - unattended: The error message if there is no user to ask.
  ///   - declined: The message for every other reply.
  ///   - session: The session.
  /// - Throws: `CommandError` with exit status 4.
  package func confirm(
    _ question: LocalizedText, after warning: Message? = nil, unattended: @autoclosure () -> Message,
    declined: @autoclosure () -> Message = ConfirmationPrompt.declined.message, _ session: Session
  ) async throws {
    guard asker != nil else {
      let message = unattended()
      throw CommandError(.blocked, message, code: message.code ?? .notConfirmed)
    }
    if let warning { say(warning, session) }
    guard await isConfirmed(question, session) else { throw CommandError(.blocked, declined(), code: .canceled) }
  }
}
