import CommandLanguage

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
