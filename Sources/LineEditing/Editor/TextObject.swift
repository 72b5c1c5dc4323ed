/// A text object of vi: a word, or the text between quotes or brackets.
struct TextObject: Equatable {
  /// The character that names it: `w W " ' ( [ { <` and the other names of brackets.
  var kind: Unicode.Scalar
  /// Indicates whether the surroundings are included (`a`) or not (`i`).
  var isAround: Bool

  private static let brackets: [Unicode.Scalar: (open: Unicode.Scalar, close: Unicode.Scalar)] = [
    "(": ("(", ")"), ")": ("(", ")"), "b": ("(", ")"), "[": ("[", "]"), "]": ("[", "]"), "{": ("{", "}"),
    "}": ("{", "}"), "B": ("{", "}"), "<": ("<", ">"), ">": ("<", ">"),
  ]

  /// Returns the range of the object at the cursor in scalars, or `nil` if there is none.
  func range(in text: String, at cursor: Int) -> Range<Int>? {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return nil }
    let position = min(cursor, scalars.count - 1)
    switch kind {
    case "w", "W": return word(scalars, position)
    case "\"", "'", "`": return quoted(scalars, position)
    default: return Self.brackets[kind].flatMap { bracketed(scalars, at: position, open: $0.open, close: $0.close) }
    }
  }

  // MARK: Words

  private func word(_ scalars: [Unicode.Scalar], _ position: Int) -> Range<Int> {
    let word = run(scalars, position)
    guard isAround else { return word }
    if isBlank(scalars[position]) {
      return word.lowerBound..<(word.upperBound < scalars.count ? run(scalars, word.upperBound) : word).upperBound
    }
    if word.upperBound < scalars.count, isBlank(scalars[word.upperBound]) {
      return word.lowerBound..<run(scalars, word.upperBound).upperBound
    }
    let hasBlankBefore = word.lowerBound > 0 && isBlank(scalars[word.lowerBound - 1])
    return (hasBlankBefore ? run(scalars, word.lowerBound - 1).lowerBound : word.lowerBound)..<word.upperBound
  }

  /// Returns the range of scalars of the same class around `position`.
  private func run(_ scalars: [Unicode.Scalar], _ position: Int) -> Range<Int> {
    let wanted = characterClass(scalars[position])
    var (start, end) = (position, position + 1)
    while start > 0, characterClass(scalars[start - 1]) == wanted { start -= 1 }
    while end < scalars.count, characterClass(scalars[end]) == wanted { end += 1 }
    return start..<end
  }

  private func characterClass(_ scalar: Unicode.Scalar) -> Int {
    if isBlank(scalar) { return 0 }
    if kind == "W" { return 1 }
    let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    return isLetter ? 1 : 2
  }

  private func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" }

  // MARK: Quotes and brackets

  /// Returns the pair of quotes around the cursor, or else the first one after it.
  private func quoted(_ scalars: [Unicode.Scalar], _ position: Int) -> Range<Int>? {
    var open: Int?
    var index = 0
    while index < scalars.count {
      if scalars[index] == "\\" {
        index += 2
        continue
      }
      if scalars[index] == kind {
        if let start = open {
          if index >= position { return around(start, index, in: scalars) }
          open = nil
        } else {
          open = index
        }
      }
      index += 1
    }
    return nil
  }

  private func around(_ open: Int, _ close: Int, in scalars: [Unicode.Scalar]) -> Range<Int> {
    guard isAround else { return (open + 1)..<close }
    let isFollowed = close + 1 < scalars.count && isBlank(scalars[close + 1])
    return open..<(isFollowed ? run(scalars, close + 1).upperBound : close + 1)
  }

  private func bracketed(
    _ scalars: [Unicode.Scalar], at position: Int, open: Unicode.Scalar, close: Unicode.Scalar
  ) -> Range<Int>? {
    var depth = scalars[position] == close ? -1 : 0
    var start = position
    while scalars[start] != open || depth != 0 {
      if scalars[start] == close { depth += 1 }
      if scalars[start] == open { depth -= 1 }
      guard start > 0 else { return nil }
      start -= 1
    }
    depth = 0
    for end in start..<scalars.count {
      if scalars[end] == open { depth += 1 }
      if scalars[end] == close { depth -= 1 }
      if depth == 0 { return isAround ? start..<(end + 1) : (start + 1)..<end }
    }
    return nil
  }
}
