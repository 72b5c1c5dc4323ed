import Catalog
import Text

/// The translation of other programs' commands at the beginning of a line: `\q`, `:q`, `GET /path`, `find`, `update`.
///
/// A verb that only reads is replaced. For a verb that writes, an error suggests the right line and nothing is done, so
/// that there is only one way to write.
struct CompatibilityCommands {
  private let grammar: CommandParser

  init(_ grammar: CommandParser) { self.grammar = grammar }

  /// Returns the words with the foreign verb replaced, or `nil` if there is none.
  ///
  /// - Throws: `ParseError` with the line to type instead.
  func translated(_ words: [Word]) throws(ParseError) -> [Word]? {
    var verbIndex = 0
    while verbIndex < words.count, let word = words[verbIndex].bare, CommandPrefix.words.contains(word) {
      verbIndex += word == "watch" ? 2 : 1
    }
    guard verbIndex < words.count, let verb = words[verbIndex].bare else { return nil }
    let rest = Array(words[(verbIndex + 1)...])
    if let line = CompatibilityCommands.line(for: verb.lowercased(), rest) {
      let range = words[verbIndex].range
      guard grammar.declaration(named: verb) != nil else {
        throw CompatibilityCommands.refusal(verb, line, at: range)
      }
      throw ParseError(
        LocalizedText("\(.command(verb)) cannot be used like this.", ko: "\(.command(verb), .topic) 이렇게 쓸 수 없습니다."),
        suggestion: LocalizedText("Use \(.command(line)) instead.", ko: "대신 \(.command(line), .object) 쓰세요."), at: range
      )
    }
    guard !isNative(verb, before: rest.first) else { return nil }
    if let line = CompatibilityCommands.patch(of: verb, rest) {
      throw CompatibilityCommands.refusal(verb, line, at: words[verbIndex].range)
    }
    func command(_ text: String, _ rest: [Word]) -> [Word] {
      Array(words[..<verbIndex])
        + text.split(separator: " ").map { Word(habit: String($0), range: words[verbIndex].range) }
        + rest
    }
    if CompatibilityCommands.methods.contains(verb), let path = rest.first?.bareBeginning,
      CompatibilityCommands.isAddress(path)
    {
      return command("raw " + verb.uppercased(), rest)
    }
    if CompatibilityCommands.isAddress(verb), verb.contains("://") {
      return command("raw GET", [words[verbIndex]] + rest)
    }
    if let text = CompatibilityCommands.exactAliases[verb], rest.isEmpty { return command(text, []) }
    if verb == "\\d", rest.count == 1, let name = rest[0].bare, CompatibilityCommands.mayBeTable(name) {
      return command("sql describe", rest)
    }
    if OutputFormat(rawValue: verb) != nil, let first = rest.first?.text {
      let format = ["as", verb].map { Word(habit: $0, range: words[verbIndex].range) }
      if (try? ProductSelector.read(first)) != nil { return command("show", rest + format) }
      if let reader = grammar.resolve(first), reader.producesData, !reader.writesToMarket {
        return Array(words[..<verbIndex]) + rest + format
      }
    }
    // A line of the system's shell, typed where the program is already.
    if verb == "openmarket", !rest.isEmpty { return Array(words[..<verbIndex]) + rest }
    if let text = CompatibilityCommands.readOnlyAliases[verb] { return command(text, rest) }
    if let advice = CompatibilityCommands.advice(on: verb.lowercased()) {
      throw ParseError.unknownCommand(verb, suggestion: advice, at: words[verbIndex].range)
    }
    guard let suggestion = CompatibilityCommands.suggestions[verb.lowercased()] else { return nil }
    throw refusal(verb, suggestion: suggestion, rest: rest, at: words[verbIndex].range)
  }

  /// Returns whether the verb is a command or its beginning, and not a complete verb of another program: `change 42
  /// stock=0` isn't `changes`.
  private func isNative(_ verb: String, before next: Word?) -> Bool {
    guard let command = grammar.resolve(verb) else { return false }
    guard grammar.declaration(named: verb) == nil, CompatibilityCommands.suggestions[verb] != nil, let next else {
      return true
    }
    return command.parameters.contains { $0.name == next.bare }
  }

  private func refusal(_ verb: String, suggestion: String, rest: [Word], at range: Range<Int>) -> ParseError {
    let tail = suggestion.hasSuffix("…") ? CompatibilitySyntax.text(rest) : ""
    var base = suggestion.hasSuffix("…") ? String(suggestion.dropLast()).trimmed : suggestion
    // An address isn't the name of a profile.
    if base == "profile", rest.first?.text.contains("://") == true { base += " add NAME" }
    // Profiles have no order: `cd ..` lists them.
    if base == "profile", rest.count == 1, rest[0].text.allSatisfy({ "./~-".contains($0) }) {
      return CompatibilityCommands.refusal(verb, base, at: range)
    }
    return CompatibilityCommands.refusal(verb, tail.isEmpty ? base : base + " " + tail, at: range)
  }

  private static func refusal(_ verb: String, _ line: String, at range: Range<Int>) -> ParseError {
    let use = LocalizedText("Use \(.command(line)) instead.", ko: "대신 \(.command(line), .object) 쓰세요.")
    guard line.hasPrefix("sql ") else { return .unknownCommand(verb, suggestion: use, at: range) }
    // Without a saved version the line fails, and whether there is one isn't known here.
    return .unknownCommand(
      verb,
      suggestion: LocalizedText(
        "\(use.english) It reads the products that \(.command("snapshot")) saved.",
        ko: "\(use.korean) \(.command("snapshot"), .toward) 저장한 상품을 읽습니다."),
      at: range)
  }

  /// Returns the line for a statement of SQL, and for `set 65 price 20000`; `nil` for other lines.
  private static func line(for verb: String, _ rest: [Word]) -> String? {
    func index(of keyword: String) -> Int? { rest.firstIndex { $0.bare?.lowercased() == keyword } }
    func text(_ words: some Sequence<Word>) -> String { CompatibilitySyntax.text(Array(words)) }
    switch verb {
    case "set":
      guard rest.count > 1, let number = rest[0].bare, NumberLiteral.integer(number) != nil else { return nil }
      return "patch " + (rest.count == 3 ? "\(number) \(rest[1].text)=\(text(rest[2...]))" : text(rest))
    case "select": return rest.isEmpty ? nil : "sql select " + text(rest)
    case "update":
      guard let set = index(of: "set"), set + 1 < rest.count else { return nil }
      let end = index(of: "where") ?? rest.endIndex
      guard set < end else { return nil }
      let changes = assignments(rest[(set + 1)..<end])
      return "patch " + targets(rest[end...].dropFirst()) + " " + changes
    case "delete":
      guard rest.first?.bare?.lowercased() == "from" else { return nil }
      let end = index(of: "where") ?? rest.endIndex
      return "rm " + targets(rest[end...].dropFirst())
    default: return nil
    }
  }

  /// Returns the line for `price 142 1` and `stock 142 +3`, whose first word is a field; `nil` for other lines.
  private static func patch(of verb: String, _ rest: [Word]) -> String? {
    guard let field = FieldNameTable.editionIndependent.field(verb), ProductField.writable.contains(field),
      let target = rest.first?.bare, (try? ProductSelector.read(target)) != nil
    else { return nil }
    let value = rest.dropFirst().drop { $0.bare == "=" }
    guard !value.isEmpty else { return "show \(target) \(field.rawValue)" }
    let text = CompatibilitySyntax.text(Array(value))
    guard value.count == 1, let sign = text.first, field.isNumber, sign == "+" || sign == "-" else {
      let isText = field == .name || field == .description
      let quoted = isText ? Quoting.quote(CurlyQuotes.unquoted(value.map(\.text).joined(separator: " "))) : text
      return "patch \(target) \(field.rawValue)=\(quoted)"
    }
    return "patch \(target) \(field.rawValue)\(sign)=\(text.dropFirst())"
  }

  /// Returns the advice for words by which users look for a description of the API, for an introduction, for the server
  /// or for the first state of the built-in market.
  private static func advice(on verb: String) -> LocalizedText? {
    if documentation.contains(verb) {
      return LocalizedText(
        "\(.command("api")) lists the requests of the market, \(.command("curl ls")) prints those of a command, \(.command("help fields")) the names of fields.",
        ko:
          "마켓의 요청은 \(.command("api")), 명령의 요청은 \(.command("curl ls")), 필드의 이름은 \(.command("help fields"), .toward) 볼 수 있습니다."
      )
    }
    if introduction.contains(verb.nfcNormalized) {
      return LocalizedText(
        "\(.command("learn")) goes through the shell in ten steps. \(.command("help")) lists the commands of a day.",
        ko: "\(.command("learn"), .toward) 열 단계로 배울 수 있습니다. 매일 쓰는 명령은 \(.command("help"), .toward) 볼 수 있습니다.")
    }
    if verb == "serve" {
      return LocalizedText(
        "Run \(.command("openmarket serve")) in the system's shell. See \(.command("help serve")).",
        ko: "시스템의 셸에서 \(.command("openmarket serve"), .object) 실행하세요. \(.command("help serve"))를 참고하세요.")
    }
    if ["reset", "초기화"].contains(verb.nfcNormalized) {
      return LocalizedText(
        "See \(.command("help demo")) for how the built-in market begins again.",
        ko: "내장 마켓을 처음 상태로 되돌리는 방법은 \(.command("help demo"))에 있습니다.")
    }
    return nil
  }

  private static let documentation: Set = [
    "apis", "doc", "docs", "documentation", "endpoint", "endpoints", "swagger", "openapi", "reference", "문서",
  ]
  private static let introduction: Set = ["tutorial", "tour", "lesson", "intro", "튜토리얼", "배우기", "시작"]

  /// Returns the targets of a condition of SQL: the ID if that is all, and the vendor's products without a condition.
  private static func targets(_ condition: some Collection<Word>) -> String {
    let text = joined(condition)
    if text.isEmpty { return "mine" }
    return text.wholeMatch(of: /id=([0-9]+)/).map { String($0.1) } ?? "where " + text
  }

  /// Returns assignments of SQL, `price = 1, stock = 2`, as `price=1 stock=2`.
  private static func assignments(_ words: some Collection<Word>) -> String {
    joined(words).split(separator: " ").map { $0.hasSuffix(",") ? $0.dropLast() : $0 }.joined(separator: " ")
  }

  /// Returns the words as typed, without spaces around operators.
  private static func joined(_ words: some Collection<Word>) -> String {
    let signs: Set = ["=", "+", "-", "*", "/"]
    var text = ""
    var isGlued = true
    for word in words {
      let isSign = word.bare.map(signs.contains) ?? false
      text += (isGlued || isSign ? "" : " ") + CompatibilitySyntax.text([word])
      isGlued = isSign
    }
    return text.hasSuffix(";") ? String(text.dropLast()) : text
  }

  /// Returns whether a word can't be a product and so may be a table: `\d calls`.
  private static func mayBeTable(_ name: String) -> Bool {
    name != "mine" && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  private static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  private static let methods: Set = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "put", "head", "options",
  ]

  /// Replacements that apply only if nothing follows.
  private static let exactAliases = [
    "\\d": "help fields", "\\dt": "ls", "\\e": "edit _", "\\x": "show", "\\watch": "watch 2",
    "fields": "help fields", "columns": "help fields", "schema": "help fields",
  ]

  /// The names of reading commands in other programs, with the names here.
  ///
  /// The rest of the line stays the same.
  static let readOnlyAliases = [
    "\\q": "quit", ":q": "quit", ":q!": "quit", ":wq": "quit", ":x": "quit", ":qa": "quit", "logoff": "quit",
    "\\?": "help", "\\h": "help", ":h": "help", ":help": "help", "man": "help", "info": "help", "usage": "help",
    "\\d": "show", "\\x": "show", "\\e": "edit", "\\timing": "time", "\\watch": "watch", "\\l": "profile",
    "\\c": "profile", "\\connect": "profile", "\\i": "source", "\\s": "history", "\\conninfo": "session",
    "\\dt": "ls", "\\echo": "echo", "\\set": "let",
    "view": "show", "describe": "show", "inspect": "show", "print": "show", "open": "show",
    "find": "search", "grep": "search", "ll": "ls", "page": "ls page", "sort": "ls sort", "order": "ls order",
    "cls": "clear", "도움말": "help", "도움": "help", "사용법": "help",
  ]

  /// Suggestions for verbs that write, and for words that an earlier version had.
  ///
  /// `…` is replaced by the rest of the line.
  static let suggestions = [
    "update": "patch …", "modify": "patch …", "change": "patch …", "alter": "patch …", "remove": "rm …", "del": "rm …",
    "destroy": "rm …", "drop": "rm …", "erase": "rm …", "add": "new …", "insert": "new …", "make": "new …",
    "touch": "new …",
    "rename": "patch 42 name='…'", "mv": "patch 42 name='…'", "cp": "new from 42 name='…'",
    "clone": "new from 42 name='…'", "vi": "edit …", "vim": "edit …", "nano": "edit …",
    "select": "sql select …", "count": "ls …", "wc": "ls …", "less": "ls | less",
    "head": "ls size 5", "rollback": "undo …", "revert": "undo …", "commit": "apply FILE", "push": "apply FILE",
    "fetch": "get …", "use": "profile …", "cd": "profile …", "connect": "profile …",
    "begin": "plan patch mine stock=0 to plan.json", "download": "export market.csv", "upload": "import market.csv",
    "run": "source …", "exec": "source …", "unalias": "alias rm …",
    "top": "ls", "tail": "ls sort id", "cat": "show …", "dir": "ls …", "env": "set", "pwd": "session", "ping": "health",
    "reload": "refresh", "jobs": "status", "bye": "quit", "more": "next", "mirror": "snapshot", "record": "calls",
  ]
}

extension CommandParser {
  /// Returns the name of the command that replaces a command of another program, such as `raw` for `GET /path`, or
  /// `nil`.
  package func habit(of segment: CommandSource) -> String? {
    guard let words = (try? CompatibilityCommands(self).translated(segment.words)) ?? nil else { return nil }
    return words.lazy.compactMap(\.bare).first { !CommandPrefix.words.contains($0) }
  }
}

/// The translation of notations that users know from psql, SQL, git and vim: `sort -price`, `&&`, `price 18500`, `138
/// 132`.
///
/// It is applied only to words that can't be parsed otherwise: a valid line means what it says. The result is a command
/// like any other, with the same checks.
struct CompatibilitySyntax {
  let grammar: CommandParser
  let names: FieldNameTable

  /// Returns the words in the notation of this language, or `nil` if there is nothing to translate.
  ///
  /// - Throws: `ParseError` with the line to type instead, for a verb of another program that has no direct
  ///   counterpart.
  func translate(_ words: [Word]) throws(ParseError) -> [Word]? {
    let spelled = try CompatibilityCommands(grammar).translated(words) ?? words
    var verbIndex = 0
    while verbIndex < spelled.count, let word = spelled[verbIndex].bare, CommandPrefix.words.contains(word),
      grammar.declaration(named: word) == nil
    {
      verbIndex += word == "watch" ? 2 : 1
    }
    guard verbIndex < spelled.count, let declaration = grammar.resolve(spelled[verbIndex].text) else {
      return spelled == words ? nil : spelled
    }
    let rest = CompatibilityArguments(declaration, names: declaration.names(names)).spelled(
      Array(spelled[(verbIndex + 1)...]))
    let all = Array(spelled[...verbIndex]) + rest
    return all == words ? nil : all
  }

  /// Returns the words as they would be typed.
  static func text(_ words: [Word]) -> String {
    words.map { word in
      word.parts.map { part in
        switch part.kind {
        case .bare, .pattern: part.text
        case .quoted, .variable: Quoting.quote(part.text, always: part.kind == .quoted)
        }
      }.joined()
    }.joined(separator: " ")
  }
}

extension Word {
  /// Creates a bare word that replaces text typed at `range`.
  init(habit text: String, range: Range<Int>) {
    self.init(parts: [Part(kind: .bare, text: text, range: range)], range: range)
  }

  /// Creates one word from several, with bare text between them.
  init(joining pieces: [Word], with separator: String = "") {
    var parts: [Part] = []
    for (number, piece) in pieces.enumerated() {
      if number > 0, !separator.isEmpty { parts.append(Part(kind: .bare, text: separator, range: piece.range)) }
      parts += piece.parts
    }
    var joined: [Part] = []
    for part in parts {
      if part.kind == .bare, let last = joined.indices.last, joined[last].kind == .bare {
        joined[last].text += part.text
        joined[last].range = joined[last].range.lowerBound..<part.range.upperBound
      } else {
        joined.append(part)
      }
    }
    self.init(
      parts: joined, range: (pieces.first?.range.lowerBound ?? 0)..<(pieces.last?.range.upperBound ?? 0))
    unknown = pieces.lazy.compactMap(\.unknown).first
    missing = pieces.lazy.compactMap(\.missing).first
  }
}
