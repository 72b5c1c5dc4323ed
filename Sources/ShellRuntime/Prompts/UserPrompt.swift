import CommandLanguage
import Platform

/// The interface for prompts to a user at a terminal.
package protocol UserPrompt: Sendable {
  /// Returns the answer to a prompt, or `nil` at the end of input and after Ctrl-C.
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

/// A field of a form: its prompt, its rule and its completion.
package struct FormQuestion: Sendable {
  /// The prompt, which may contain color sequences.
  package var prompt: String
  package var initial: String
  /// The rule for the value, shown next to it.
  package var rule: String
  /// A Boolean value that indicates whether the field is one of several, between which Up and Down move.
  package var isInForm: Bool
  /// A Boolean value that indicates whether keys typed before the prompt was visible are discarded.
  package var discardsTypeahead: Bool
  /// Returns the other rows of the form for a screen of that width.
  package var rows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// Returns the error in a finished value in the user's language, or `nil`.
  package var problem: @Sendable (String) -> String?
  /// Returns a short text next to the value, such as `12/100`.
  package var counter: @Sendable (String) -> String?
  package var candidates: @Sendable (String) -> [Candidate]

  package init(
    prompt: String, initial: String = "", rule: String = "", isInForm: Bool = false, discardsTypeahead: Bool = false,
    rows: @escaping @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) },
    problem: @escaping @Sendable (String) -> String? = { _ in nil },
    counter: @escaping @Sendable (String) -> String? = { _ in nil },
    candidates: @escaping @Sendable (String) -> [Candidate] = { _ in [] }
  ) {
    self.prompt = prompt
    self.initial = initial
    self.rule = rule
    self.isInForm = isInForm
    self.discardsTypeahead = discardsTypeahead
    self.rows = rows
    self.problem = problem
    self.counter = counter
    self.candidates = candidates
  }
}

/// The result of one field of a form.
package enum FormAnswer: Hashable, Sendable {
  case text(String)
  /// Up or Down: the user moves to another field.
  ///
  /// The text may be incomplete.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C or end of input: the user leaves the form, and nothing is sent.
  case left
}

/// An asker that hides the spinner while a prompt is on the screen.
struct SpinnerHidingPrompt: UserPrompt {
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
