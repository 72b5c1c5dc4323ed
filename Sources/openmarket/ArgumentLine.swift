import CommandLanguage
import Commands

/// The line of the words after the options: `openmarket ls where stock=0`.
///
/// The system's shell removes quotes, so each word stays one word: `name='Ukulele, Sand'` compares with the complete
/// text. A word that is a valid condition is used as one (`'stock=0 and price>1'`, `'name~/a|b/'`), `'where stock=0'`
/// is a clause, and the words of `sql` are its query. A single word is a complete line, as after `-c`.
struct ArgumentLine {
  let text: String

  private static let conditionWords: Set = ["where", "until", "assert", "if"]

  /// Creates the line, or `nil` if there are no words.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    guard words.count > 1 else {
      text = first
      return
    }
    if first == "sql" {
      text = ArgumentLine.query(words)
      return
    }
    var result = [first]
    var isCondition = ArgumentLine.conditionWords.contains(first)
    for (before, word) in zip(words, words.dropFirst()) {
      result.append(
        isCondition
          ? ArgumentLine.condition(word, after: before, of: first) : ArgumentLine.quoted(word, after: before))
      if ArgumentLine.conditionWords.contains(word) { isCondition = true }
    }
    text = result.joined(separator: " ")
  }

  /// Returns the line of a query, whose words are joined unquoted and separated from the output clauses.
  private static func query(_ words: [String]) -> String {
    var end = words.count
    while end > 2 {
      if ["replace", "bom"].contains(words[end - 1]) {
        end -= 1
      } else if end > 3,
        words[end - 2] == "to" || (words[end - 2] == "as" && OutputFormat(rawValue: words[end - 1]) != nil)
      {
        end -= 2
      } else {
        break
      }
    }
    let query = words[1..<end].joined(separator: " ")
    let clauses = words[end...].map { Quoting.quote($0) }
    return ([words[0], Quoting.quote(query, always: true)] + clauses).joined(separator: " ")
  }

  /// Returns a word of a condition, quoted if necessary.
  private static func condition(_ word: String, after before: String, of command: String) -> String {
    let plain = Quoting.quote(word)
    if plain == word { return word }
    let names = AllCommands.grammar.declaration(named: command)?.names(.editionIndependent) ?? .editionIndependent
    func reads(_ text: String) -> Bool { (try? Condition.read(text, names: names)) != nil }
    if reads(word) { return word }
    if let match = word.wholeMatch(
      of: /([\p{L}_$@][\p{L}0-9_.\[\]-]*(?:<=|>=|!=|!~|==|=|<|>|~))(.*)/.dotMatchesNewlines()), !match.2.isEmpty
    {
      let quoted = String(match.1) + Quoting.quote(String(match.2), always: true)
      if reads(quoted) { return quoted }
    }
    // `'stock=0: show _'` after `if` is a condition with its command.
    if conditionWords.contains(before), word.contains(" ") { return word }
    return Self.quoted(word, after: before)
  }

  private static func quoted(_ word: String, after before: String) -> String {
    if word.hasPrefix("where "), !["search", "named", "note"].contains(before) { return word }
    if let match = word.wholeMatch(of: /([\p{L}_][\p{L}0-9_.\[\]-]*[-+*]?=|--[a-z-]+=)(.*)/.dotMatchesNewlines()) {
      let value = String(match.2)
      if value.isEmpty { return word }
      // The sign of a file isn't part of its name.
      let isFile = value.hasPrefix("@")
      return String(match.1) + (isFile ? "@" : "") + Quoting.quote(isFile ? String(value.dropFirst()) : value)
    }
    return Quoting.quote(word)
  }
}
