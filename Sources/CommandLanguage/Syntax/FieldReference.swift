import Catalog
import Networking

/// A reference to a field in a bare word: `_.price` of the last product, `@3.name` of row 3 of the last listing; after
/// `raw` a part of the response, `_.pages[0].id`.
///
/// It is a word of its own or follows an operator (`price=_.price`, `price>@3.price`). A file with such a name is
/// written `@./3.name`.
enum FieldReference {
  /// Splits references from the bare parts of a word.
  ///
  /// Each becomes a variable part whose text is the reference.
  static func split(_ parts: [Word.Part]) -> [Word.Part] {
    guard
      parts.contains(where: {
        $0.kind == .bare && $0.text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
      })
    else { return parts }
    var result: [Word.Part] = []
    for (number, part) in parts.enumerated() {
      guard part.kind == .bare, part.text.unicodeScalars.count == part.range.count else {
        result.append(part)
        continue
      }
      result += split(part, isFirst: number == 0, isLast: number == parts.count - 1)
    }
    return result
  }

  /// Returns whether a text contains a reference.
  static func containsReference(_ text: String) -> Bool {
    let count = text.unicodeScalars.count
    return split([Word.Part(kind: .bare, text: text, range: 0..<count)]).contains { $0.kind == .variable }
  }

  private static func split(_ part: Word.Part, isFirst: Bool, isLast: Bool) -> [Word.Part] {
    let scalars = Array(part.text.unicodeScalars)
    var result: [Word.Part] = []
    var done = 0
    func take(_ range: Range<Int>, _ kind: Word.Kind) {
      guard !range.isEmpty else { return }
      let start = part.range.lowerBound
      result.append(
        Word.Part(
          kind: kind, text: String(scalars[range]), range: (start + range.lowerBound)..<(start + range.upperBound)
        ))
    }
    var index = 0
    while index < scalars.count {
      let begins = index == 0 ? isFirst : isSign(scalars[index - 1])
      guard begins, let end = end(of: scalars, from: index),
        end == scalars.count ? isLast : isSign(scalars[end])
      else {
        index += 1
        continue
      }
      take(done..<index, .bare)
      take(index..<end, .variable)
      (done, index) = (end, end)
    }
    take(done..<scalars.count, .bare)
    return result
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool { "=<>!~(),".unicodeScalars.contains(scalar) }

  /// Returns the end of `_.field` or `@3.field` that begins at `start`, or `nil`.
  private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start + 1
    switch scalars[start] {
    case "_": break
    case "@":
      while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
      guard index > start + 1 else { return nil }
    default: return nil
    }
    if scalars[start] == "_" {
      let (steps, end) = ValuePath.read(scalars, from: index, quotedKeys: false)
      return steps.isEmpty ? nil : end
    }
    guard index < scalars.count, scalars[index] == "." else { return nil }
    let name = index + 1
    index = name
    while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
    return FieldNameTable.allEditions.field(String(scalars[name..<index])) == nil ? nil : index
  }
}

/// The value of a name when a line is parsed: `$p.price`, `_.name`, `@3.stock`.
package enum NamedValue: Hashable, Sendable {
  case value(JSON)
  /// The values of a path with `[*]`, in order.
  case elements([Element])
  /// There is a response or a product of that name, but it doesn't have the member.
  case missing

  /// One of the values of a path with `[*]`.
  package struct Element: Hashable, Sendable {
    /// The path of the value: `$p.pages[3].price`.
    package var path: String
    /// The value, or `nil` if the member is missing.
    package var value: JSON?

    package init(path: String, value: JSON?) {
      self.path = path
      self.value = value
    }
  }

  /// Creates a number if the text is one, otherwise the text.
  package init(word text: String) { self = .value(JSON(word: text)) }

  /// The text that replaces the name in a line, or `nil` if there isn't exactly one value.
  package var text: String? {
    if case .value(let json) = self { json.plainText } else { nil }
  }

  /// The value, or `nil` if there isn't exactly one.
  package var json: JSON? {
    if case .value(let json) = self { json } else { nil }
  }

  /// A Boolean value that indicates whether a path may lead into the value.
  var isNested: Bool {
    switch self {
    case .value(.array), .value(.object), .elements: true
    case .value, .missing: false
    }
  }
}

/// Returns the value of a name without its dollar sign (`p`, `p.pages[0].id`, `_.price`), or `nil` if it isn't defined.
package typealias NamedValues = (String) -> NamedValue?

/// Numbers in lines: digits without exponent and separators, so that nothing is ambiguous.
///
/// Full-width digits count as ASCII ones.
package enum NumberLiteral {
  /// Parses an integer of at most 15 digits, possibly negative, or returns `nil`.
  static func integer(_ text: String) -> Int? {
    let text = text.withPlainDigits
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Parses a decimal number, `-?digits[.digits]`, with at most 18 digits before and 6 after the point, or returns
  /// `nil`.
  package static func decimal(_ text: String) -> Amount? { decimal(text, whole: 18, fraction: 6) }

  /// Parses a number of a formula, with at most 30 digits before and 8 after the point, or returns `nil`.
  ///
  /// Sums and differences of such numbers are exact: a `Decimal` has 38 digits.
  static func term(_ text: String) -> Amount? { decimal(text, whole: 30, fraction: 8) }

  private static func decimal(_ text: String, whole: Int, fraction: Int) -> Amount? {
    let text = text.withPlainDigits
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    let parts = unsigned.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...whole).contains(parts[0].count),
      parts.count == 1 || (1...fraction).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return Amount(plain: text)
  }
}

/// A path into a JSON value, written after its name: `.pages[0].id`, `[-1]`, `["key"]`, `[*]`, `.headers.Content-Type`.
package struct ValuePath: Hashable, Sendable {
  /// A step of a path.
  package enum Step: Hashable, Sendable {
    case key(String)
    /// An element of an array, counted from 0, or from the end if it is negative.
    case index(Int)
    /// Every element of an array: `[*]`.
    case every
  }

  package let steps: [Step]

  /// Parses a complete text as a path, or returns `nil`.
  package init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let (steps, end) = ValuePath.read(scalars, from: 0, quotedKeys: true)
    guard end == scalars.count else { return nil }
    self.steps = steps
  }

  /// A Boolean value that indicates whether the path leads to several values.
  package var hasEvery: Bool { steps.contains(.every) }

  /// Returns a step in its notation.
  package static func text(_ step: Step) -> String {
    switch step {
    case .key(let name):
      let scalars = Array(name.unicodeScalars)
      let isPlain = scalars.first.map(Lexer.isNameStart) == true && scalars.allSatisfy(Lexer.isName)
      return isPlain ? "." + name : "[\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"]"
    case .index(let index): return "[\(index)]"
    case .every: return "[*]"
    }
  }

  /// Parses the longest path at `start`.
  ///
  /// A dot or bracket that doesn't continue the path is text.
  ///
  /// `quotedKeys` allows `["key"]`, which isn't part of a path within double quotes.
  static func read(
    _ scalars: [Unicode.Scalar], from start: Int, quotedKeys: Bool
  ) -> (steps: [Step], end: Int) {
    var steps: [Step] = []
    var index = start
    while index + 1 < scalars.count {
      let next = scalars[index + 1]
      if scalars[index] == ".", Lexer.isNameStart(next) {
        // Names of headers contain hyphens.
        let isHeader = steps == [.key("headers")]
        var end = index + 1
        while end < scalars.count, Lexer.isName(scalars[end]) || (isHeader && scalars[end] == "-") { end += 1 }
        steps.append(.key(String(scalars[(index + 1)..<end])))
        index = end
      } else if scalars[index] == "[", let (step, end) = bracketed(scalars, from: index + 1, quotedKeys) {
        steps.append(step)
        index = end
      } else {
        break
      }
    }
    return (steps, index)
  }

  private static func bracketed(
    _ scalars: [Unicode.Scalar], from start: Int, _ quotedKeys: Bool
  ) -> (step: Step, end: Int)? {
    let first = scalars[start]
    if quotedKeys, first == "\"" || first == "'" { return key(scalars, from: start + 1, until: first) }
    if first == "*" { return start + 1 < scalars.count && scalars[start + 1] == "]" ? (.every, start + 2) : nil }
    let isNegative = first == "-"
    let from = isNegative ? start + 1 : start
    var end = from
    while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
    guard (1...9).contains(end - from), end < scalars.count, scalars[end] == "]",
      let number = Int(String(scalars[from..<end]))
    else { return nil }
    return (.index(isNegative ? -number : number), end + 1)
  }

  /// Parses `key"]`.
  ///
  /// In double quotes, a backslash makes the next character part of the key.
  private static func key(
    _ scalars: [Unicode.Scalar], from start: Int, until quote: Unicode.Scalar
  ) -> (step: Step, end: Int)? {
    var name = String.UnicodeScalarView()
    var end = start
    while end < scalars.count, scalars[end] != quote {
      if quote == "\"", scalars[end] == "\\", end + 1 < scalars.count { end += 1 }
      name.append(scalars[end])
      end += 1
    }
    guard end + 1 < scalars.count, scalars[end + 1] == "]" else { return nil }
    return (.key(String(name)), end + 2)
  }

  /// Splits a variable into its name and its path: `p` and `.pages[0]`.
  ///
  /// A row and the last product have names too.
  package static func split(_ name: String) -> (root: String, rest: String) {
    let end = name.unicodeScalars.firstIndex { $0 == "." || $0 == "[" } ?? name.endIndex
    return (String(name[..<end]), String(name[end...]))
  }
}
