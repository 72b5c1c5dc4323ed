import LineEditing
import Text

/// A source of lines other than the prompt.
enum ScriptSource: Hashable, Sendable {
  /// A line of `-c`.
  case line(String)
  /// The path of `-f`, where `-` is standard input.
  case file(String)

  /// The lines of `-c`; those of a file are read when they are run.
  var lines: [Input] {
    switch self {
    case .line(let line): line.lines.filter { !$0.isEmpty }.map { .line($0) }
    case .file: []
    }
  }
}
