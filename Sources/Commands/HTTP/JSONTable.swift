import Networking
import OrderedCollections
import Presentation
import Text

/// An array of objects as a table, for `as table`: the response itself, or its first member that is such an array.
struct JSONTable {
  let table: Table

  /// The maximum number of columns.
  private static let maximumColumns = 40

  init?(_ json: JSON) {
    guard let rows = JSONTable.rows(of: json) else { return nil }
    var keys: OrderedSet<String> = []
    for row in rows { keys.formUnion(row.keys) }
    let columns = keys.prefix(JSONTable.maximumColumns).map { key in
      Table.Column(
        key, LocalizedText(same: "\(.foreign(key))"),
        isNumber: rows.allSatisfy { row in
          switch row[key] {
          case .number, .null, nil: true
          case .bool, .string, .array, .object, .invalidLiteral: false
          }
        })
    }
    table = Table(columns, rows: rows.map { row in columns.map { JSONTable.cell(row[$0.key]) } })
  }

  private static func rows(of json: JSON) -> [JSONObject]? {
    if let elements = json.array {
      let objects = elements.compactMap(\.object)
      return objects.isEmpty || objects.count < elements.count ? nil : objects
    }
    guard let object = json.object else { return nil }
    return object.keys.lazy.compactMap { key in object[key]?.array.flatMap { rows(of: .array($0)) } }.first
  }

  private static func cell(_ json: JSON?) -> Table.Cell {
    switch json {
    case .null, nil: .none
    case .bool(let flag): .bool(flag)
    case .number(let number): number.int.map { .number($0) } ?? .text(number.literal)
    case .string(let text): .text(text)
    case .array, .object, .invalidLiteral: .text(json?.serialized ?? "")
    }
  }
}
