/// The functions by which the editor asks about a line while it is typed.
///
/// They are called on the editor's thread, so they must be fast and must not wait.
package struct LineEditorDelegate: Sendable {
  /// Returns the completions for a line and a cursor as an offset in Unicode scalars.
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> CompletionResult
  /// Returns the styles for the line; `nil` for none.
  package var highlighter: (@Sendable (_ line: String) -> [HighlightedRange])?
  /// Returns true if Enter continues on a new line (an open quote, a backslash at the end).
  package var isUnfinished: @Sendable (_ line: String) -> Bool
  /// Returns the syntax of the missing arguments after the line, or "".
  package var hint: @Sendable (_ line: String) -> String
  /// Returns true if a line of the history may be suggested, and run as a search finds it.
  package var maySuggest: @Sendable (_ line: String) -> Bool
  /// Returns the replacement for a range of Unicode scalars when Space is typed after the line, or `nil` if the last
  /// word is not an abbreviation.
  package var expansion: @Sendable (_ line: String) -> (range: Range<Int>, text: String)?
  /// Returns an explanation of the command at the cursor to print above the prompt, or "".
  package var explanation: @Sendable (_ line: String, _ cursor: Int) -> String
  /// The word that one key adds to or removes from the start of the line; "" for none.
  package var prefix: String
  /// Indicates whether the caller opens the line in an external editor when it receives ``Input/editor(_:)``.
  package var canEdit: Bool
  /// Returns the labels of a backward and a forward search of the history.
  package var searchNames: @Sendable () -> (back: String, forward: String)

  package init(
    completer: @escaping @Sendable (String, Int) -> CompletionResult = { _, _ in .none },
    highlighter: (@Sendable (String) -> [HighlightedRange])? = nil,
    isUnfinished: @escaping @Sendable (String) -> Bool = { _ in false },
    hint: @escaping @Sendable (String) -> String = { _ in "" },
    maySuggest: @escaping @Sendable (String) -> Bool = { _ in true },
    expansion: @escaping @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil },
    searchNames: @escaping @Sendable () -> (back: String, forward: String) = { ("bck", "fwd") },
    explanation: @escaping @Sendable (_ line: String, _ cursor: Int) -> String = { _, _ in "" },
    prefix: String = "", canEdit: Bool = false
  ) {
    self.completer = completer
    self.highlighter = highlighter
    self.isUnfinished = isUnfinished
    self.hint = hint
    self.maySuggest = maySuggest
    self.expansion = expansion
    self.searchNames = searchNames
    self.explanation = explanation
    self.prefix = prefix
    self.canEdit = canEdit
  }

  func question(_ prompt: String) -> PromptRequest {
    PromptRequest(
      prompt: StyledPrompt(prompt), completer: completer, painter: highlighter, isUnfinished: isUnfinished,
      hint: hint, maySuggest: maySuggest, expansion: expansion, explanation: explanation, prefix: prefix,
      canEdit: canEdit, searchNames: searchNames())
  }
}
