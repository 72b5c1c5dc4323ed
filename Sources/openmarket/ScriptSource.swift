/// A source of lines other than the prompt.
enum ScriptSource: Hashable, Sendable {
  /// A line of `-c`.
  case line(String)
  /// The path of `-f`, where `-` is standard input.
  case file(String)
}
