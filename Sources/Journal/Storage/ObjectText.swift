import Catalog
import Foundation

/// A JSON object written member by member: of what is written with every write of a batch, several times as fast as an
/// encoder of any value. It is read again by the `Decodable` type beside each `object`; members stand in the order of their names.
struct ObjectText {
  /// UTF-8 without the closing brace: bytes are put behind each other sooner than texts.
  private var members: [UInt8] = [UInt8(ascii: "{")]

  var text: String { String(decoding: members, as: UTF8.self) + "}" }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    begin(name)
    quote(value)
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    begin(name)
    members += String(value).utf8
  }

  mutating func add(_ name: String, _ value: Bool?) {
    guard let value else { return }
    begin(name)
    members += (value ? "true" : "false").utf8
  }

  mutating func add(_ name: String, _ value: Amount?) {
    guard let value else { return }
    begin(name)
    members += value.description.utf8
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
    members.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { members.append(UInt8(ascii: ",")) }
      write(&self, value)
    }
    members.append(UInt8(ascii: "]"))
  }

  private mutating func nest(_ value: ObjectText) {
    members += value.members
    members.append(UInt8(ascii: "}"))
  }

  private mutating func begin(_ name: String) {
    if members.count > 1 { members.append(UInt8(ascii: ",")) }
    members.append(UInt8(ascii: "\""))
    members += name.utf8
    members.append(UInt8(ascii: "\""))
    members.append(UInt8(ascii: ":"))
  }

  private mutating func quote(_ text: String) {
    var text = text
    members.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var start = 0
      for (index, byte) in bytes.enumerated() where ObjectText.isEscaped(byte) {
        members += UnsafeBufferPointer(rebasing: bytes[start..<index])
        start = index + 1
        if byte >= UInt8(ascii: " ") {
          members.append(UInt8(ascii: "\\"))
          members.append(byte)
        } else {
          members += ObjectText.escape(byte).utf8
        }
      }
      members += UnsafeBufferPointer(rebasing: bytes[start...])
    }
    members.append(UInt8(ascii: "\""))
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
