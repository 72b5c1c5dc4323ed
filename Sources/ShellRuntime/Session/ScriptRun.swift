import Foundation
import Platform
import Text

/// A run of one or more scripts, by which their lines are recognized when they are run again after an interruption.
package struct ScriptRun: Hashable, Sendable {
  private var name: String
  private var counts: [String: Int] = [:]

  /// Creates a run of a script: a path, `-c`, or standard input.
  package init(_ name: String) { self.name = ScriptRun.digest(name) }

  /// Continues with the lines of another script, or of the same script once more.
  package mutating func begin(_ name: String) { self.name = ScriptRun.digest(name) }

  /// Returns an identifier of one execution of a line that is the same in every run of the script.
  ///
  /// A line that is executed several times has an identifier for each execution.
  package mutating func key(of line: String) -> String {
    let key = name + " " + ScriptRun.digest(line)
    defer { counts[key, default: 0] += 1 }
    return "\(key) \(counts[key, default: 0])"
  }

  /// Returns whether this run has executed the line of that identifier.
  package func includes(_ key: String) -> Bool {
    guard let end = key.lastIndex(of: " "), let number = Int(key[key.index(after: end)...]) else { return false }
    return number < counts[String(key[..<end]), default: 0]
  }

  /// Returns whether a run is complete: after success and after a failed assertion.
  ///
  /// After other errors the script is run again to finish its work, without repeating the writes that were made.
  package static func isOver(after code: ExitStatus) -> Bool { code == .success || code == .assertionFailed }

  private static func digest(_ text: String) -> String { String(SHA256.hex(Data(text.utf8)).prefix(16)) }
}
