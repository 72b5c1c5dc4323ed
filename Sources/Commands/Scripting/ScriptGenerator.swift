import Catalog
import CommandLanguage
import Foundation
import Platform
import ShellRuntime

/// A session as a script of its commands, with `expecting` also of its output.
struct ScriptGenerator {
  private let names: FieldNameTable
  private let expecting: Bool
  private let grammar: CommandParser
  /// The variables for products that commands of the script create.
  private var variables: [Product.ID: String] = [:]
  private var used: Set<String>
  private var lines: [String] = []
  private(set) var count = 0

  init(
    _ actions: [CommandRecord], names: FieldNameTable, taken: [String], expecting: Bool, grammar: CommandParser,
    place: ServerConfiguration
  ) {
    self.names = names
    self.expecting = expecting
    self.grammar = grammar
    used = Set(taken)
    // A script that selects a profile itself isn't restricted to another one.
    if !actions.contains(where: { $0.command == "profile" && $0.code == .success }) {
      lines.append(ScriptGenerator.only(place))
    }
    for action in actions where action.code != .usageError && !traits(of: action).contains(.excludedFromSavedScripts) {
      add(action)
    }
  }

  private static let omission = "# A line that may contain a secret was omitted."

  /// Returns the script, with a line end after each line.
  func text(without isSecret: (String) -> Bool) -> String {
    lines.map { (isSecret($0) ? ScriptGenerator.omission : $0) + "\n" }.joined()
  }

  /// Returns the line that rejects another profile or URL than the one the script was saved for.
  private static func only(_ place: ServerConfiguration) -> String {
    let name = place.profile.map { Quoting.quote($0.value) } ?? "-"
    return "profile only " + name + (place.url.map { " " + Quoting.quote($0.value.absoluteString) } ?? "")
  }

  private mutating func add(_ action: CommandRecord) {
    guard let typed = action.line else {
      lines.append(ScriptGenerator.omission)
      return
    }
    let line = confirmed(ScriptGenerator.plainDollars(typed), action)
    guard action.code == .success else { return addFailed(line, action) }
    count += 1
    guard expecting else { return lines.append(line) }
    let replaced = grammar.replacingIDs(variables, in: line, names: names)
    lines.append(captured(replaced, action))
    lines += AssertionGenerator(action.output).lines
  }

  /// Adds a failed command.
  ///
  /// It would end the script, so it becomes a comment, or an assertion about the server's response.
  private mutating func addFailed(_ line: String, _ action: CommandRecord) {
    guard expecting, let status = action.status, status >= 400, action.code == .refused else {
      lines.append("# exit \(action.code.rawValue): " + line.replacing("\n", with: "\n# "))
      return
    }
    count += 1
    lines.append("assert status \(status): " + grammar.replacingIDs(variables, in: line, names: names))
  }

  /// Returns the line with `yes`, and `outliers` if that was needed, because a script can't prompt.
  private func confirmed(_ line: String, _ action: CommandRecord) -> String {
    guard let (declaration, words) = grammar.innermostCommand(line), declaration.writesToMarket else { return line }
    let allowing = ["yes"] + (action.isExtreme ? ["outliers"] : [])
    return allowing.filter { !words.contains($0) }.reduce(line) { grammar.appending($1, to: $0) }
  }

  /// Returns `let p1 = new …`, because in another market the product will have another id.
  private mutating func captured(_ line: String, _ action: CommandRecord) -> String {
    guard action.made.count == 1, let id = action.made.first else { return line }
    if action.command == LetCommand.declaration.name {
      if let name = line.wholeMatch(of: /let\s+([\p{L}_][\p{L}_0-9]*)\s.*/.dotMatchesNewlines())?.1 {
        variables[id] = "$" + name
      }
      return line
    }
    guard traits(of: action).contains(.capturesProduct) else { return line }
    let name = freshName()
    variables[id] = "$" + name
    return "let \(name) = \(line)"
  }

  private func traits(of action: CommandRecord) -> CommandDeclaration.Traits {
    grammar.declaration(named: action.command)?.traits ?? []
  }

  private mutating func freshName() -> String {
    var number = 1
    while !used.insert("p\(number)").inserted { number += 1 }
    return "p\(number)"
  }

  /// Returns the line with `$5` escaped.
  ///
  /// It was text at the prompt, but would be an argument in a script.
  private static func plainDollars(_ line: String) -> String {
    var scalars = Array(line.unicodeScalars)
    for place in Lexer(line).arguments.reversed() { scalars.insert("\\", at: place) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
