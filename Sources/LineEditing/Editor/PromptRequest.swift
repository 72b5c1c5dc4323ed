import Dispatch
import Glibc

/// A prompt for one line: how it is shown, completed and checked.
struct PromptRequest {
  var prompt: StyledPrompt
  /// The text shown dimmed at the right edge if it fits.
  var rightPrompt = ""
  /// The window title; "" leaves it unchanged.
  var title = ""
  /// The exit status of the previous line, or `nil`.
  var previousExitStatus: Int32?
  /// The initial text of the line.
  var initial = ""
  /// Indicates a form field: no history, no newlines.
  var isField = false
  /// Indicates one of several fields, which Up and Down leave.
  var isFormField = false
  /// Indicates whether the field replaces the last one of the form on the screen.
  var overwritesPrevious = false
  /// Indicates whether keys typed before the prompt was on the screen are discarded.
  var discardsTypeahead = false
  /// Returns the rows above and below the prompt for a number of columns.
  var rows: @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) }
  /// The rule for the text, shown dimmed after it.
  var rule = ""
  var completer: @Sendable (String, Int) -> CompletionResult = { _, _ in .none }
  var painter: (@Sendable (String) -> [HighlightedRange])?
  var isUnfinished: @Sendable (String) -> Bool = { _ in false }
  /// Returns the syntax of the missing arguments, shown dimmed after the text, or "".
  var hint: @Sendable (String) -> String = { _ in "" }
  /// Returns true if a line of the history may be suggested, and run as found.
  var maySuggest: @Sendable (String) -> Bool = { _ in true }
  /// Returns the replacement for a part of the text when Space is typed at its end, or `nil`.
  var expansion: @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil }
  /// Returns the reason why Enter does not accept the text yet, or `nil`.
  var accepts: @Sendable (String) -> String? = { _ in nil }
  /// Returns an explanation of the command at the cursor, in rows, or "".
  var explanation: @Sendable (String, Int) -> String = { _, _ in "" }
  /// The word that ``EditorSession/togglePrefix()`` adds, or "".
  var prefix = ""
  /// Indicates whether the caller can open the line in an external editor.
  var canEdit = false
  /// The labels of a search, as in `LineEditorDelegate`.
  var searchNames = (back: "bck", forward: "fwd")
  /// Returns true for a text that no key may produce.
  var refuses: @Sendable (String) -> Bool = { _ in false }
  /// Returns the text shown dimmed after the text while typing.
  var counter: @Sendable (String) -> String = { _ in "" }
}
