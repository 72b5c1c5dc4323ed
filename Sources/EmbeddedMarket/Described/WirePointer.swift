/// The place of a value in a JSON document (RFC 6901), by the tokens of its pointer.
package struct WirePointer: Hashable, Sendable, CustomStringConvertible {
  package let tokens: [String]

  /// The complete document.
  package static let root = WirePointer([])

  package init(_ tokens: [String]) { self.tokens = tokens }

  package var description: String {
    tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// The object or array that contains the value; the document itself has none.
  var container: WirePointer? { tokens.isEmpty ? nil : WirePointer(Array(tokens.dropLast())) }

  /// Indicates that the value is an element of a list.
  var isElement: Bool { tokens.last.flatMap(WirePointer.index) != nil }

  /// The places of the lists of which the pointer names an element.
  var lists: [WirePointer] {
    tokens.indices.filter { WirePointer.index(tokens[$0]) != nil }.map { WirePointer(Array(tokens[..<$0])) }
  }

  func appending(_ token: String) -> WirePointer { WirePointer(tokens + [token]) }

  /// Returns the index that a token names: digits without a zero before them.
  static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard !digits.isEmpty, digits.count < 6, digits.allSatisfy({ (48...57).contains($0) }),
      digits.first != 48 || digits.count == 1
    else { return nil }
    return Int(token)
  }
}

extension WireJSON {
  /// Returns the value at a place, or `nil` if there is none.
  func value(at place: WirePointer) -> WireJSON? {
    var value = self
    for token in place.tokens {
      switch value {
      case .object:
        guard let member = value[token] else { return nil }
        value = member
      case .list(let elements):
        guard let index = WirePointer.index(token), elements.indices.contains(index) else { return nil }
        value = elements[index]
      case .null, .bool, .number, .text: return nil
      }
    }
    return value
  }

  /// Sets the value at a place, and creates the objects and lists around it.
  ///
  /// A list has the value as one of its elements or after its last one; a place beyond that is left out.
  mutating func set(_ value: WireJSON, at place: WirePointer) { set(value, at: place.tokens[...]) }

  private mutating func set(_ value: WireJSON, at tokens: ArraySlice<String>) {
    guard let token = tokens.first else {
      self = value
      return
    }
    let rest = tokens.dropFirst()
    switch self {
    case .object(var members):
      if let index = members.lastIndex(where: { $0.key == token }) {
        members[index].value.set(value, at: rest)
      } else {
        members.append(Member(token, WireJSON.containing(value, at: rest)))
      }
      self = .object(members)
    case .list(var elements):
      guard let index = WirePointer.index(token), index <= elements.count else { return }
      if index < elements.count {
        elements[index].set(value, at: rest)
      } else {
        elements.append(WireJSON.containing(value, at: rest))
      }
      self = .list(elements)
    case .null, .bool, .number, .text: self = WireJSON.containing(value, at: tokens)
    }
  }

  /// Returns objects and lists with a value at a place and nothing else.
  private static func containing(_ value: WireJSON, at tokens: ArraySlice<String>) -> WireJSON {
    tokens.reversed().reduce(value) { inner, token in token == "0" ? .list([inner]) : .object([Member(token, inner)]) }
  }

  /// Removes the member at a place; an element of a list stays.
  mutating func remove(at place: WirePointer) { remove(at: place.tokens[...]) }

  private mutating func remove(at tokens: ArraySlice<String>) {
    guard let token = tokens.first else { return }
    switch self {
    case .object(var members):
      if tokens.count == 1 {
        members.removeAll { $0.key == token }
      } else if let index = members.lastIndex(where: { $0.key == token }) {
        members[index].value.remove(at: tokens.dropFirst())
      }
      self = .object(members)
    case .list(var elements):
      guard tokens.count > 1, let index = WirePointer.index(token), elements.indices.contains(index) else { return }
      elements[index].remove(at: tokens.dropFirst())
      self = .list(elements)
    case .null, .bool, .number, .text: return
    }
  }

  /// Returns the value with the members of another one.
  ///
  /// Objects are merged. A list is replaced, unless it is one of `lists`, whose elements are merged one by one.
  func merged(
    with other: WireJSON, elementwise lists: Set<WirePointer>, at place: WirePointer = .root
  ) -> WireJSON {
    switch (self, other) {
    case (.object(var members), .object(let added)):
      var indices: [String: Int] = [:]
      for (index, member) in members.enumerated() { indices[member.key] = index }
      for member in added {
        if let index = indices[member.key] {
          let inner = place.appending(member.key)
          members[index].value = members[index].value.merged(with: member.value, elementwise: lists, at: inner)
        } else {
          indices[member.key] = members.count
          members.append(member)
        }
      }
      return .object(members)
    case (.list(let elements), .list(let added)) where lists.contains(place):
      return .list(
        added.enumerated().map { index, element in
          guard index < elements.count else { return element }
          return elements[index].merged(with: element, elementwise: lists, at: place.appending(String(index)))
        } + elements.dropFirst(added.count))
    default: return other
    }
  }

  /// Returns the value with texts in place of placeholders.
  ///
  /// A text that is nothing but a placeholder becomes its value, which may be a number.
  func filling(_ values: [String: WireJSON]) -> WireJSON {
    switch self {
    case .text(let text):
      if let value = values[text] { return value }
      var filled = text
      for (placeholder, value) in values { filled = filled.replacing(placeholder, with: value.plain) }
      return .text(filled)
    case .list(let elements): return .list(elements.map { $0.filling(values) })
    case .object(let members): return .object(members.map { Member($0.key, $0.value.filling(values)) })
    case .null, .bool, .number: return self
    }
  }

  /// The text or the number without quotes; "" for any other value.
  var plain: String {
    switch self {
    case .text(let text): text
    case .number(let digits): digits
    case .null, .bool, .list, .object: ""
    }
  }
}
