import Dispatch
import Glibc

/// The configuration of an editor.
///
/// It is fixed at the start except for the `set…` functions.
package struct EditorOptions: Sendable {
  /// The path of the history file, or `nil` to remember lines for this session only.
  package var historyFile: String?
  package var keys: EditingStyle
  /// The program name before the colon of lines in `.editrc` that are for this program only.
  package var programName: String
  package var colors: Bool
  package var suggestions: Bool
  /// The descriptor to read keys from; must be a terminal.
  package var input: Int32
  /// The descriptor to draw on: standard error, because standard output is for data.
  package var output: Int32
  /// The supported features of the terminal beyond colors.
  package var features = TerminalFeatures.none

  package init(
    historyFile: String? = nil, keys: EditingStyle = .emacs, programName: String = "openmarket", colors: Bool = true,
    suggestions: Bool = true, input: Int32 = 0, output: Int32 = 2
  ) {
    self.historyFile = historyFile
    self.keys = keys
    self.programName = programName
    self.colors = colors
    self.suggestions = suggestions
    self.input = input
    self.output = output
  }
}
