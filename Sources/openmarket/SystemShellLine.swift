import Language

/// `openmarket ls where stock=0`: the words behind the options as a line, each as the system's shell handed it over.
///
/// A word stays one word whatever stands in it; a single word is a whole line, as behind `-c`.
struct SystemShellLine {
  let text: String

  /// Nil where the first word is an option or another program of ours: `serve`.
  init?(_ words: [String]) {
    guard let first = words.first, !first.isEmpty, !first.hasPrefix("-"), first != "serve",
      first != "help" || (words.count > 1 && words[1] != "serve" && !words[1].hasPrefix("-"))
    else { return nil }
    guard words.count > 1 else {
      text = first
      return
    }
    var result = [first]
    for (before, word) in zip(words, words.dropFirst()) { result.append(SystemShellLine.spelled(word, behind: before)) }
    text = result.joined(separator: " ")
  }

  private static func spelled(_ word: String, behind before: String) -> String {
    // `where 'stock=0 and price>1'`: a condition in one piece.
    if ["where", "until", "assert", "if"].contains(before), word.contains(" ") { return word }
    if let match = word.wholeMatch(of: /([\p{L}_][\p{L}0-9_.\[\]-]*[-+*]?=|--[a-z-]+=)(.*)/.dotMatchesNewlines()) {
      let value = String(match.2)
      if value.isEmpty { return word }
      // The sign of a file is no part of its name.
      let isFile = value.hasPrefix("@")
      return String(match.1) + (isFile ? "@" : "") + Quoting.quote(isFile ? String(value.dropFirst()) : value)
    }
    return Quoting.quote(word)
  }
}
