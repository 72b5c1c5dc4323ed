/// A prompt for one field.
///
/// The text is checked while typing and not added to the history.
package struct FormField: Sendable {
  /// The prompt, which may contain styles (SGR).
  package var prompt: String
  /// The initial text.
  package var initial: String
  /// Indicates one of several fields: Up and Down leave it, and it replaces the last one on the screen.
  package var isInForm: Bool
  /// Indicates whether keys typed before the prompt was on the screen are discarded.
  package var discardsTypeahead: Bool
  /// Returns the rows above and below the prompt, each narrower than `columns`.
  package var surroundingRows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// The rule for the text, shown dimmed after it.
  package var placeholder: String
  /// Returns the reason why Enter does not accept the text, or `nil`.
  package var validationError: @Sendable (String) -> String?
  /// Returns true for a text that no key may produce; such a key only beeps.
  package var isForbidden: @Sendable (String) -> Bool
  /// Returns the text shown dimmed after the text, such as `12/40`.
  package var counter: @Sendable (String) -> String
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> CompletionResult

  package init(
    prompt: String, initial: String = "", isInForm: Bool = false, discardsTypeahead: Bool = false,
    surroundingRows: @escaping @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) },
    placeholder: String = "",
    validationError: @escaping @Sendable (String) -> String? = { _ in nil },
    isForbidden: @escaping @Sendable (String) -> Bool = { _ in false },
    counter: @escaping @Sendable (String) -> String = { _ in "" },
    completer: @escaping @Sendable (_ line: String, _ cursor: Int) -> CompletionResult = { _, _ in .none }
  ) {
    self.prompt = prompt
    self.initial = initial
    self.isInForm = isInForm
    self.discardsTypeahead = discardsTypeahead
    self.surroundingRows = surroundingRows
    self.placeholder = placeholder
    self.validationError = validationError
    self.isForbidden = isForbidden
    self.counter = counter
    self.completer = completer
  }

  var question: PromptRequest {
    PromptRequest(
      prompt: StyledPrompt(prompt), initial: initial, isField: true, isFormField: isInForm,
      overwritesPrevious: isInForm,
      discardsTypeahead: discardsTypeahead, rows: surroundingRows, rule: placeholder, completer: completer,
      accepts: validationError,
      refuses: isForbidden, counter: counter)
  }
}
