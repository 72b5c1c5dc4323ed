import Catalog
import Foundation

/// A value stored as a JSON object.
///
/// A `Decodable` type reads it.
protocol ObjectWritable {
  /// Adds the members, in alphabetical order.
  func write(to object: inout ObjectText)
}

extension ObjectWritable {
  /// The JSON on one line.
  var json: String { ObjectText(self).text }
}

/// A writer for JSON objects, member by member.
///
/// It is faster than a general encoder, because it runs for every write of a batch and every exchange.
struct ObjectText {
  /// The JSON in UTF-8.
  ///
  /// Appending to bytes is faster than appending to a string.
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

  /// Adds an object with the members that `write` adds.
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

/// The decoder for JSON columns written by `ObjectText`.
enum JSONText {
  static func read<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
