/// One field that is asked for, checked while one types; what is typed is not remembered.
package struct FieldQuestion: Sendable {
  /// May hold colours (SGR).
  package var prompt: String
  /// The text to start from.
  package var initial: String
  /// Whether it is one of several, so that Up and Down leave it and it stands where the last one stood.
  package var isInForm: Bool
  /// True if keys typed before the question was on the screen are thrown away.
  package var discardsTypeahead: Bool
  /// The rows above and below it on a screen of so many columns, each narrower than that.
  package var rows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// What the text must be, shown dim beside it.
  package var rule: String
  /// Nil when Enter may take the text, else what is wrong.
  package var accepts: @Sendable (String) -> String?
  /// Texts no key may lead to; such a key only beeps.
  package var refuses: @Sendable (String) -> Bool
  /// Shown dim beside the text: `12/40`.
  package var counter: @Sendable (String) -> String
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> Completion

  package init(
    prompt: String, initial: String = "", isInForm: Bool = false, discardsTypeahead: Bool = false,
    rows: @escaping @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) }, rule: String = "",
    accepts: @escaping @Sendable (String) -> String? = { _ in nil },
    refuses: @escaping @Sendable (String) -> Bool = { _ in false },
    counter: @escaping @Sendable (String) -> String = { _ in "" },
    completer: @escaping @Sendable (_ line: String, _ cursor: Int) -> Completion = { _, _ in .none }
  ) {
    self.prompt = prompt
    self.initial = initial
    self.isInForm = isInForm
    self.discardsTypeahead = discardsTypeahead
    self.rows = rows
    self.rule = rule
    self.accepts = accepts
    self.refuses = refuses
    self.counter = counter
    self.completer = completer
  }

  var question: Question {
    Question(
      prompt: StyledPrompt(prompt), initial: initial, isField: true, isInForm: isInForm, replacesLast: isInForm,
      discardsTypeahead: discardsTypeahead, rows: rows, rule: rule, completer: completer, accepts: accepts,
      refuses: refuses, counter: counter)
  }
}
