import Networking

/// The path of a value in a JSON document (RFC 6901): `/stockrecords/0/price`, or the empty text for the document itself.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  package let tokens: [String]

  package static let root = JSONPointer(tokens: [])

  private init(tokens: [String]) { self.tokens = tokens }

  /// Parses a pointer, or returns `nil` if it neither is empty nor begins with `/`, or if a `~` is followed by anything
  /// but 0 and 1.
  package init?(_ text: String) {
    guard text.isEmpty || text.first == "/" else { return nil }
    var tokens: [String] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard part.utf8.contains(UInt8(ascii: "~")) else {
        tokens.append(String(part))
        continue
      }
      guard !part.contains(#/~(?![01])/#) else { return nil }
      tokens.append(String(part).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
    self.tokens = tokens
  }

  package var description: String {
    tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// Returns the value in a document, or `nil` if there is none.
  package func value(in document: JSON) -> JSON? {
    var value = document
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return nil }
        value = elements[index]
      case .null, .bool, .number, .string, .invalidLiteral: return nil
      }
    }
    return value
  }

  /// Returns a document with this value, or `nil` if the place doesn't exist and can't be made.
  ///
  /// Missing objects are created, and a missing array for the index 0; an array grows by one element at its end.
  package func setting(_ value: JSON, in document: JSON?) -> JSON? {
    guard let token = tokens.first else { return value }
    let rest = JSONPointer(tokens: Array(tokens.dropFirst()))
    switch document {
    case nil, .null:
      guard let inner = rest.setting(value, in: nil) else { return nil }
      return token == "0" ? .array([inner]) : .object([(token, inner)])
    case .object(let object):
      guard let inner = rest.setting(value, in: object[token]) else { return nil }
      let keys = object[token] == nil ? object.keys + [token] : object.keys
      return .object(keys.compactMap { key in (key == token ? inner : object[key]).map { (key, $0) } })
    case .array(var elements):
      guard let index = JSONPointer.index(token), index <= elements.count,
        let inner = rest.setting(value, in: elements.indices.contains(index) ? elements[index] : nil)
      else { return nil }
      if index == elements.count { elements.append(inner) } else { elements[index] = inner }
      return .array(elements)
    case .bool, .number, .string, .invalidLiteral: return nil
    }
  }

  /// Returns a document without the member at this place.
  ///
  /// An element of an array isn't removed.
  package func removing(from document: JSON) -> JSON {
    guard let token = tokens.first else { return document }
    let rest = JSONPointer(tokens: Array(tokens.dropFirst()))
    switch document {
    case .object(let object):
      return .object(
        object.keys.compactMap { key in
          guard let member = object[key] else { return nil }
          guard key == token else { return (key, member) }
          return rest.tokens.isEmpty ? nil : (key, rest.removing(from: member))
        })
    case .array(var elements):
      guard !rest.tokens.isEmpty, let index = JSONPointer.index(token), elements.indices.contains(index) else {
        return document
      }
      elements[index] = rest.removing(from: elements[index])
      return .array(elements)
    case .null, .bool, .number, .string, .invalidLiteral: return document
    }
  }

  /// Returns the pointer to a member, or to an element by its index.
  package func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }

  /// The pointers to the arrays of which this one names an element by its index.
  package var arrays: [JSONPointer] {
    tokens.indices.filter { JSONPointer.index(tokens[$0]) != nil }.map { JSONPointer(tokens: Array(tokens[..<$0])) }
  }

  /// The pointer to the object or array around the value, or `nil` for the document itself.
  package var container: JSONPointer? { tokens.isEmpty ? nil : JSONPointer(tokens: tokens.dropLast()) }

  /// Returns whether this place is inside the value at another place, or the same place.
  package func isBelow(_ other: JSONPointer) -> Bool { tokens.starts(with: other.tokens) }

  /// Returns the index that a token names: digits without a leading zero.
  private static func index(_ token: String) -> Int? {
    guard token == "0" || token.utf8.first != UInt8(ascii: "0"), token.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(token)
  }
}

/// A place in a response: a value of its body, or one of its header fields, `$response.header.NAME` (as OpenAPI's runtime
/// expressions name it).
package enum ResponseLocation: Hashable, Sendable, CustomStringConvertible {
  case body(JSONPointer)
  case header(String)

  private static let headerPrefix = "$response.header."

  package init?(_ text: String) {
    if text.hasPrefix(ResponseLocation.headerPrefix) {
      let name = String(text.dropFirst(ResponseLocation.headerPrefix.count))
      guard HeaderField(name, "").isValid else { return nil }
      self = .header(name)
    } else {
      guard let pointer = JSONPointer(text) else { return nil }
      self = .body(pointer)
    }
  }

  package var description: String {
    switch self {
    case .body(let pointer): pointer.description
    case .header(let name): ResponseLocation.headerPrefix + name
    }
  }
}
