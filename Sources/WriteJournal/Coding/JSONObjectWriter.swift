import Catalog

/// A writer for JSON objects, member by member.
///
/// It is faster than a general encoder, because it runs for every write of a batch and every exchange.
struct JSONObjectWriter {
  /// The JSON in UTF-8.
  ///
  /// Appending to bytes is faster than appending to a string.
  private(set) var bytes: [UInt8] = []

  init(_ value: some JSONObjectEncodable) {
    bytes.reserveCapacity(1 << 10)
    nest(value.encode)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    begin(name)
    quote(value)
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    begin(name)
    bytes += String(value).utf8
  }

  mutating func add(_ name: String, _ value: Bool?) {
    guard let value else { return }
    begin(name)
    bytes += (value ? "true" : "false").utf8
  }

  mutating func add(_ name: String, _ value: Amount?) {
    guard let value else { return }
    begin(name)
    bytes += value.description.utf8
  }

  mutating func add(_ name: String, _ value: (some JSONObjectEncodable)?) {
    guard let value else { return }
    add(name, value.encode)
  }

  /// Adds an object with the members that `encode` adds.
  mutating func add(_ name: String, _ write: (inout JSONObjectWriter) -> Void) {
    begin(name)
    nest(write)
  }

  mutating func add(_ name: String, _ values: [String]) { list(name, values) { $0.quote($1) } }

  mutating func add(_ name: String, _ values: [some JSONObjectEncodable]) { list(name, values) { $0.nest($1.encode) } }

  private mutating func list<Value>(_ name: String, _ values: [Value], _ write: (inout Self, Value) -> Void) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func nest(_ write: (inout JSONObjectWriter) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    write(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func begin(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes += name.utf8
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      var start = 0
      for (index, byte) in text.enumerated() where JSONObjectWriter.isEscaped(byte) {
        bytes += UnsafeBufferPointer(rebasing: text[start..<index])
        start = index + 1
        if byte >= UInt8(ascii: " ") {
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        } else {
          bytes += JSONObjectWriter.escape(byte).utf8
        }
      }
      bytes += UnsafeBufferPointer(rebasing: text[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < UInt8(ascii: " ")
  }

  private static func escape(_ byte: UInt8) -> String {
    (byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)
  }
}
