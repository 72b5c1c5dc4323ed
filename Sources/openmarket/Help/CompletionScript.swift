import ArgumentParser
import Catalog
import Text

/// The completion script of a shell, with descriptions in the reader's language.
enum CompletionScript {
  static func text(for shell: CompletionShell, _ tongue: Tongue) -> String {
    let script = OpenMarket.completionScript(for: shell) + "\n"
    guard tongue == .korean else { return script }
    var summaries: [String: String] = [:]
    for row in OptionRow.program + OptionRow.serve {
      for name in row.names { summaries[name.name] = row.summary[tongue].plain }
    }
    return ParserFacts.words.sorted { $0.text.count > $1.text.count }.reduce(script) { text, word in
      // An apostrophe would end the quotes that the script has around the words.
      guard let summary = summaries[word.name], !summary.contains("'") else { return text }
      return text.replacing(word.text, with: summary)
    }
  }
}
