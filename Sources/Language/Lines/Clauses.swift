/// Where a command's data goes: `as json to FILE | program`.
package struct Clauses: Hashable, Sendable {
  package var format: OutputFormat?
  package var file: String?
  /// For `/bin/sh`, the user's own text from after the bar to the end of the line.
  package var pipe: String?

  package init(format: OutputFormat? = nil, file: String? = nil, pipe: String? = nil) {
    self.format = format
    self.file = file
    self.pipe = pipe
  }
}
