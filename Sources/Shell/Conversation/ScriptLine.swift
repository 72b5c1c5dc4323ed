/// One line of a script, whole: physical lines that belong together are joined.
enum ScriptLine {
  case line(LogicalLines.Line)
  case unusable(UnusableLine, number: Int)

  var number: Int {
    switch self {
    case .line(let line): line.number
    case .unusable(_, let number): number
    }
  }
}
