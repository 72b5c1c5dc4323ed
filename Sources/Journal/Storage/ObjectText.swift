import Catalog
import Foundation

/// A JSON object written member by member: of what is written with every write of a batch, several times as fast as an
/// encoder of any value. It is read again by the `Decodable` type beside each `object`; members stand in the order of their names.
struct ObjectText {
  private var members = "{"

  var text: String { members + "}" }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    begin(name)
    quote(value)
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    begin(name)
    members += String(value)
  }

  mutating func add(_ name: String, _ value: Bool?) {
    guard let value else { return }
    begin(name)
    members += value ? "true" : "false"
  }

  mutating func add(_ name: String, _ value: Amount?) {
    guard let value else { return }
    begin(name)
    members += value.description
  }

  mutating func add(_ name: String, _ value: ObjectText?) {
    guard let value else { return }
    begin(name)
    nest(value)
  }

  mutating func add(_ name: String, _ values: [String]) { list(name, values) { $0.quote($1) } }

  mutating func add(_ name: String, _ values: [ObjectText]) { list(name, values) { $0.nest($1) } }

  private mutating func list<Value>(_ name: String, _ values: [Value], _ write: (inout Self, Value) -> Void) {
    begin(name)
    members += "["
    for (index, value) in values.enumerated() {
      if index > 0 { members += "," }
      write(&self, value)
    }
    members += "]"
  }

  private mutating func nest(_ value: ObjectText) {
    members += value.members
    members += "}"
  }

  private mutating func begin(_ name: String) {
    members += members.utf8.count > 1 ? ",\"" : "\""
    members += name
    members += "\":"
  }

  private mutating func quote(_ text: String) {
    members += "\""
    // Whole answers are quoted here, and half of their bytes may be quotes.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + text.utf8.count / 4)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      } else if byte < UInt8(ascii: " ") {
        bytes.append(contentsOf: ObjectText.escape(byte).utf8)
      } else {
        bytes.append(byte)
      }
    }
    members += String(decoding: bytes, as: UTF8.self)
    members += "\""
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
