import Foundation

/// The decoder for JSON columns written by `JSONObjectWriter`.
enum JSONColumn {
  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
