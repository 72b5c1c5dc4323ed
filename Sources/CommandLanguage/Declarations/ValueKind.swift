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
  /// A Boolean value that indicates whether the text is captured as typed up to the end of the command.
  var capturesRawText: Bool {
    switch self {
    case .line, .sql: true
    case .text, .number, .decimal, .choice, .field, .fields, .target, .file, .files, .currency, .profile, .vendor,
      .setting,
      .snapshot, .command, .expression, .writeNumber, .batchNumber, .rate, .productAssignments, .namedAssignments,
      .none:
      false
    }
  }
}
