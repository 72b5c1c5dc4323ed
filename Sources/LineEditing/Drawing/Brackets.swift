/// Finds matching brackets of a line, outside quotes.
struct Brackets {
  private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]
  private static let opening: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "[", "}": "{"]

  private let text: String

  init(_ text: String) { self.text = text }

  /// Returns the offsets of the bracket at the cursor, or of the closing one just before it, and of the matching one,
  /// in Unicode scalars; an empty array if there is no pair.
  func pair(at cursor: Int) -> [Int] {
    let scalars = Array(text.unicodeScalars)
    guard let place = bracket(at: cursor, in: scalars) else { return [] }
    let quoted = Self.quoted(scalars)
    guard !quoted[place] else { return [] }
    let isOpening = Self.closing[scalars[place]] != nil
    guard let other = Self.closing[scalars[place]] ?? Self.opening[scalars[place]] else { return [] }
    var depth = 0
    for index in isOpening ? Array(place..<scalars.count) : Array((0...place).reversed()) where !quoted[index] {
      if scalars[index] == scalars[place] { depth += 1 }
      if scalars[index] == other { depth -= 1 }
      if depth == 0 { return [place, index] }
    }
    return []
  }

  private func bracket(at cursor: Int, in scalars: [Unicode.Scalar]) -> Int? {
    if cursor < scalars.count, Self.closing[scalars[cursor]] != nil || Self.opening[scalars[cursor]] != nil {
      return cursor
    }
    return (1...scalars.count).contains(cursor) && Self.opening[scalars[cursor - 1]] != nil ? cursor - 1 : nil
  }

  /// Returns for each scalar whether it is between quotes or is a quote.
  private static func quoted(_ scalars: [Unicode.Scalar]) -> [Bool] {
    var quoted = [Bool](repeating: false, count: scalars.count)
    var quote: Unicode.Scalar?
    var isEscaped = false
    for (index, scalar) in scalars.enumerated() {
      quoted[index] = quote != nil || scalar == "\"" || scalar == "'"
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "\"" || scalar == "'" {
        quote = scalar
      }
    }
    return quoted
  }
}
