import Catalog

extension Word {
  /// The words of a command with the values of their variables, each staying inside its one word; one without a value
  /// makes its word unknown.
  ///
  /// A word that is nothing but `$@` becomes one word for each argument. Without `arguments` no script runs that could have
  /// any: `$5` and `$@` are text.
  static func expanded(
    _ words: [Word], by variables: (String) -> String?, arguments: [String]?
  ) -> [Word] {
    words.flatMap { word -> [Word] in
      guard let arguments, word.isAllArguments else { return [word.expanded(by: variables, arguments: arguments)] }
      return arguments.map { Word(parts: [Part(kind: .variable, text: $0, range: word.range)], range: word.range) }
    }
  }

  private var isAllArguments: Bool {
    let said = parts.filter { $0.kind == .variable || !$0.text.isEmpty }
    return said.count == 1 && said[0].kind == .variable && said[0].text == "@"
  }

  /// `$name.field` asks for `name.field` first and then for `name` with `.field` as text after it: `$file.csv`.
  private func expanded(by variables: (String) -> String?, arguments: [String]?) -> Word {
    guard parts.contains(where: { $0.kind == .variable }) else { return self }
    var copy = self
    for (index, part) in parts.enumerated() where part.kind == .variable {
      let value =
        Word.isArgument(part.text)
        ? Word.argument(part.text, arguments) : Word.value(of: part.text, variables)
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
