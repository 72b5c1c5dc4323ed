import Foundation
import TestSupport
import Testing

/// A session in a file: lines after `> ` are typed, and each is followed by its output.
///
/// Data is unmarked, messages follow `! `, a nonzero exit code follows `= `, and lines after `#` are comments.
///
/// With OPENMARKET_RECORD=1 the file is written again, and the test fails as a reminder to review it.
package struct Transcript {
  /// The folder of all transcripts.
  package static let folder = "ShellTests/Transcripts"

  private let file: Golden

  package init(_ name: String, file: String = #filePath) { self.file = Golden(name, in: Transcript.folder, file: file) }

  /// Returns the names of the transcripts in a folder of transcripts, in order.
  package static func names(in folder: String = Transcript.folder) -> [String] {
    let path = (#filePath as NSString).deletingLastPathComponent + "/../" + folder
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }

  /// Returns the output with `⏎` at its end if the line break is missing, as in fish.
  package static func ended(_ printed: String) -> String {
    printed.isEmpty || printed.unicodeScalars.last == "\n" ? printed : printed + "⏎\n"
  }

  /// Runs the lines, compares what is printed with the file, and returns it.
  @discardableResult
  package func check(in sandbox: Sandbox) async throws -> String {
    let expected = try file.text()
    var actual = ""
    // Split by scalars: a CSV row ends in CR LF, which is one `Character`.
    for line in expected.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") { actual += line + "\n" }
      guard line.hasPrefix("> ") else { continue }
      actual += line + "\n"
      actual += Transcript.ended(await sandbox.run(String(line.dropFirst(2))))
    }
    try file.check(actual)
    return actual
  }
}
