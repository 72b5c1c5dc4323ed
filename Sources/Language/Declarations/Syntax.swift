import Catalog

/// How a command is written, made from its declaration: for help, hints and refusals.
package enum Syntax {
  /// `ls [page N] [size N] [all] [as FORMAT] [to FILE]`: what may be left out stands in brackets.
  package static func line(_ declaration: Declaration) -> String {
    pieces(declaration).joined(separator: " ")
  }

  /// The same in pieces, none of which should be broken over two lines.
  package static func pieces(_ declaration: Declaration) -> [String] {
    [declaration.name] + declaration.parameters.map(parameter)
  }

  package static func parameter(_ parameter: Parameter) -> String {
    switch parameter.place {
    case .positional(required: true): parameter.name
    case .positional(required: false): "[" + parameter.name + "]"
    case .rest(required: true): parameter.name + "..."
    case .rest(required: false): "[" + parameter.name + "...]"
    case .option: "[" + parameter.name + " " + placeholder(parameter.kind) + "]"
    case .flag: "[" + parameter.name + "]"
    case .assignments: assignments(parameter.kind)
    }
  }

  /// What stands for a value of that kind in a syntax line.
  package static func placeholder(_ kind: ValueKind) -> String {
    switch kind {
    case .text, .line: "TEXT"
    case .sql: "SELECT"
    case .number, .decimal, .write, .batch: "N"
    case .choice(let choices): choices.count <= 4 ? choices.joined(separator: "|") : "NAME"
    case .field: "FIELD"
    case .fields: "FIELD,..."
    case .target: "TARGETS"
    case .file: "FILE"
    case .files: "FILE,..."
    case .currency: "CURRENCY"
    case .profile, .setting, .snapshot: "NAME"
    case .command: "COMMAND"
    case .expression: "EXPR"
    case .rate: "N/s"
    case .assignment, .settings: "NAME=VALUE"
    case .none: ""
    }
  }

  private static func assignments(_ kind: ValueKind) -> String {
    switch kind {
    case .settings(let names): names.map { "[" + $0 + "=VALUE]" }.joined(separator: " ")
    case .assignment(let names):
      (["[FIELD=VALUE...]"] + names.filter { $0 != "*" }.map { "[" + $0 + "=VALUE]" }).joined(separator: " ")
    case .text, .number, .decimal, .choice, .field, .fields, .target, .file, .files, .currency, .profile, .setting,
      .snapshot, .command, .expression, .line, .sql, .write, .batch, .rate, .none:
      "[NAME=VALUE...]"
    }
  }
}
