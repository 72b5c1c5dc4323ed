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
    var rest = text.utf8[...]
    while let place = rest.firstIndex(where: ObjectText.isEscaped) {
      members += text[rest.startIndex..<place]
      members += ObjectText.escape(rest[place])
      rest = rest[rest.index(after: place)...]
    }
    members += Substring(rest)
    members += "\""
  }

  private static func escape(_ byte: UInt8) -> String {
    guard byte < UInt8(ascii: " ") else { return byte == UInt8(ascii: "\"") ? "\\\"" : "\\\\" }
    return (byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

/// Values read back from the JSON text in a column, which `ObjectText` wrote.
enum JSONText {
  static func read<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
