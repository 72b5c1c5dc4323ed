/// How one editor is set up; fixed at its start, but for what its `set…` functions change.
package struct EditorOptions: Sendable {
  /// The file that keeps the lines; nil keeps them for this session only.
  package var historyFile: String?
  package var keys: Keys
  /// The name before the colon of lines in `.editrc` that are for this program only.
  package var programName: String
  package var colors: Bool
  package var suggestions: Bool
  /// Where keys are read; must be a terminal.
  package var input: Int32
  /// Where the prompt is drawn: standard error, since standard output is for data.
  package var output: Int32
  /// Done once, when the first question stands and a key is waited for: what would only have delayed the prompt.
  package var whenFirstWaiting: (@Sendable () -> Void)?

  package init(
    historyFile: String? = nil, keys: Keys = .emacs, programName: String = "openmarket", colors: Bool = true,
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
