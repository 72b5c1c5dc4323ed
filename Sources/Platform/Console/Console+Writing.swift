import Text

extension Console {
  /// The line at the bottom, cut to what the window takes: one that wraps would leave a row behind with each change.
  package func transient(_ text: String) { status(CellWidth().fit(text, to: max(1, (width ?? 80) - 1))) }

  /// Data that no renderer has looked at: what a program reads goes as it is, on a terminal no text of a server acts.
  package func unrendered(_ text: String) throws {
    try data(outputIsTerminal ? Sanitizer.clean(text, .block, limit: .max) : text)
  }
}
