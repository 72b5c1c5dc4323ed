/// The usage of a command, derived from its declaration, for help, hints and errors.
package enum Syntax {
  /// Returns the first usage line: `ls [page N] [size N] [all]`.
  ///
  /// Optional parts are in brackets.
  package static func line(_ declaration: CommandDeclaration) -> String { usage(declaration)[0] }

  /// Returns the usage lines, one for each form of the command.
  package static func usage(_ declaration: CommandDeclaration) -> [String] {
    declaration.usage.isEmpty ? [pieces(declaration).joined(separator: " ")] : declaration.usage
  }

  /// Returns the pieces of a usage line between which it may be broken: words, and groups in brackets.
  package static func pieces(of line: String) -> [String] {
    var pieces: [String] = []
    var depth = 0
    for word in line.split(separator: " ") {
      if depth > 0 { pieces[pieces.count - 1] += " " + word } else { pieces.append(String(word)) }
      depth += word.count { $0 == "[" } - word.count { $0 == "]" }
    }
    return pieces
  }

  /// Returns the usage line in pieces that shouldn't be broken across lines.
  package static func pieces(_ declaration: CommandDeclaration) -> [String] {
    [declaration.name] + declaration.parameters.map(parameter)
  }

  package static func parameter(_ parameter: Parameter) -> String {
    switch parameter.style {
    case .positional(required: true): parameter.name
    case .positional(required: false): "[" + parameter.name + "]"
    case .rest(required: true): parameter.name + "..."
    case .rest(required: false): "[" + parameter.name + "...]"
    case .option: "[" + parameter.name + " " + placeholder(of: parameter) + "]"
    case .flag: "[" + parameter.name + "]"
    case .assignments: assignments(parameter.kind)
    }
  }

  /// Returns the placeholder for the value of a parameter in a usage line.
  package static func placeholder(of parameter: Parameter) -> String {
    parameter.placeholder ?? parameter.kind.placeholder
  }

  private static func assignments(_ kind: ValueKind) -> String {
    switch kind {
    case .namedAssignments(let settings): settings.map { "[" + $0.name + "=VALUE]" }.joined(separator: " ")
    case .productAssignments(let names):
      (["[FIELD=VALUE...]"] + names.filter { $0 != "*" }.map { "[" + $0 + "=VALUE]" }).joined(separator: " ")
    default: "[NAME=VALUE...]"
    }
  }
}

/// The role of a part of a line for highlighting.
package enum HighlightRole: Hashable, Sendable, CaseIterable {
  case command
  case option
  case id
  case field
  case value
  case string
  case comment
  case error
}
