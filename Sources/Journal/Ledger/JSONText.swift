import Foundation

/// Values read back from the JSON text in a column, which `ObjectText` wrote.
enum JSONText {
  static func read<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
