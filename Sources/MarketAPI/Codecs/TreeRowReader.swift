import Catalog
import Networking

/// Reads one row from parsed JSON.
///
/// A value of the wrong type throws an error with its key and the value.
struct TreeRowReader: RowReader {
  typealias Failure = JSONTypeError

  private let row: JSONObject
  private var rest: ArraySlice<String> = []
  /// The key of the value that is read next.
  private var key = ""

  init(_ row: JSONObject) { self.row = row }

  var parts: RowKeySet { .all }
  var missingID: JSONTypeError { JSONTypeError(field: "id", found: .null) }

  mutating func beginRow() { rest = row.keys[...] }

  mutating func nextKey() -> RowKey? {
    while let next = rest.popFirst() {
      key = next
      let member = RowKey(next)
      if parts.contains(member.part) { return member }
    }
    return nil
  }

  func int() throws(JSONTypeError) -> Int? { try row.int(key) }
  func string() throws(JSONTypeError) -> String? { try row.string(key) }
  func amount() throws(JSONTypeError) -> Amount? { try row.amount(key) }

  func timestamp() -> Timestamp? { (try? row.string(key)).flatMap { Timestamp($0) } }

  func pictures() throws(JSONTypeError) -> [Picture]? {
    try row.array(key)?.compactMap { element in
      guard let picture = element.object, let url = try? picture.string("url") else { return nil }
      return Picture(id: try? picture.int("id"), url: url, thumbnailURL: try? picture.string("thumbnail_url"))
    }
  }

  /// An invalid id or name doesn't make the product unusable, because a row has both again outside.
  func vendor() throws(JSONTypeError) -> (id: Int?, name: String?)? {
    try row.object(key).map { (id: (try? $0.int("id")) ?? nil, name: (try? $0.string("name")) ?? nil) }
  }
}
