import Foundation
import Platform

/// A run as JUnit XML for CI servers, a suite for each script and a case for each line.
///
/// Source: junit-10.xsd of Jenkins' xUnit plugin; GitLab and GitHub Actions read the same format. A failed assertion is
/// a `failure`, any other failing line an `error`.
package enum JUnit {
  /// The first line of a report.
  package static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  package static func xml(_ points: [LineResult]) -> String {
    var files: [String] = []
    for point in points where !files.contains(point.file) { files.append(point.file) }
    let suites = files.map { file in suite(file, points.filter { $0.file == file }) }
    return head + "<testsuites name=\"openmarket\" \(counts(points, withSkipped: false))>\n"
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
      let location = point.line > 0 ? "\(point.file), line \(point.line)\n" : ""
      let text = location + failing.reason + "\n" + (failing.evidence.map { "\n" + $0 } ?? "")
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

  /// Returns the text of an element, with escapes for the characters that XML 1.0 doesn't allow.
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
      // A control character is shown by its number, so that two names that differ in it stay two.
      default: output += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return output
  }
}
