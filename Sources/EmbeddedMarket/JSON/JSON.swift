/// A JSON text (RFC 8259) whose members keep their order and whose numbers keep their notation, because clients see both.
indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is spelled: `6.0E7` and `60000000` are different numbers here.
  case number(String)
  case text(String)
  case list([JSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: JSON
    init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  static func number(_ integer: Int64) -> JSON { .number(String(integer)) }

  /// The last member of that name, as Jackson reads doubled keys; nil also when this is no object.
  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}
