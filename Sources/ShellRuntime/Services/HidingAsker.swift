import Platform

/// An asker that hides the spinner while a prompt is on the screen.
struct HidingAsker: UserPrompt {
  private let base: any UserPrompt
  private let spinner: Spinner

  init(_ base: any UserPrompt, _ spinner: Spinner) {
    self.base = base
    self.spinner = spinner
  }

  func answer(to question: String) async -> String? { await spinner.hidden { await base.answer(to: question) } }

  func secret(_ prompt: String) async -> String? { await spinner.hidden { await base.secret(prompt) } }

  func field(_ field: FormQuestion) async -> FormAnswer { await spinner.hidden { await base.field(field) } }

  func endForm() async { await base.endForm() }
}
