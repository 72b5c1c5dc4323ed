import Catalog
import Text

extension Word {
  /// The words of a command with the values of their variables, each staying inside its one word; one without a value
  /// makes its word unknown.
  ///
  /// A word that is nothing but `$@` becomes one word for each argument. Without `arguments` no script runs that could have
  /// any: `$5` and `$@` are text.
  ///
  /// - Throws: `Misread` where the values together are larger than ``mostExpanded``: doubling a variable again and again
  ///   must not fill the memory.
  static func expanded(
    _ words: [Word], by variables: (String) -> String?, arguments: [String]?
  ) throws(Misread) -> [Word] {
    var result: [Word] = []
    var bytes = 0
    func count(_ text: String?, _ range: Range<Int>) throws(Misread) {
      bytes += text?.utf8.count ?? 0
      guard bytes > mostExpanded else { return }
      throw Misread(
        Wording("With the values of its variables the line is larger than 4 MiB.", ko: "변수의 값을 넣으면 줄이 4 MiB보다 커집니다."),
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
    by variables: (String) -> String?, arguments: [String]?, _ count: (String?, Range<Int>) throws(Misread) -> Void
  ) throws(Misread) -> Word {
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
    guard let number = ValueReader.integer(name), arguments.indices.contains(number - 1) else { return nil }
    return arguments[number - 1]
  }

  private static func value(of name: String, _ variables: (String) -> String?) -> String? {
    if let value = variables(name) { return value }
    guard let dot = name.firstIndex(of: "."), !name.hasPrefix("_."), !name.hasPrefix("@"),
      FieldNames.everywhere.field(String(name[name.index(after: dot)...])) == nil,
      let value = variables(String(name[..<dot]))
    else { return nil }
    return value + name[dot...]
  }
}
