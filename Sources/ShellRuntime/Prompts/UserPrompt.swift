/// The interface for prompts to a user at a terminal.
package protocol UserPrompt: Sendable {
  /// Returns the reply to a prompt, or `nil` at the end of input and after Ctrl-C.
  func answer(to question: String) async -> String?
  /// Returns a line that is neither shown nor recorded, or `nil` if there is none.
  func secret(_ prompt: String) async -> String?
  /// Prompts for one field of a form, which is validated while the user types.
  func field(_ field: FormQuestion) async -> FormAnswer
  /// Removes the rows of a finished form.
  func endForm() async
}

extension UserPrompt {
  /// Does nothing, for implementations that draw no form.
  package func endForm() async {}
}
