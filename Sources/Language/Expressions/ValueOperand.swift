import Catalog
import Networking
import Text

/// One side of a comparison between values: what it is now, with its type, and how it is written.
package struct ValueOperand: Hashable, Sendable {
  /// `$p.price`; nil for a value that stands in the line itself.
  package let name: String?
  /// Nil in a line that is only checked, for a variable without a value yet.
  package let value: NamedValue?
  /// Typed without quotes: `null` asks whether the other side is null, `300ms` is a number beside a number.
  let isBare: Bool

  /// One variable, or a text of several pieces.
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

  /// A word that is typed without quotes.
  init(bareWord text: String) {
    name = nil
    value = .value(JSON(bareWord: text))
    isBare = true
  }

  init(name: String?, _ value: NamedValue?, isBare: Bool = false) {
    self.name = name
    self.value = value
    self.isBare = isBare
  }
}

extension ValueOperand {
  /// Equal where they are the same value, however it is written.
  package static func == (left: ValueOperand, right: ValueOperand) -> Bool { left.value == right.value }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ValueOperand: CustomStringConvertible {
  /// As it is written in the language.
  package var description: String {
    switch value {
    case .value(.string(let text)): Quoting.quote(text, always: true)
    case .value(.null), .value(.bool), .value(.number): value?.json?.text ?? ""
    case .value(let json): Quoting.quote(json.text, always: true)
    case .elements, .missing, nil: name ?? "''"
    }
  }
}
