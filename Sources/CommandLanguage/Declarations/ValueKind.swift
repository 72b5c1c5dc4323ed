/// The kind of values that a parameter accepts, which also determines its completion.
package enum ValueKind: Hashable, Sendable {
  case text
  case number(ClosedRange<Int>)
  /// A decimal number such as a coordinate, possibly negative.
  case decimal
  case choice([String])
  case field
  /// A list of fields: `a,b,c`.
  case fields
  case target
  case file
  /// A list of files: `a.jpg,b.png`.
  case files
  case currency
  case profile
  /// The name or number of a vendor.
  case vendor
  case setting
  /// A named snapshot of the market.
  case snapshot
  case command
  /// A condition, `stock=0 and price>1000`.
  ///
  /// It is stored in the notation that `Condition.read` parses.
  case expression
  /// The rest of the command as typed, to be parsed later: `alias NAME = LINE`, `plan COMMAND... to FILE`.
  case line
  /// An SQL query, captured like `line`, with the words for completion.
  case sql([String])
  /// A write that can be undone, by its number in the log.
  case writeNumber
  /// A batch that can be undone, by its number.
  case batchNumber
  /// A rate such as `5/s`, stored as the number.
  case rate
  /// Assignments to product fields and to these names (`identifier`, `url`, `images`).
  ///
  /// `*` allows any name.
  case productAssignments([String])
  /// Assignments to these names only: `url`, `api`.
  case namedAssignments([AssignableSetting])
  /// No value, for a flag.
  case none
}

extension ValueKind {
  /// The facts about a kind that don't need a value.
  private struct Traits {
    /// The placeholder in a usage line.
    var placeholder: String
    /// The role of a value in the highlighted line.
    var role = HighlightRole.value
    /// A Boolean value that indicates that a value continues after a trailing comma.
    var isList = false
    /// A Boolean value that indicates that the text is captured as typed up to the end of the command.
    var capturesRawText = false
  }

  private var traits: Traits {
    switch self {
    case .text: Traits(placeholder: "TEXT")
    case .number, .decimal, .writeNumber, .batchNumber: Traits(placeholder: "N")
    case .choice(let choices): Traits(placeholder: choices.count <= 4 ? choices.joined(separator: "|") : "NAME")
    case .field: Traits(placeholder: "FIELD", role: .field)
    case .fields: Traits(placeholder: "FIELD,...", role: .field, isList: true)
    case .target: Traits(placeholder: "TARGETS", role: .id, isList: true)
    case .file: Traits(placeholder: "FILE")
    case .files: Traits(placeholder: "FILE,...", isList: true)
    case .currency: Traits(placeholder: "CURRENCY")
    case .profile, .vendor, .setting, .snapshot: Traits(placeholder: "NAME")
    case .command: Traits(placeholder: "COMMAND", role: .command)
    case .expression: Traits(placeholder: "EXPR")
    case .line: Traits(placeholder: "TEXT", capturesRawText: true)
    case .sql: Traits(placeholder: "SELECT", capturesRawText: true)
    case .rate: Traits(placeholder: "N/s")
    case .productAssignments, .namedAssignments: Traits(placeholder: "NAME=VALUE")
    case .none: Traits(placeholder: "")
    }
  }

  var placeholder: String { traits.placeholder }

  /// Returns whether the word is one of the words of a choice, which may also name an option: `fail-on deletes`.
  func isChoice(_ word: String) -> Bool {
    if case .choice(let words) = self { words.contains(word) } else { false }
  }

  var role: HighlightRole { traits.role }
  var isList: Bool { traits.isList }
  var capturesRawText: Bool { traits.capturesRawText }
}
