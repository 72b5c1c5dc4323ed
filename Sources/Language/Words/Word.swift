import Catalog

/// One word of a line, with what it was made of: only text that was typed bare can be an option word or an operator.
package struct Word: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case bare
    /// Within quotes, or after a backslash.
    case quoted
    /// Out of a variable; before expansion `text` is the name, without the dollar sign.
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

  /// The word with its variables' values, each staying inside this one word; one without a value makes it unknown.
  ///
  /// `$name.field` asks for `name.field` first and then for `name` with `.field` as text after it.
  package func expanded(by variables: (String) -> String?) -> Word {
    guard parts.contains(where: { $0.kind == .variable }) else { return self }
    var copy = self
    for (index, part) in parts.enumerated() where part.kind == .variable {
      let value = Word.value(of: part.text, variables)
      copy.parts[index].text = value ?? ""
      if value == nil { copy.unknown = copy.unknown ?? part.text }
    }
    return copy
  }

  /// The word itself, when every variable in it had a value.
  package func known() throws(Misread) -> Word {
    guard let unknown else { return self }
    throw Misread(
      Wording("There is no variable \(.field("$" + unknown)).", ko: "\(.field("$" + unknown)) 변수가 없습니다."),
      next: Wording("\(.command("let NAME = VALUE")) makes one.", ko: "\(.command("let NAME = VALUE"))로 만듭니다."),
      at: range)
  }

  private static func value(of name: String, _ variables: (String) -> String?) -> String? {
    if let value = variables(name) { return value }
    guard let dot = name.firstIndex(of: "."), let value = variables(String(name[..<dot])) else { return nil }
    return value + name[dot...]
  }
}
