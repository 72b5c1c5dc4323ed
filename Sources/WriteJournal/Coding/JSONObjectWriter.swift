import Catalog
import Foundation
import Text

/// A writer for JSON objects, member by member.
///
/// It is faster than a general encoder, because it runs for every write of a batch and every exchange.
struct JSONObjectWriter {
  private var writer = JSONWriter(.required, capacity: 1 << 10)

  init(_ value: some JSONObjectEncodable) { nest(value.encode) }

  /// The JSON in UTF-8.
  var bytes: [UInt8] { writer.bytes }

  var text: String { writer.text }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    writer.key(name)
    writer.string(value)
  }

  mutating func add(_ name: String, _ value: Int?) { add(name, literal: value?.description) }

  mutating func add(_ name: String, _ value: Bool?) { add(name, literal: value?.description) }

  mutating func add(_ name: String, _ value: Amount?) { add(name, literal: value?.description) }

  private mutating func add(_ name: String, literal: String?) {
    guard let literal else { return }
    writer.key(name)
    writer.literal(literal)
  }

  mutating func add(_ name: String, _ value: (some JSONObjectEncodable)?) {
    guard let value else { return }
    add(name, value.encode)
  }

  /// Adds an object with the members that `encode` adds.
  mutating func add(_ name: String, _ write: (inout JSONObjectWriter) -> Void) {
    writer.key(name)
    nest(write)
  }

  mutating func add(_ name: String, _ values: [String]) { list(name, values) { $0.writer.string($1) } }

  mutating func add(_ name: String, _ values: [some JSONObjectEncodable]) { list(name, values) { $0.nest($1.encode) } }

  private mutating func list<Value>(_ name: String, _ values: [Value], write: (inout Self, Value) -> Void) {
    writer.key(name)
    writer.beginArray()
    for value in values { write(&self, value) }
    writer.endArray()
  }

  private mutating func nest(_ write: (inout JSONObjectWriter) -> Void) {
    writer.beginObject()
    write(&self)
    writer.endObject()
  }
}

/// A value stored as a JSON object.
///
/// A `Decodable` type reads it.
protocol JSONObjectEncodable {
  /// Adds the members, in alphabetical order.
  func encode(to object: inout JSONObjectWriter)
}

extension JSONObjectEncodable {
  /// The JSON on one line.
  var json: String { JSONObjectWriter(self).text }
}

/// The decoder for JSON columns written by `JSONObjectWriter`.
enum JSONColumn {
  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
