import Catalog

/// The lines of a script that is in no file: several `-c`, or standard input.
///
/// They are recorded with the run, so that `resume` can go on with them.
package struct RunScript: Hashable, Sendable, Codable {
  package private(set) var lines: [Run.ScriptLine]
  /// A Boolean value that indicates that these are all lines. What comes after those of a pipe may not be known.
  package private(set) var isWhole: Bool

  /// The maximum size of the texts in bytes; lines after that aren't recorded.
  private static let maximumBytes = 1 << 20

  package init(_ lines: [Run.ScriptLine], isWhole: Bool) {
    var bytes = 0
    self.lines = Array(
      lines.prefix { line in
        bytes += line.text.utf8.count
        return bytes <= RunScript.maximumBytes
      })
    self.isWhole = isWhole && self.lines.count == lines.count
  }

  /// Returns the script with secrets masked, whose lines can't be run.
  func masked(by mask: (String) -> String) -> RunScript {
    RunScript(
      lines.map { line in
        let text = mask(line.text)
        return Run.ScriptLine(number: line.number, text: text, isComplete: line.isComplete && text == line.text)
      }, isWhole: isWhole)
  }
}

/// The values that a line of a script refers to: the variables, `_` and the listing before it, and the arguments of the script.
package struct RunValues: Hashable, Sendable, Codable {
  package enum Stored: Hashable, Sendable, Codable {
    /// A product, which is read again.
    case product(ProductReference)
    /// JSON text.
    case json(String)
  }

  package var variables: [String: Stored] = [:]
  /// The product of `_`.
  package var last: ProductReference?
  /// The products of the last listing, for `@3`.
  package var rows: [ProductReference] = []
  package var arguments: [String] = []

  package init() {}
}

extension ProductReference: Codable {
  private enum Key: String, CodingKey {
    case id, names, created, pictures
    case vendorID = "vendor_id"
  }

  /// Reads a reference, or a number alone, as an earlier version recorded it.
  package init(from decoder: any Decoder) throws {
    if let id = try? decoder.singleValueContainer().decode(Int.self) {
      self.init(id: id)
      return
    }
    let box = try decoder.container(keyedBy: Key.self)
    self.init(
      id: try box.decode(Int.self, forKey: .id),
      created: try box.decodeIfPresent(String.self, forKey: .created).flatMap { Timestamp($0) },
      vendorID: try box.decodeIfPresent(Int.self, forKey: .vendorID),
      pictures: try box.decodeIfPresent([String].self, forKey: .pictures) ?? [])
    names = try box.decodeIfPresent([String].self, forKey: .names) ?? []
  }

  package func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(id, forKey: .id)
    if !names.isEmpty { try box.encode(names, forKey: .names) }
    try box.encodeIfPresent(created?.description, forKey: .created)
    try box.encodeIfPresent(vendorID, forKey: .vendorID)
    if !pictures.isEmpty { try box.encode(pictures.sorted(), forKey: .pictures) }
  }
}
