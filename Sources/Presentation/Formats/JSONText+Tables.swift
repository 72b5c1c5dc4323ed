import Catalog
import Text

/// Tables and messages as JSON; words are English, so that programs read the same whatever the person reads.
extension JSONText {
  init(_ table: Table) {
    let rows = JSONText.rows(of: table)
    self = table.isSingle && rows.count == 1 ? rows[0] : .array(rows)
  }

  static func rows(of table: Table) -> [JSONText] {
    table.rows.map { row in .object(zip(table.columns, row).map { ($0.key, JSONText($1)) }) }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .null
    case .text(let text): self = .string(text)
    case .number(let number): self = .int(number)
    case .amount(let amount): self = .amount(amount)
    case .flag(let flag): self = .bool(flag)
    case .wording(let wording): self = .string(wording.english.plain)
    case .moment(let moment): self = .string(moment.description)
    case .record(let entries): self = .object(entries.map { ($0.key, JSONText($0.cell)) })
    case .list(let cells): self = .array(cells.map(JSONText.init))
    }
  }

  init(_ message: Message) {
    self = .object([
      ("level", .string(message.tone.word)), ("message", .string(message.what.english.plain)),
      ("reasons", .array(message.reasons.map { .string($0.english.plain) })),
      ("next", .array(message.nextSteps.map { .string($0.english.plain) })),
    ])
  }
}

extension Message.Tone {
  /// The level in data formats.
  var word: String {
    switch self {
    case .note: "note"
    case .success: "success"
    case .warning: "warning"
    case .failure: "error"
    }
  }
}
