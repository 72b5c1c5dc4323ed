import Platform
import Text

/// A run in the Test Anything Protocol, version 13: a point for each line of the script, and the plan at the end.
///
/// Source: testanything.org, TAP 13 specification.
package enum TAP {
  package static let head = "TAP version 13\n"

  package static func plan(_ count: Int) -> String { count == 0 ? "1..0 # SKIP no commands\n" : "1..\(count)\n" }

  package static func point(_ point: LineResult, _ number: Int) -> String {
    let name = "\(number) - \(described(point.name))"
    switch point.outcome {
    case .passed: return "ok \(name)\n"
    case .skipped: return "ok \(name) # SKIP an earlier line failed\n"
    case .failed(let code, let failing):
      return """
        not ok \(name)
          ---
          message: \(quoted(failing.reason))
          severity: \(code == .assertionFailed ? "fail" : "error")
          exit: \(code.rawValue)
          file: \(quoted(point.file))
          line: \(point.line)
        \(block(failing.evidence))  ...

        """
    }
  }

  /// Returns the output of a command as comments, so that standard output contains only the protocol.
  package static func comment(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    return (lines.last == "" ? lines.dropLast() : lines[...]).map { $0.isEmpty ? "#\n" : "# " + $0 + "\n" }.joined()
  }

  /// Returns the text on one line with number signs escaped, which would begin a directive.
  private static func described(_ text: String) -> String {
    Sanitizer.sanitized(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// Returns a YAML literal block named `exchange`, or an empty string if there is no exchange.
  private static func block(_ evidence: String?) -> String {
    guard let evidence else { return "" }
    let lines = evidence.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.isEmpty }
    return "  exchange: |\n" + lines.map { "    " + Sanitizer.sanitized(String($0), limit: .max) + "\n" }.joined()
  }

  /// Returns a YAML double-quoted string.
  private static func quoted(_ text: String) -> String {
    "\"" + Sanitizer.sanitized(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// A console that writes the output of commands as comments of the Test Anything Protocol.
package struct TAPConsole: Console {
  private let console: any Console

  package init(_ console: any Console) { self.console = console }

  package var outputIsTerminal: Bool { false }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// Writes the text.
  ///
  /// Commands don't see a terminal, but standard output may be one, so the text is sanitized.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try console.writeSanitizedOutput(TAP.comment(text)) }

  /// Writes bytes as a TAP comment, or their number if they are not UTF-8.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ bytes: [UInt8]) throws {
    try writeOutput(String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes)")
  }
  package func writeMessage(_ text: String) { console.writeMessage(text) }
  package func showStatus(_ text: String?) { console.showStatus(text) }
}
