import Failures
import Foundation
import Journal
import Platform
import Presentation

/// A run of a script, by which its lines are recognized when it is run again after it was cut short.
package struct ScriptRun: Hashable, Sendable {
  private let name: String
  private var counts: [String: Int] = [:]

  /// - Parameter name: the script: a path, `-c`, or standard input.
  package init(_ name: String) { self.name = ScriptRun.digest(name) }

  /// Returns what names one execution of a line in every run of the script: the same line may run several times.
  package mutating func key(of line: String) -> String {
    let key = name + " " + ScriptRun.digest(line)
    defer { counts[key, default: 0] += 1 }
    return "\(key) \(counts[key, default: 0])"
  }

  /// True after success and after a failed assertion. After anything else the script is run again to finish what it has
  /// begun, and what it made is not made a second time.
  package static func isOver(after code: ExitStatus) -> Bool { code == .success || code == .assertionFailed }

  private static func digest(_ text: String) -> String { String(SHA256.hex(Data(text.utf8)).prefix(16)) }
}
