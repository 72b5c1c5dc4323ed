import Foundation
import Platform
import Presentation
import Text

/// A run as JUnit XML for CI servers, a suite for each script and a case for each line.
///
/// Source: junit-10.xsd of Jenkins' xUnit plugin; GitLab and GitHub Actions read the same format. A failed assertion is
/// a `failure`, any other failing line an `error`.
package enum JUnit {
  package static func xml(_ points: [LineResult]) -> String {
    var files: [String] = []
    for point in points where !files.contains(point.file) { files.append(point.file) }
    let suites = files.map { file in suite(file, points.filter { $0.file == file }) }
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"openmarket\" \(counts(points, withSkipped: false))>\n"
      + suites.joined() + "</testsuites>\n"
  }

  private static func suite(_ file: String, _ points: [LineResult]) -> String {
    "  <testsuite name=\(quoted(file)) \(counts(points))>\n" + points.map(testcase).joined() + "  </testsuite>\n"
  }

  /// Returns the counts as attributes.
  ///
  /// The schema has no `skipped` for the root element.
  private static func counts(_ points: [LineResult], withSkipped: Bool = true) -> String {
    var failures = 0
    var errors = 0
    var skipped = 0
    for point in points {
      switch point.outcome {
      case .passed: break
      case .skipped: skipped += 1
      case .failed(.assertionFailed, _): failures += 1
      case .failed: errors += 1
      }
    }
    let time = points.reduce(0) { $0 + $1.seconds }
    return
      "tests=\"\(points.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + (withSkipped ? " skipped=\"\(skipped)\"" : "") + " time=\"\(shown(time))\""
  }

  private static func testcase(_ point: LineResult) -> String {
    let head =
      "    <testcase classname=\(quoted(point.file)) name=\(quoted(point.name)) time=\"\(shown(point.seconds))\""
    switch point.outcome {
    case .passed: return head + "/>\n"
    case .skipped: return head + ">\n      <skipped message=\"an earlier line failed\"/>\n    </testcase>\n"
    case .failed(let code, let failing):
      let kind = code == .assertionFailed ? "failure" : "error"
      let place = point.line > 0 ? "\(point.file), line \(point.line)\n" : ""
      let text = place + failing.reason + "\n" + (failing.evidence.map { "\n" + $0 } ?? "")
      return head + ">\n      <\(kind) type=\"exit \(code.rawValue)\" message=\(quoted(failing.reason))>"
        + escaped(text) + "</\(kind)>\n    </testcase>\n"
    }
  }

  private static func shown(_ seconds: Double) -> String {
    String(format: "%.3f", locale: Locale(identifier: "en_US_POSIX"), seconds)
  }

  /// Returns a quoted attribute value.
  ///
  /// Line breaks and tabs are escaped, because a parser would normalize them to spaces.
  private static func quoted(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "&quot;").replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
      + "\""
  }

  /// Returns the text of an element without the characters that XML 1.0 doesn't allow.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\n", "\t": output.unicodeScalars.append(scalar)
      case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        output.unicodeScalars.append(scalar)
      default: break
      }
    }
    return output
  }
}

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

  /// - Throws: `OutputError`.
  package func writeOutput(_ bytes: [UInt8]) throws {
    try writeOutput(String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes)")
  }
  package func writeMessage(_ text: String) { console.writeMessage(text) }
  package func showStatus(_ text: String?) { console.showStatus(text) }
}
