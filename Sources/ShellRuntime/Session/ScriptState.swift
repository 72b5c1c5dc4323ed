/// The scripts that a session runs, and how.
package struct ScriptState: Hashable, Sendable {
  /// The running scripts, the innermost last.
  package var stack: [ScriptFrame] = []
  /// The run of the current line or script, or `nil` if none runs.
  package var run: CommandRun?
  /// A Boolean value that indicates that the current line was typed at the prompt.
  package var isTyped = false
  /// A Boolean value that indicates that the lines come from a file or standard input and aren't typed.
  package var isReading = false
  /// A Boolean value that indicates that the lines are a test with a report: `--tap`, `--junit`.
  package var isReported = false
  /// A Boolean value that indicates whether a script continues after a failing line.
  package var continuesOnError = false
  /// The lines of `finally:` that wait for the end of their scripts, the last one runs first.
  package var cleanUps: [CleanUp] = []
}

/// A line of `finally:`, with the session of the place where it stands.
///
/// It is run in that session: `_`, variables and the server are what they were there.
package struct CleanUp: Hashable, Sendable {
  package let text: String
  package let session: Session
  package let mode: CommandScope.Mode
  /// The name of the script.
  package private(set) var script = ""
  /// The number of the line in its script, or 0 if it isn't known yet.
  package private(set) var number = 0

  package init(_ text: String, _ session: Session, _ mode: CommandScope.Mode) {
    self.text = text
    self.mode = mode
    var place = session
    place.script.cleanUps = []
    self.session = place
  }

  /// The number of scripts that contain the line.
  package var depth: Int { session.script.stack.count }

  /// The line as it stands in its script.
  package var name: String { "finally: " + text }

  /// Records the position of the line, which the command doesn't know.
  package mutating func place(_ number: Int, in script: String) {
    if self.number == 0 { (self.number, self.script) = (number, script) }
  }
}

extension ScriptState {
  /// Records the position of the lines that were kept since the last call.
  package mutating func placeCleanUps(at number: Int, in script: String) {
    for index in cleanUps.indices { cleanUps[index].place(number, in: script) }
  }
}
