import Catalog
import Text

/// A JSON value as the data formats define it: keys in the given order, decimals without exponent, compact, on one
/// line.
///
/// Invisible characters with an effect (C0, DEL, C1, bidirectional controls, tags, line separators) are escaped, which
/// preserves the value and protects a terminal. Zero-width joiners are not, because emoji and Persian need them.
indirect enum OutputJSON {
  case null
  case bool(Bool)
  /// A number whose digits are valid JSON.
  case number(String)
  case string(String)
  case array([OutputJSON])
  case object([(String, OutputJSON)])

  var text: String {
    var output = ""
    write(to: &output)
    return output
  }

  /// Returns the values, one per line.
  static func lines(_ values: some Sequence<OutputJSON>) -> String {
    values.reduce(into: "") { output, value in
      value.write(to: &output)
      output += "\n"
    }
  }

  private func write(to output: inout String) {
    switch self {
    case .null: output += "null"
    case .bool(let flag): output += flag ? "true" : "false"
    case .number(let digits): output += digits
    case .string(let text): OutputJSON.quote(text, to: &output)
    case .array(let items):
      output += "["
      for (index, item) in items.enumerated() {
        if index > 0 { output += "," }
        item.write(to: &output)
      }
      output += "]"
    case .object(let entries):
      output += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { output += "," }
        OutputJSON.quote(entry.0, to: &output)
        output += ":"
        entry.1.write(to: &output)
      }
      output += "}"
    }
  }

  private static func quote(_ text: String, to output: inout String) {
    // Nearly all texts need no escape.
    guard !text.utf8.allSatisfy(isPlain), text.unicodeScalars.contains(where: mustBeEscaped) else {
      output += "\""
      output += text
      output += "\""
      return
    }
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case " "..."~": output.unicodeScalars.append(scalar)
      default:
        if isInvisible(scalar) { escape(scalar, to: &output) } else { output.unicodeScalars.append(scalar) }
      }
    }
    output += "\""
  }

  /// Returns a JSON text with invisible characters escaped.
  ///
  /// They can only occur in strings.
  static func escapingInvisibles(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isInvisible) else { return text }
    var output = ""
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) { escape(scalar, to: &output) } else { output.unicodeScalars.append(scalar) }
    }
    return output
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: " ")...UInt8(ascii: "~")).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "\\": true
    case " "..."~": false
    default: isInvisible(scalar)
    }
  }

  /// Returns true for an invisible character with an effect, except for joiners and VS16: a name without them would be
  /// a different name.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0xFE0F: false
    default: !scalar.isPrintable
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, to output: inout String) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

/// Products and listings as JSON, with every key in the order of `ProductField`.
extension OutputJSON {
  init(_ product: Product, fields: [ProductField]? = nil) {
    self = .object((fields ?? ProductField.allCases).map { ($0.rawValue, OutputJSON(product, $0)) })
  }

  init(_ listing: Listing) {
    let page = listing.page
    let isPage = listing.scan == nil || page.isFiltered
    let place: [(String, OutputJSON)] = [
      ("page", isPage ? .number(String(page.number)) : .null), ("size", .integer(page.size)),
    ]
    let products = ("products", OutputJSON.array(page.products.map { OutputJSON($0, fields: listing.columns) }))
    self = .object(place + OutputJSON.counts(of: listing) + [products])
  }

  /// Returns the counts of a listing, including those of its scan.
  static func counts(of listing: Listing) -> [(String, OutputJSON)] {
    let page = listing.page
    var entries: [(String, OutputJSON)] = [
      ("total", .integer(page.total)), ("last_page", .integer(page.last)),
      ("has_next", page.hasNext.map(OutputJSON.bool) ?? .null),
      ("has_prev", page.hasPrevious.map(OutputJSON.bool) ?? .null),
    ]
    if let scan = listing.scan {
      entries.append(("pages_read", .number(String(scan.pagesRead))))
      entries.append(("complete", .bool(scan.isComplete)))
    }
    return entries
  }

  init(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: self = .null
    case .text(let text): self = .string(text)
    case .number(let number): self = .number(String(number))
    case .amount(let amount): self = .number(amount.description)
    case .timestamp(let moment): self = .string(moment.description)
    case .pictures(let pictures): self = .array(pictures.map(OutputJSON.init))
    }
  }

  private init(_ picture: Picture) {
    self = .object([
      ("id", .integer(picture.id)), ("url", .string(picture.url)), ("thumbnail", .string(picture.thumbnailURL)),
    ])
  }

  static func integer(_ value: Int?) -> OutputJSON { value.map { .number(String($0)) } ?? .null }
  static func string(_ value: String?) -> OutputJSON { value.map(OutputJSON.string) ?? .null }
  static func amount(_ value: Amount?) -> OutputJSON { value.map { .number($0.description) } ?? .null }
}

/// Tables and messages as JSON.
///
/// Texts are in English, so that programs get the same in every language.
extension OutputJSON {
  init(_ table: Table) {
    let rows = OutputJSON.rows(of: table)
    self = table.isSingle && rows.count == 1 ? rows[0] : .array(rows)
  }

  static func rows(of table: Table) -> [OutputJSON] {
    table.rows.map { row in .object(zip(table.columns, row).map { ($0.key, OutputJSON($1)) }) }
  }

  init(_ cell: Table.Cell) {
    switch cell {
    case .none: self = .null
    case .text(let text): self = .string(text)
    case .number(let number): self = .integer(number)
    case .amount(let amount), .decimal(let amount): self = .amount(amount)
    case .bool(let flag): self = .bool(flag)
    case .localized(let wording): self = .string(wording.english.plain)
    case .timestamp(let moment): self = .string(moment.description)
    case .record(let entries): self = .object(entries.map { ($0.key, OutputJSON($0.cell)) })
    case .list(let cells): self = .array(cells.map(OutputJSON.init))
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

extension Message.Severity {
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
