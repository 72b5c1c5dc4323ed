import Foundation
import TestSupport
import Testing

/// A session in a file: lines after `> ` are typed, and each is followed by its output.
///
/// Data is unmarked, messages follow `! `, a nonzero exit code follows `= `, and lines after `#` are comments.
///
/// With OPENMARKET_RECORD=1 the file is written again, and the test fails as a reminder to review it.
struct Transcript {
  private let file: Golden

  init(_ name: String, file: String = #filePath) { self.file = Golden(name, in: "Transcripts", file: file) }

  /// Returns the output with `⏎` at its end if the line break is missing, as in fish.
  static func ended(_ printed: String) -> String {
    printed.isEmpty || printed.unicodeScalars.last == "\n" ? printed : printed + "⏎\n"
  }

  /// Runs the lines, compares what is printed with the file, and returns it.
  @discardableResult
  func check(in house: House) async throws -> String {
    let expected = try file.text()
    var actual = ""
    // Split by scalars: a CSV row ends in CR LF, which is one `Character`.
    for line in expected.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") { actual += line + "\n" }
      guard line.hasPrefix("> ") else { continue }
      actual += line + "\n"
      actual += Transcript.ended(await house.say(String(line.dropFirst(2))))
    }
    try file.check(actual)
    return actual
  }
}
