import Platform
import Presentation
import Text

/// A run in the Test Anything Protocol, version 13: one point a line of the script, the plan at the end.
///
/// Source: testanything.org, TAP 13 specification.
package enum TAP {
  package static let head = "TAP version 13\n"

  package static func plan(_ count: Int) -> String { count == 0 ? "1..0 # SKIP no commands\n" : "1..\(count)\n" }

  package static func point(_ point: RunPoint, _ number: Int) -> String {
    let name = "\(number) - \(described(point.file)):\(point.line) \(described(point.text))"
    switch point.outcome {
    case .passed: return "ok \(name)\n"
    case .skipped: return "ok \(name) # SKIP an earlier line failed\n"
    case .failed(let code, let reason):
      return """
        not ok \(name)
          ---
          message: \(quoted(reason))
          severity: \(code == .assertionFailed ? "fail" : "error")
          exit: \(code.rawValue)
          file: \(quoted(point.file))
          line: \(point.line)
          ...

        """
    }
  }

  /// What a command printed, as a remark: standard output stays one protocol.
  package static func remark(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return (lines.last == "" ? lines.dropLast() : lines[...]).map { $0.isEmpty ? "#\n" : "# " + $0 + "\n" }.joined()
  }

  /// One line; a number sign would begin a directive.
  private static func described(_ text: String) -> String {
    Sanitizer.clean(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// A YAML double-quoted text.
  private static func quoted(_ text: String) -> String {
    "\"" + Sanitizer.clean(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// Standard output as the Test Anything Protocol wants it: what commands print becomes remarks.
package struct TAPConsole: Console {
  private let console: any Console

  package init(_ console: any Console) { self.console = console }

  package var outputIsTerminal: Bool { false }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// What is no terminal to the commands may be one all the same.
  package func data(_ text: String) throws { try console.unrendered(TAP.remark(text)) }
  package func say(_ text: String) { console.say(text) }
  package func status(_ text: String?) { console.status(text) }
}
