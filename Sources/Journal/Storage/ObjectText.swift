import Catalog
import Foundation

/// A value that is kept as a JSON object. It is read again by the `Decodable` type beside it.
protocol ObjectWritable {
  /// Adds its members, in the order of their names.
  func write(to object: inout ObjectText)
}

extension ObjectWritable {
  /// In one line.
  var json: String { ObjectText(self).text }
}

/// A JSON object written member by member: of what is written with every write of a batch and every
/// call, several times as fast as an encoder of any value.
struct ObjectText {
  /// UTF-8; bytes are put behind each other sooner than texts.
  private(set) var bytes: [UInt8] = []

  init(_ value: some ObjectWritable) {
    bytes.reserveCapacity(1 << 10)
    nest(value.write)
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

  mutating func add(_ name: String, _ value: (some ObjectWritable)?) {
    guard let value else { return }
    add(name, value.write)
  }

  /// An object of the members that `write` adds.
  mutating func add(_ name: String, _ write: (inout ObjectText) -> Void) {
    begin(name)
    nest(write)
  }

  mutating func add(_ name: String, _ values: [String]) { list(name, values) { $0.quote($1) } }

  mutating func add(_ name: String, _ values: [some ObjectWritable]) { list(name, values) { $0.nest($1.write) } }

  private mutating func list<Value>(_ name: String, _ values: [Value], _ write: (inout Self, Value) -> Void) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func nest(_ write: (inout ObjectText) -> Void) {
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
      for (index, byte) in text.enumerated() where ObjectText.isEscaped(byte) {
        bytes += UnsafeBufferPointer(rebasing: text[start..<index])
        start = index + 1
        if byte >= UInt8(ascii: " ") {
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        } else {
          bytes += ObjectText.escape(byte).utf8
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

/// Values read back from the JSON text in a column, which `ObjectText` wrote.
enum JSONText {
  static func read<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
