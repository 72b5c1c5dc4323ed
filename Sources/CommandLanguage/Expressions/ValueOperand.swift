import Networking

/// One side of a comparison between values: its typed value and its notation.
package struct ValueOperand: Hashable, Sendable {
  /// The variable, such as `$p.price`, or `nil` for a value in the line itself.
  package let name: String?
  /// The value, or `nil` for a variable without a value in a line that is only checked.
  package let value: NamedValue?
  /// A Boolean value that indicates text without quotes: bare `null` tests for null, and bare `300ms` next to a number
  /// is a number.
  let isBare: Bool

  /// Creates the value of a variable, or a text of several parts.
  init(_ parts: [Word.Part], _ text: String) {
    isBare = false
    let said = parts.filter { $0.kind != .quoted || !$0.text.isEmpty }
    if said.count == 1, parts.count == 1, said[0].kind == .variable {
      name = said[0].name
      value = said[0].value
      return
    }
    name = nil
    let isKnown = said.allSatisfy { $0.kind != .variable || $0.value?.text != nil }
    value = isKnown ? .value(.string(text)) : nil
  }

  /// Creates the value of a word without quotes.
  init(bareWord text: String) {
    name = nil
    value = .value(JSON(bareWord: text))
    isBare = true
  }

  /// A Boolean value that indicates a text, or a variable without a value, which may be one.
  var isText: Bool {
    switch value {
    case .value(.string), nil: true
    case .value, .elements, .missing: false
    }
  }

  init(name: String?, _ value: NamedValue?, isBare: Bool = false) {
    self.name = name
    self.value = value
    self.isBare = isBare
  }
}

extension ValueOperand {
  /// Returns whether both sides have the same value, however they are written.
  package static func == (left: ValueOperand, right: ValueOperand) -> Bool { left.value == right.value }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ValueOperand: CustomStringConvertible {
  /// The value in the notation of the language.
  package var description: String {
    switch value {
    case .value(.string(let text)): Quoting.quote(text, always: true)
    case .value(.null), .value(.bool), .value(.number): value?.json?.serialized ?? ""
    case .value(let json): Quoting.quote(json.serialized, always: true)
    case .elements, .missing, nil: name ?? "''"
    }
  }
}
