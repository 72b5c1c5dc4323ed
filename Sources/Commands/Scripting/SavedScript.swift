import Catalog
import Engine
import Language
import Platform

/// A session as a script of its own commands; with `expecting`, also of what was seen.
struct SavedScript {
  private let names: FieldNames
  private let expecting: Bool
  private let grammar: Grammar
  /// The variable that stands for a product that a command of the script makes.
  private var variables: [Product.ID: String] = [:]
  private var used: Set<String>
  private var lines: [String] = []
  private(set) var count = 0

  init(_ deeds: [Deed], names: FieldNames, taken: [String], expecting: Bool, grammar: Grammar) {
    self.names = names
    self.expecting = expecting
    self.grammar = grammar
    used = Set(taken)
    for deed in deeds where deed.code != .misread && !traits(of: deed).contains(.leftOutOfScripts) { add(deed) }
  }

  /// The script, each line ended.
  var text: String { lines.map { $0 + "\n" }.joined() }

  private mutating func add(_ deed: Deed) {
    guard let typed = deed.line else {
      lines.append("# A line that may hold a secret was left out.")
      return
    }
    let line = confirmed(SavedScript.plainDollars(typed), deed)
    guard deed.code == .success else { return addFailed(line, deed) }
    count += 1
    guard expecting else { return lines.append(line) }
    let replaced = grammar.replacing(variables, in: line, names: names)
    lines.append(captured(replaced, deed))
    lines += Expectations(deed.sight).lines
  }

  /// What failed would end a script: it stays as a remark, or becomes what the server is expected to answer.
  private mutating func addFailed(_ line: String, _ deed: Deed) {
    guard expecting, let status = deed.status, status >= 400, deed.code == .refused else {
      lines.append("# exit \(deed.code.rawValue): " + line.replacing("\n", with: "\n# "))
      return
    }
    count += 1
    lines.append("assert status \(status): " + grammar.replacing(variables, in: line, names: names))
  }

  /// Nobody is asked in a script: what was allowed at the prompt is allowed by its word.
  private func confirmed(_ line: String, _ deed: Deed) -> String {
    guard let (declaration, words) = grammar.innermost(line), declaration.writes else { return line }
    let allowing = ["yes"] + (deed.isExtreme ? ["outliers"] : [])
    return allowing.filter { !words.contains($0) }.reduce(line) { grammar.adding($1, to: $0) }
  }

  /// `let p1 = new …`: in another market the product will have another number.
  private mutating func captured(_ line: String, _ deed: Deed) -> String {
    guard deed.made.count == 1, let id = deed.made.first else { return line }
    if deed.command == Let.declaration.name {
      if let name = line.wholeMatch(of: /let\s+([\p{L}_][\p{L}_0-9]*)\s.*/.dotMatchesNewlines())?.1 {
        variables[id] = "$" + name
      }
      return line
    }
    guard traits(of: deed).contains(.capturesProduct) else { return line }
    let name = freshName()
    variables[id] = "$" + name
    return "let \(name) = \(line)"
  }

  private func traits(of deed: Deed) -> Declaration.Traits {
    grammar.declaration(named: deed.command)?.traits ?? []
  }

  private mutating func freshName() -> String {
    var number = 1
    while !used.insert("p\(number)").inserted { number += 1 }
    return "p\(number)"
  }

  /// `$5` was text at the prompt; in a script that is given arguments it would be one of them.
  private static func plainDollars(_ line: String) -> String {
    var scalars = Array(line.unicodeScalars)
    for place in Lexer(line).arguments.reversed() { scalars.insert("\\", at: place) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
