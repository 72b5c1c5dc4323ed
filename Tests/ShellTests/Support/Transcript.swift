import Foundation
import Pacing
import Testing

/// A conversation kept in a file: lines after `> ` are typed, what follows each is everything it printed.
///
/// Data stands as it is, words for a person after `! `, an exit code other than 0 after `= `; lines after `#` are remarks.
/// With OPENMARKET_RECORD=1 the file is written anew, and the test fails so that nobody forgets to look.
struct Transcript {
  private let file: Golden

  init(_ name: String, file: String = #filePath) { self.file = Golden(name, in: "Transcripts", file: file) }

  /// Returns what was printed with `⏎` at its end where the line end is missing, as fish shows it.
  static func ended(_ printed: String) -> String {
    printed.isEmpty || printed.unicodeScalars.last == "\n" ? printed : printed + "⏎\n"
  }

  func check(in house: House) async throws {
    let expected = try file.text()
    var actual = ""
    // By scalars: a CSV row ends in CR LF, which Swift counts as one character.
    for line in expected.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") { actual += line + "\n" }
      guard line.hasPrefix("> ") else { continue }
      actual += line + "\n"
      actual += Transcript.ended(await house.say(String(line.dropFirst(2))))
    }
    try file.check(actual)
  }
}
