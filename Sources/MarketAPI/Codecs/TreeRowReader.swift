import Catalog
import Networking

/// Reads one row from parsed JSON.
///
/// A value of the wrong type throws an error with its key and the value.
struct TreeRowReader: RowReader {
  typealias Failure = JSONTypeError

  private let row: JSONObject
  private var rest: ArraySlice<String>
  /// The key of the value that is read next.
  private var key = ""

  init(_ row: JSONObject) { (self.row, rest) = (row, row.keys[...]) }

  var parts: RowKeySet { .all }
  var missingID: JSONTypeError { JSONTypeError(field: "id", found: .null) }

  func beginRow() {}

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

  /// An invalid id or name doesn't make the product unusable if the row has it outside of the object too.
  func vendor() throws(JSONTypeError) -> (id: Int?, name: String?)? {
    guard let vendor = try row.object(key) else { return nil }
    return (
      id: try row.int("vendor_id") == nil ? try vendor.int("id") : nil,
      name: try row.string("vendorName") == nil ? try vendor.string("name") : nil
    )
  }
}
