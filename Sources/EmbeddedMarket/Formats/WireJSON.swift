/// A JSON value (RFC 8259) that preserves the order of members and the notation of numbers, because clients see both.
indirect enum WireJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number by its literal: `6.0E7` and `60000000` are different values.
  case number(String)
  case text(String)
  case list([WireJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: WireJSON
    init(_ key: String, _ value: WireJSON) {
      self.key = key
      self.value = value
    }
  }

  static func number(_ integer: Int64) -> WireJSON { .number(String(integer)) }

  /// The last member with this key, as Jackson reads duplicate keys; `nil` also if the value is not an object.
  subscript(key: String) -> WireJSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}

extension WireJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  init(dictionaryLiteral elements: (String, WireJSON)...) { self = .object(elements.map { Member($0.0, $0.1) }) }
  init(arrayLiteral elements: WireJSON...) { self = .list(elements) }
  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension WireJSON {
  /// The minified text as `WireWriter` writes it.
  var minified: String { String(decoding: bytes, as: UTF8.self) }

  /// The minified text in UTF-8.
  var bytes: [UInt8] {
    var writer = WireWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to out: inout WireWriter) {
    switch self {
    case .null: out.plain("null")
    case .bool(let value): out.plain(value ? "true" : "false")
    case .number(let digits): out.number(digits)
    case .text(let value): out.text(value)
    case .list(let values): out.list(values) { $0.write(to: &$1) }
    case .object(let members):
      out.add(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out.add(UInt8(ascii: ",")) }
        out.text(member.key)
        out.add(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.add(UInt8(ascii: "}"))
    }
  }
}
