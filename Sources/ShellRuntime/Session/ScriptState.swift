import Foundation
import Platform
import Text

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

  package init(_ text: String, session: Session, mode: CommandScope.Mode) {
    self.text = text
    self.mode = mode
    var start = session
    start.script.cleanUps = []
    self.session = start
  }

  /// The number of scripts that contain the line.
  package var depth: Int { session.script.stack.count }

  /// The line as it stands in its script.
  package var name: String { "finally: " + text }

  /// Records the position of the line, which the command doesn't know.
  package mutating func setLine(_ number: Int, in script: String) {
    if self.number == 0 { (self.number, self.script) = (number, script) }
  }
}

extension ScriptState {
  /// Records the position of the lines that were kept since the last call.
  package mutating func setCleanUpLines(at number: Int, in script: String) {
    for index in cleanUps.indices { cleanUps[index].setLine(number, in: script) }
  }
}

/// A running script: its file and its arguments.
package struct ScriptFrame: Hashable, Sendable {
  /// The name as the user typed it.
  package var name: String
  /// The path without symbolic links, by which a script that runs itself is recognized.
  package var path: String
  package var arguments: [String]

  package init(name: String, path: String, arguments: [String]) {
    self.name = name
    self.path = path
    self.arguments = arguments
  }
}

/// A run of a typed line, of `-c` lines or of scripts, by which the journal recognizes their lines when they are run again.
///
/// A run ends when its report was written with a final outcome for every change, whatever the exit status. Until then the
/// same lines continue it.
package struct CommandRun: Hashable, Sendable {
  /// The end of a run, which decides what the journal remembers of it.
  package enum Ending: Hashable, Sendable {
    /// It was interrupted, or left an outcome unknown: the same lines continue it.
    case notEnded
    /// It reported a failure: equal creates are questioned when it is run again.
    case failed
    case succeeded

    /// Creates the ending of a run with this exit status.
    ///
    /// A failed assertion is the result of a test, and the run of a test with a report is never continued.
    package init(_ status: ExitStatus, isTest: Bool = false) {
      switch status {
      case .interrupted, .hungUp, .quit, .terminated: self = .notEnded
      case .outcomeUnknown where !isTest: self = .notEnded
      case .success, .assertionFailed: self = .succeeded
      default: self = isTest ? .succeeded : .failed
      }
    }
  }

  private var name: String
  private var counts: [String: Int] = [:]
  /// A Boolean value that indicates that the run consists of one command.
  package let isOneCommand: Bool

  private static let commandName = digest("command")

  /// Creates a run of a script: a path, `-c`, or standard input.
  package init(script name: String) {
    self.name = CommandRun.digest(name)
    isOneCommand = false
  }

  private init() {
    name = CommandRun.commandName
    isOneCommand = true
  }

  /// Returns the run of a line that is typed, or the only `-c` line.
  package static func of(_ line: String) -> CommandRun {
    line.contains(";") || line.contains("source ") ? CommandRun(script: "lines") : CommandRun()
  }

  /// Continues with the lines of another script, or of the same script once more.
  package mutating func begin(_ name: String) { if !isOneCommand { self.name = CommandRun.digest(name) } }

  /// Returns an identifier of one execution of a line that is the same in every run.
  ///
  /// A line that is executed several times has an identifier for each execution. `again` and `yes` don't change a line.
  package mutating func key(of line: String) -> String {
    let words = line.split(whereSeparator: \.isWhitespace).filter { $0 != "again" && $0 != "yes" }
    let key = name + " " + CommandRun.digest(words.joined(separator: " "))
    defer { counts[key, default: 0] += 1 }
    return "\(key) \(counts[key, default: 0])"
  }

  /// Returns whether this run has executed the line of that identifier.
  package func includes(_ key: String) -> Bool {
    guard let end = key.lastIndex(of: " "), let number = Int(key[key.index(after: end)...]) else { return false }
    return number < counts[String(key[..<end]), default: 0]
  }

  /// Returns whether a line with this identifier was a run of its own.
  package static func isWholeRun(_ key: String) -> Bool { key.hasPrefix(commandName + " ") }

  private static func digest(_ text: String) -> String { String(SHA256.hex(Data(text.utf8)).prefix(16)) }
}
