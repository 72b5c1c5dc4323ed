/// What the editor asks about a line while it is typed. Called on the editor's thread, so it must be quick and never wait.
package struct LineHelp: Sendable {
  /// Gets the line and how many Unicode scalars of it are before the cursor.
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> Completion
  /// Colours for the line; none when nil.
  package var painter: (@Sendable (_ line: String) -> [PaintedRange])?
  /// Whether Enter goes on in a next line (an open quote, a backslash at the end).
  package var isUnfinished: @Sendable (_ line: String) -> Bool
  /// The shape of what is still missing behind the line; "" when nothing is.
  package var hint: @Sendable (_ line: String) -> String
  /// Whether a line of the history may be suggested.
  package var maySuggest: @Sendable (_ line: String) -> Bool

  package init(
    completer: @escaping @Sendable (String, Int) -> Completion = { _, _ in .none },
    painter: (@Sendable (String) -> [PaintedRange])? = nil,
    isUnfinished: @escaping @Sendable (String) -> Bool = { _ in false },
    hint: @escaping @Sendable (String) -> String = { _ in "" },
    maySuggest: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.completer = completer
    self.painter = painter
    self.isUnfinished = isUnfinished
    self.hint = hint
    self.maySuggest = maySuggest
  }

  func question(_ prompt: String, _ right: String) -> Question {
    Question(
      prompt: StyledPrompt(prompt), right: right, completer: completer, painter: painter, isUnfinished: isUnfinished,
      hint: hint, maySuggest: maySuggest)
  }
}
