import Catalog
import Text

/// One thing a command takes, by place or by word.
package struct Parameter: Hashable, Sendable {
  /// How its value is told from the other words of the line.
  package enum Place: Hashable, Sendable {
    /// By position: `show 42`.
    case positional(required: Bool)
    /// All remaining bare words: `show 42 name price`, `search blue bag`.
    case rest(required: Bool)
    /// `page 2` or `--page 2` or `--page=2`.
    case option
    /// `all` or `--all`.
    case flag
    /// `field=value`, `field+=n` … in any order, as many as there are.
    case assignments
  }

  /// The option word, or the name shown in help: `TARGET`.
  package var name: String
  package var place: Place
  package var kind: ValueKind
  package var summary: LocalizedText

  package init(_ name: String, _ place: Place, _ kind: ValueKind, _ summary: LocalizedText) {
    self.name = name
    self.place = place
    self.kind = kind
    self.summary = summary
  }
}

/// What a word must be to be accepted, and so what Tab offers for it.
package enum ValueKind: Hashable, Sendable {
  case text
  case number(ClosedRange<Int>)
  /// A decimal such as a coordinate; negatives allowed.
  case decimal
  case choice([String])
  case field
  /// `a,b,c`
  case fields
  case target
  case file
  /// `a.jpg,b.png`
  case files
  case currency
  case profile
  case setting
  /// A market that was kept by a name.
  case snapshot
  case command
  /// A condition, `stock=0 and price>1000`: kept as the language prints it, so that `Expression.read` takes it.
  case expression
  /// The rest of the command as it was typed, to be read later: `alias NAME = LINE`, `plan COMMAND... to FILE`.
  case line
  /// As `line`, but a query of SQL: the words that Tab offers in it.
  case sql([String])
  /// A write that can be taken back, by its number in the log.
  case write
  /// A batch that can be taken back, by its number.
  case batch
  /// `5/s`: kept as the number.
  case rate
  /// Assignments: product fields and also these names (`identifier`, `url`, `images`);
  /// `*` stands for any name.
  case assignment([String])
  /// Assignments to these names only: `url`, `api`.
  case settings([AssignableSetting])
  /// Nothing: a flag.
  case none
}

extension ValueKind {
  /// What is kept as it was typed up to the end of the command.
  var isKept: Bool {
    switch self {
    case .line, .sql: true
    case .text, .number, .decimal, .choice, .field, .fields, .target, .file, .files, .currency, .profile, .setting,
      .snapshot, .command, .expression, .write, .batch, .rate, .assignment, .settings, .none:
      false
    }
  }
}

extension Parameter {
  /// What every command that prints takes besides its own.
  package static let ofPrinting: [Parameter] = [
    Parameter(
      "as", .option, .choice(OutputFormat.allCases.map(\.rawValue)),
      LocalizedText("the format, for this command only", ko: "이 명령에만 쓸 형식")),
    Parameter("to", .option, .file, LocalizedText("write the data to a file", ko: "데이터를 파일에 저장")),
    replacing,
    Parameter(
      "bom", .flag, .none,
      LocalizedText("a mark in front of CSV that spreadsheets look for", ko: "스프레드시트용 BOM을 CSV 앞에")),
  ]

  /// For every command that writes a file of the person's.
  package static let replacing = Parameter(
    "replace", .flag, .none, LocalizedText("overwrite a file that this shell did not write", ko: "이 셸이 저장하지 않은 파일도 덮어씀")
  )

  /// What every command that writes to the market takes besides its own.
  package static let ofWriting: [Parameter] = [
    Parameter("yes", .flag, .none, LocalizedText("do not ask", ko: "확인하지 않음")),
    Parameter("outliers", .flag, .none, LocalizedText("outliers are meant", ko: "이상값도 그대로 진행")),
    Parameter(
      "again", .flag, .none, LocalizedText("make a second time what was made before", ko: "이전에 한 것도 한 번 더")),
    Parameter("note", .option, .text, LocalizedText("a note kept in the log", ko: "기록에 남길 메모")),
    Parameter(
      "jobs", .option, .number(1...8),
      LocalizedText("writes side by side in a batch, 4 by default", ko: "일괄 작업의 동시 요청 수, 기본 4")),
    Parameter("rate", .option, .rate, LocalizedText("writes a second at most, 5/s", ko: "초당 최대 변경 수, 5/s")),
    Parameter(
      "stop-after", .option, .number(1...10_000),
      LocalizedText("failures that end a batch, 5 by default", ko: "일괄 작업을 멈출 실패 수, 기본 5")),
  ]

  static let ofWatching = Parameter(
    "until", .option, .expression, LocalizedText("stops watching when it holds", ko: "조건이 맞으면 멈춤"))
}

extension Declaration {
  /// Its own parameters and those that come with printing and writing; its own win.
  package var allParameters: [Parameter] {
    var result = parameters
    let implied = (prints ? Parameter.ofPrinting : []) + (writes ? Parameter.ofWriting : [])
    for parameter in implied where !parameters.contains(where: { $0.name == parameter.name }) {
      result.append(parameter)
    }
    return result
  }

  /// Options and flags: what is read by its word.
  package var worded: [Parameter] {
    allParameters.filter { $0.place == .option || $0.place == .flag }
  }

  /// What is read by its place, in order.
  package var placed: [Parameter] {
    parameters.filter { parameter in
      switch parameter.place {
      case .positional, .rest: true
      case .option, .flag, .assignments: false
      }
    }
  }

  package var assigned: Parameter? { parameters.first { $0.place == .assignments } }
}

/// How data is written for a person or a program.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case jsonl
  case csv
  case tsv
  case markdown
}

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
    case .settings(let settings): settings.map { "[" + $0.name + "=VALUE]" }.joined(separator: " ")
    case .assignment(let names):
      (["[FIELD=VALUE...]"] + names.filter { $0 != "*" }.map { "[" + $0 + "=VALUE]" }).joined(separator: " ")
    case .text, .number, .decimal, .choice, .field, .fields, .target, .file, .files, .currency, .profile, .setting,
      .snapshot, .command, .expression, .line, .sql, .write, .batch, .rate, .none:
      "[NAME=VALUE...]"
    }
  }
}
