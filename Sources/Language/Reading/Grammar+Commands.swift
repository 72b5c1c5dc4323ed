import Catalog
import Text

extension Grammar {
  /// The command of that exact name or alias.
  package func declaration(named name: String) -> Declaration? {
    declarations.first { $0.name == name } ?? declarations.first { $0.aliases.contains(name) }
  }

  /// The command a word stands for: its name, an alias, or an unambiguous beginning of the name of one that only reads.
  package func command(_ word: String, at range: Range<Int>? = nil) throws(ParseError) -> Declaration {
    if let exact = declaration(named: word) { return exact }
    guard !word.isEmpty else { throw unknown(word, at: range) }
    let begun = declarations.filter { $0.name.hasPrefix(word) || $0.aliases.contains { $0.hasPrefix(word) } }
    let readers = begun.filter { !$0.writes }
    if readers.count == 1 { return readers[0] }
    if readers.isEmpty, let writer = begun.first {
      throw ParseError(
        Wording("There is no command \(.command(word)).", ko: "\(.command(word)) 명령은 없습니다."),
        next: Wording(
          "Did you mean \(.command(writer.name))? A command that writes is typed whole.",
          ko: "\(.command(writer.name), .object) 뜻하셨나요? 쓰는 명령은 이름을 끝까지 적습니다."),
        at: range)
    }
    if readers.count > 1 {
      let names = readers.map(\.name).joined(separator: ", ")
      throw ParseError(
        Wording("\(.command(word)) may be several commands.", ko: "\(.command(word))(으)로 시작하는 명령이 여럿입니다."),
        next: Wording("One of \(.command(names)).", ko: "\(.command(names)) 가운데 하나입니다."), at: range)
    }
    throw unknown(word, at: range)
  }

  private func unknown(_ word: String, at range: Range<Int>?) -> ParseError {
    if let arrow = word.firstIndex(of: ">"), declaration(named: String(word[..<arrow])) != nil {
      return Redirection.hint(String(word[arrow...].drop { $0 == ">" }), at: range)
    }
    let known = declarations.flatMap { [$0.name] + $0.aliases } + Prefix.words
    let next =
      Nearest.match(word, in: known).map { name in
        Wording("Did you mean \(.command(name))?", ko: "\(.command(name), .object) 뜻하셨나요?")
      } ?? Wording("\(.command("help")) lists the commands.", ko: "\(.command("help"), .subject) 명령을 보여 줍니다.")
    return ParseError(
      Wording("There is no command \(.command(word)).", ko: "\(.command(word)) 명령은 없습니다."), next: next, at: range)
  }
}

extension Grammar {
  /// The words of a text that is no command, with the values of their variables; throws when one has none, and for `|`.
  package func words(
    of text: String, arguments: [String]? = nil, variables: (String) -> String? = { _ in nil }
  ) throws(ParseError) -> [String] {
    var result: [String] = []
    for segment in try segments(of: text) {
      if let range = segment.pipeRange {
        throw ParseError(
          Wording("A value cannot be handed to a program.", ko: "값은 다른 프로그램에 넘길 수 없습니다."),
          next: Wording("As text it is quoted: \(.command("'|'"))", ko: "글이라면 따옴표로 묶습니다: \(.command("'|'"))"), at: range
        )
      }
      for word in try Word.expanded(segment.words, by: variables, arguments: arguments) {
        result.append(try word.known().text)
      }
    }
    return result
  }
}
