/// A prompt for one field.
///
/// The text is checked while typing and not added to the history.
package struct FieldQuestion: Sendable {
  /// The prompt, which may contain styles (SGR).
  package var prompt: String
  /// The initial text.
  package var initial: String
  /// Indicates one of several fields: Up and Down leave it, and it replaces the last one on the screen.
  package var isInForm: Bool
  /// Indicates whether keys typed before the prompt was on the screen are discarded.
  package var discardsTypeahead: Bool
  /// Returns the rows above and below the prompt, each narrower than `columns`.
  package var rows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// The rule for the text, shown dimmed beside it.
  package var rule: String
  /// Returns the reason why Enter does not accept the text, or `nil`.
  package var accepts: @Sendable (String) -> String?
  /// Returns true for a text that no key may produce; such a key only beeps.
  package var refuses: @Sendable (String) -> Bool
  /// Returns the text shown dimmed beside the text, such as `12/40`.
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
