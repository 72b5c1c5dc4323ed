import Catalog
import Text

/// One word of a line, with what it was made of: only text that was typed bare can be an option word or an operator.
package struct Word: Hashable, Sendable {
  /// How a stretch of a word was written.
  package enum Kind: Hashable, Sendable {
    case bare
    /// Within quotes, or after a backslash.
    case quoted
    /// Out of a variable; before expansion `text` is the name, without the dollar sign: `name`, `name.field`, `1`, `@`,
    /// or a reference such as `_.price` and `@3.name`.
    case variable
  }

  /// A stretch of one kind.
  package struct Part: Hashable, Sendable {
    package var kind: Kind
    package var text: String
    package var range: Range<Int>
  }

  package var parts: [Part]
  /// In Unicode scalars of the line.
  package var range: Range<Int>
  /// The variable in it that has no value; what such a word says cannot be checked.
  package var unknown: String?

  package init(parts: [Part], range: Range<Int>) {
    self.parts = parts
    self.range = range
  }

  /// What the word says.
  package var text: String { parts.map(\.text).joined() }

  /// What the word says when all of it was typed bare: the only words that can be options, clauses or operators.
  package var bare: String? {
    guard parts.allSatisfy({ $0.kind == .bare }) else { return nil }
    return text
  }

  /// The bare text it begins with; empty when it begins with a quote or a variable.
  package var bareBeginning: String {
    guard let first = parts.first, first.kind == .bare else { return "" }
    return first.text
  }

  package var isUnknown: Bool { unknown != nil }
}

extension Word {
  /// The words of a command with the values of their variables, each staying inside its one word; one without a value
  /// makes its word unknown.
  ///
  /// A word that is nothing but `$@` becomes one word for each argument. Without `arguments` no script runs that could have
  /// any: `$5` and `$@` are text.
  ///
  /// - Throws: `ParseError` where the values together are larger than ``mostExpanded``: doubling a variable again and again
  ///   must not fill the memory.
  static func expanded(
    _ words: [Word], by variables: (String) -> String?, arguments: [String]?
  ) throws(ParseError) -> [Word] {
    var result: [Word] = []
    var bytes = 0
    func count(_ text: String?, _ range: Range<Int>) throws(ParseError) {
      bytes += text?.utf8.count ?? 0
      guard bytes > mostExpanded else { return }
      throw ParseError(
        LocalizedText(
          "With the values of its variables the line is larger than 4 MiB.", ko: "변수의 값을 넣으면 줄이 4 MiB보다 커집니다."),
        at: range)
    }
    for word in words {
      guard let arguments, word.isAllArguments else {
        result.append(try word.expanded(by: variables, arguments: arguments, count))
        continue
      }
      for text in arguments {
        try count(text, word.range)
        result.append(Word(parts: [Part(kind: .variable, text: text, range: word.range)], range: word.range))
      }
    }
    return result
  }

  /// Bytes that the values of all variables of a command may have together.
  static let mostExpanded = 4 << 20

  private var isAllArguments: Bool {
    let said = parts.filter { $0.kind == .variable || !$0.text.isEmpty }
    return said.count == 1 && said[0].kind == .variable && said[0].text == "@"
  }

  /// `$name.field` asks for `name.field` first and then for `name` with `.field` as text after it: `$file.csv`.
  private func expanded(
    by variables: (String) -> String?, arguments: [String]?, _ count: (String?, Range<Int>) throws(ParseError) -> Void
  ) throws(ParseError) -> Word {
    guard parts.contains(where: { $0.kind == .variable }) else { return self }
    var copy = self
    for (index, part) in parts.enumerated() where part.kind == .variable {
      let value =
        Word.isArgument(part.text)
        ? Word.argument(part.text, arguments) : Word.value(of: part.text, variables)
      try count(value, part.range)
      copy.parts[index].text = value ?? ""
      if value == nil { copy.unknown = copy.unknown ?? part.text }
    }
    return copy
  }

  static func isArgument(_ name: String) -> Bool { name == "@" || name.utf8.allSatisfy { (48...57).contains($0) } }

  private static func argument(_ name: String, _ arguments: [String]?) -> String? {
    guard let arguments else { return "$" + name }
    if name == "@" { return arguments.joined(separator: " ") }
    guard let number = PlainNumber.integer(name), arguments.indices.contains(number - 1) else { return nil }
    return arguments[number - 1]
  }

  private static func value(of name: String, _ variables: (String) -> String?) -> String? {
    if let value = variables(name) { return value }
    let (root, rest) = AnswerPath.split(name)
    // Of an answer, what is not in it has no value.
    guard !rest.isEmpty, !name.hasPrefix("@"), variables(root + ".status") == nil else { return nil }
    let steps = AnswerPath(rest)?.steps ?? []
    guard case .key(let first)? = steps.first else { return variables(root).map { $0 + rest } }
    guard FieldNames.everywhere.field(first) != nil else {
      // `_.csv` is the name of a file.
      return root == "_" ? name : variables(root).map { $0 + rest }
    }
    // `$p.name.txt`: the name of a product, and text behind it.
    return steps.count < 2 ? nil : variables(root + "." + first).map { $0 + rest.dropFirst(first.count + 1) }
  }
}

extension Word {
  /// The word itself, when every variable in it had a value.
  func known() throws(ParseError) -> Word {
    guard let unknown else { return self }
    throw Word.withoutValue(unknown, at: range)
  }

  /// Why a name has no value, and what would give it one.
  package static func withoutValue(_ name: String, at range: Range<Int>? = nil) -> ParseError {
    if isArgument(name) {
      return ParseError(
        LocalizedText("The script was given no argument \(name).", ko: "스크립트에 \(name)번째 인자가 없습니다."),
        next: LocalizedText(
          "Arguments stand after the file: \(.command("source FILE ARGS")). As text it is written \(.command("\\$" + name)).",
          ko: "인자는 파일 뒤에 적습니다: \(.command("source FILE ARGS")). 문자열이라면 이렇게 적습니다: \(.command("\\$" + name))"),
        at: range)
    }
    if name.hasPrefix("@") { return ofRow(name, at: range) }
    if name == "_" || name.hasPrefix("_.") {
      return ParseError(
        LocalizedText("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
        next: LocalizedText(
          "It is of the last product shown: \(.command("show 42")).", ko: "마지막으로 본 상품의 값입니다: \(.command("show 42"))"),
        at: range)
    }
    if let dot = name.firstIndex(where: { $0 == "." || $0 == "[" }) {
      let variable = String(name[..<dot])
      return ParseError(
        LocalizedText("\(.field("$" + name)) has no value.", ko: "\(.field("$" + name)) 값이 없습니다."),
        next: LocalizedText(
          "Fields are those of a product, \(.command("let \(variable) = show 42")), or of an answer: \(.command("let \(variable) = get /path")).",
          ko:
            "필드는 상품(\(.command("let \(variable) = show 42")))이나 응답(\(.command("let \(variable) = get /path")))을 담은 변수에 있습니다."
        ),
        at: range)
    }
    return ParseError(
      LocalizedText("There is no variable \(.field("$" + name)).", ko: "\(.field("$" + name)) 변수가 없습니다."),
      next: LocalizedText("\(.command("let NAME = VALUE")) makes one.", ko: "\(.command("let NAME = VALUE"))로 만듭니다."),
      at: range)
  }

  private static func ofRow(_ name: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
      next: LocalizedText(
        "It is of a row of the last listing: \(.command("ls")). A file of that name is written \(.command("@./" + name.dropFirst())).",
        ko: "마지막 목록에 있는 행의 값입니다: \(.command("ls")). 그런 이름의 파일이라면 이렇게 적습니다: \(.command("@./" + name.dropFirst()))"),
      at: range)
  }
}
