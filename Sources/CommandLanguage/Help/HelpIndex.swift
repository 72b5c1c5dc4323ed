import Text

/// A search over all texts of help: `help price` finds the commands, topics and settings that mention a price.
package struct HelpIndex: Sendable {
  /// One page or setting that a search can find.
  package struct Entry: Sendable {
    /// The line to type for the full text: `help patch`, `set confirm`.
    fileprivate let line: String
    /// The names of the entry.
    ///
    /// A match here ranks highest.
    fileprivate let names: [String]
    fileprivate let summary: LocalizedText
    fileprivate let rows: [HelpPage.Row]
    /// The examples.
    ///
    /// A match only here ranks lowest.
    fileprivate let examples: [HelpPage.Row]

    package init(
      _ line: String, names: [String], summary: LocalizedText, rows: [HelpPage.Row] = [], examples: [HelpPage.Row] = []
    ) {
      self.line = line
      self.names = names
      self.summary = summary
      self.rows = rows
      self.examples = examples
    }
  }

  /// As many results as fit a screen of 24 rows.
  private static let maximumResults = 14

  /// Words of other programs, with the words that help uses instead.
  private static let synonyms = [
    "excel": ["csv", "spreadsheets"], "엑셀": ["csv", "스프레드시트"], "spreadsheet": ["csv", "spreadsheets"],
    "photo": ["picture"], "photos": ["picture"], "ci": ["tap", "junit"], "token": ["secret"], "password": ["secret"],
    "비밀번호": ["시크릿"], "cost": ["price"], "가격": ["price"], "csv": ["spreadsheets"],
  ]
  private static let fillers: Set = ["a", "an", "the", "how", "to", "do", "i", "of", "my", "in", "for", "with"]

  private let entries: [Entry]

  /// Creates an index of the commands, the topics and `settings`, which are listed after the pages.
  package init(_ declarations: [CommandDeclaration], settings: [Entry] = []) {
    let commands = declarations.map { declaration in
      Entry(
        "help " + declaration.name, names: [declaration.name] + declaration.aliases, summary: declaration.summary,
        rows: Help.ownRows(declaration), examples: declaration.examples.map { .init($0) })
    }
    let topics = HelpTopic.allCases.map { topic in
      let page = topic.page
      return Entry(
        "help " + topic.rawValue, names: [topic.rawValue], summary: page.title,
        rows: page.sections.filter { !$0.isOfExamples }.flatMap(\.rows),
        examples: page.sections.filter(\.isOfExamples).flatMap(\.rows))
    }
    entries = commands + topics + settings
  }

  /// Returns the page of results for the words, or `nil` if no text mentions one of them.
  package func page(for words: [String]) -> HelpPage? {
    let wanted = words.map { $0.lowercased() }
    let sought = wanted.filter { !HelpIndex.fillers.contains($0) }
    let found = entries.indices.compactMap { index -> (index: Int, hit: Hit)? in
      Hit(entries[index], of: sought.isEmpty ? wanted : sought).map { (index, $0) }
    }
    let most = found.map(\.hit.words).max()
    let best = found.filter { $0.hit.words == most }.sorted {
      $0.hit.score == $1.hit.score ? $0.index < $1.index : $0.hit.score > $1.hit.score
    }
    guard !best.isEmpty else { return nil }
    let rows = best.prefix(HelpIndex.maximumResults).map { HelpPage.Row(entries[$0.index].line, $0.hit.meaning) }
    let text = words.joined(separator: " ")
    return HelpPage(
      title: LocalizedText(
        "Unknown command or topic: \(.value(text)). It is mentioned in these pages:",
        ko: "알 수 없는 명령이나 주제: \(.value(text)). 이 말이 나오는 도움말:"),
      sections: [HelpPage.Section(LocalizedText("Pages", ko: "도움말"), rows)],
      closing: best.count > rows.count
        ? LocalizedText(
          "\(String(best.count - rows.count)) more. Add a word to narrow the search.",
          ko: "\(String(best.count - rows.count))개가 더 있습니다. 단어를 더하면 줄어듭니다.") : nil)
  }

  /// The score of an entry for the searched words.
  private struct Hit {
    /// The number of searched words that the entry contains.
    let words: Int
    let score: Int
    /// The text shown for the entry: the row that contains a word, or the summary if that or an example does.
    let meaning: LocalizedText

    init?(_ entry: Entry, of sought: [String]) {
      var words = 0
      var score = 0
      var row: HelpPage.Row?
      var isInSummary = false
      for word in sought {
        let spellings = [word] + (HelpIndex.synonyms[word] ?? [])
        func mentions(_ text: LocalizedText) -> Bool { spellings.contains { HelpIndex.mentions($0, text) } }
        let isInNames = entry.names.contains { name in spellings.contains { HelpIndex.mentions($0, in: name) } }
        let inSummary = mentions(entry.summary)
        let definition = entry.rows.first { row in spellings.contains(row.term) }
        let named = entry.rows.first { row in spellings.contains { HelpIndex.mentions($0, in: row.term) } }
        let explained = entry.rows.first { mentions($0.meaning) }
        let example = entry.examples.first { example in
          mentions(example.meaning)
            || example.terms.contains { term in spellings.contains { HelpIndex.mentions($0, in: term) } }
        }
        let found = definition ?? named ?? explained
        guard found != nil || example != nil || isInNames || inSummary else { continue }
        words += 1
        isInSummary = isInSummary || isInNames || inSummary
        score +=
          isInNames ? 100 : definition != nil ? 60 : inSummary ? 50 : named != nil ? 10 : explained != nil ? 8 : 2
        if row == nil { row = found }
      }
      guard words > 0 else { return nil }
      self.words = words
      self.score = score
      guard !isInSummary, let row else {
        meaning = entry.summary
        return
      }
      meaning = LocalizedText(
        "\(.command(row.term))  " + row.meaning.english, ko: "\(.command(row.term))  " + row.meaning.korean)
    }
  }

  private static func mentions(_ word: String, _ text: LocalizedText) -> Bool {
    mentions(word, in: text.english.plain) || mentions(word, in: text.korean.plain)
  }

  /// Returns whether a word of the text begins with `word`.
  ///
  /// Korean words, which take particles, are found anywhere.
  private static func mentions(_ word: String, in text: String) -> Bool {
    let text = text.lowercased()
    guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return text.nfcNormalized.contains(word.nfcNormalized) }
    let singular = word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word
    return text.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(singular) }
      || text.split(separator: " ").contains { $0.hasPrefix(word) }
  }
}
