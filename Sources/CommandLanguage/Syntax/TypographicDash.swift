import Text

/// The dashes that chats and note apps put in place of the hyphens of an option: `–s` for `-s`, `—data` for `--data`.
package enum TypographicDash {
  /// The hyphens that each dash replaces.
  private static let hyphens: [Unicode.Scalar: String] = [
    "\u{2010}": "-", "\u{2011}": "-", "\u{2012}": "-", "\u{2013}": "-", "\u{2014}": "--", "\u{2015}": "--",
    "\u{2212}": "-", "\u{FE63}": "-", "\u{FF0D}": "-",
  ]

  /// Returns the hint for a word that begins with such a dash, or `nil` for another word.
  package static func hint(_ word: String) -> LocalizedText? {
    guard let dash = word.unicodeScalars.first, let hyphens = hyphens[dash] else { return nil }
    let rest = String(word.unicodeScalars.dropFirst())
    // A single letter has one hyphen, whatever the dash is.
    let option = (rest.count == 1 ? "-" : hyphens) + rest
    return LocalizedText(
      "\(.foreign(String(dash))) is a typographic dash. Type hyphens: \(.command(option))",
      ko: "\(.foreign(String(dash)), .topic) 하이픈이 아닌 줄표입니다. 하이픈으로 쓰세요: \(.command(option))")
  }
}
