/// A logical line of a script, joined from physical lines.
package enum ScriptLine {
  case line(LogicalLines.Line)
  case unusable(UnusableLine, number: Int)

  package var number: Int {
    switch self {
    case .line(let line): line.number
    case .unusable(_, let number): number
    }
  }

  package init(_ completed: LogicalLines.Completed) {
    switch completed {
    case .line(let line): self = .line(line)
    case .tooLong(let number): self = .unusable(.goesOnTooLong, number: number)
    }
  }
}
