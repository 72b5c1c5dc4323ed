/// The structure of a regular expression.
///
/// A node that matches one character is left to Swift's `Regex`; see ``CharacterTest``.
indirect enum PatternNode {
  /// The text between two groups, as typed: its characters may join over escapes, such as `e\u{301}`.
  case literal(String, ignoresCase: Bool)
  case test(CharacterTest)
  case anchor(Anchor)
  case sequence([PatternNode])
  case alternation([PatternNode])
  case group(Int, PatternNode)
  case repetition(PatternNode, ClosedRange<Int>, Greed)
  /// A lookahead.
  case look(PatternNode, isNegative: Bool)
  case atomic(PatternNode)
  case backreference(Int, ignoresCase: Bool)

  /// A repetition without an upper limit.
  static let unlimited = Int.max

  enum Greed { case eager, reluctant, possessive }

  /// A position in a text.
  enum Anchor {
    case start, end, endBeforeNewline
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary
    /// The start of the search.
    case searchStart
    case nowhere
  }
}

/// The reason why a regular expression isn't used.
enum PatternFault: Error, Hashable {
  /// Swift's parser rejects it.
  case invalid
  /// It has more characters, groups or repetitions than are accepted.
  case tooLarge
}

/// A parser for the structure of regular expressions in the syntax of Swift's `Regex` (SE-0355).
///
/// Swift's own parser has accepted the text already; this one only finds its structure.
struct PatternParser {
  /// The maximum number of characters of a pattern.
  static let maximumCharacters = 2_000
  /// The maximum depth of groups.
  static let maximumDepth = 50

  private struct Options {
    var ignoresCase: Bool
    var dotMatchesNewlines = false
    var anchorsMatchLines = false
    var skipsBlanks = false
    var capturesNamesOnly = false
    var isReluctant = false
  }

  private let characters: [Character]
  private var index = 0
  private var depth = 0
  private(set) var groups = 1
  private var names: [String: Int] = [:]
  private var options: Options
  private(set) var tests: [CharacterTest] = []
  private var known: [String: CharacterTest] = [:]

  init(_ source: String, ignoresCase: Bool) {
    characters = Array(source)
    options = Options(ignoresCase: ignoresCase)
  }

  /// Returns whether Swift's parser, which is recursive, may be given the text.
  static func isBounded(_ source: String) -> Bool {
    var (depth, deepest, count) = (0, 0, 0)
    for scalar in source.unicodeScalars {
      count += 1
      if scalar == "(" || scalar == "[" { depth += 1 }
      if scalar == ")" || scalar == "]" { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return count <= maximumCharacters && deepest <= maximumDepth
  }

  mutating func pattern() throws(PatternFault) -> PatternNode {
    let node = try alternation()
    guard index == characters.count else { throw .invalid }
    return node
  }

  // MARK: Structure

  /// Parses alternatives up to the end of the group.
  private mutating func alternation() throws(PatternFault) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PatternParser.maximumDepth + 1 else { throw .tooLarge }
    var alternatives: [PatternNode] = []
    while true {
      alternatives.append(try sequence())
      guard peek == "|" else { break }
      index += 1
    }
    return alternatives.count == 1 ? alternatives[0] : .alternation(alternatives)
  }

  private mutating func sequence() throws(PatternFault) -> PatternNode {
    var nodes: [PatternNode] = []
    while let character = peek, character != "|", character != ")" {
      guard let node = try atom() else { continue }
      guard let (range, greed) = try quantifier() else {
        if case .literal(let text, let ignoresCase) = node, case .literal(let before, ignoresCase)? = nodes.last {
          nodes[nodes.count - 1] = .literal(before + text, ignoresCase: ignoresCase)
        } else {
          nodes.append(node)
        }
        continue
      }
      nodes.append(.repetition(node, range, greed))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// Parses one element without its quantifier, or returns `nil` for a comment, a space or a change of options.
  private mutating func atom() throws(PatternFault) -> PatternNode? {
    guard let character = take() else { throw .invalid }
    switch character {
    case "(": return try group()
    case "[": return .test(try bracket(from: index - 1))
    case ".": return .test(try test("."))
    case "^": return .anchor(options.anchorsMatchLines ? .lineStart : .start)
    case "$": return .anchor(options.anchorsMatchLines ? .lineEnd : .end)
    case "\\": return try escape()
    case _ where options.skipsBlanks && character.isWhitespace: return nil
    case "#" where options.skipsBlanks:
      while let next = peek, !next.isNewline, index < characters.count { _ = (next, index += 1) }
      return nil
    default: return literal(String(character))
    }
  }

  private mutating func quantifier() throws(PatternFault) -> (ClosedRange<Int>, PatternNode.Greed)? {
    if options.skipsBlanks { while let next = peek, next.isWhitespace { index += 1 } }
    let range: ClosedRange<Int>
    switch peek {
    case "*": range = 0...PatternNode.unlimited
    case "+": range = 1...PatternNode.unlimited
    case "?": range = 0...1
    case "{":
      let start = index
      guard let counted = counts() else {
        index = start
        return nil
      }
      range = counted
      index -= 1
    default: return nil
    }
    index += 1
    switch peek {
    case "?":
      index += 1
      return (range, options.isReluctant ? .eager : .reluctant)
    case "+":
      index += 1
      return (range, .possessive)
    default: return (range, options.isReluctant ? .reluctant : .eager)
    }
  }

  /// Parses `{2}`, `{2,}`, `{,2}` or `{2,3}`; anything else in braces is text.
  private mutating func counts() -> ClosedRange<Int>? {
    index += 1
    func number(_ text: Substring) -> Int? { text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil }
    guard let end = characters[index...].firstIndex(of: "}") else { return nil }
    let text = String(characters[index..<end]).filter { !$0.isWhitespace }
    index = end + 1
    let halves = text.split(separator: ",", omittingEmptySubsequences: false)
    switch halves.count {
    case 1: return number(halves[0]).map { $0...$0 }
    case 2 where halves[0].isEmpty: return number(halves[1]).map { 0...$0 }
    case 2 where halves[1].isEmpty: return number(halves[0]).map { $0...PatternNode.unlimited }
    case 2:
      guard let low = number(halves[0]), let high = number(halves[1]), low <= high else { return nil }
      return low...high
    default: return nil
    }
  }

  // MARK: Groups

  private mutating func group() throws(PatternFault) -> PatternNode? {
    let outer = options
    guard peek == "?" else {
      let number = options.capturesNamesOnly ? nil : nextGroup()
      let inner = try alternation()
      try close(outer)
      return number.map { .group($0, inner) } ?? .sequence([inner])
    }
    index += 1
    if take("#") {
      while let next = take(), next != ")" {}
      return nil
    }
    if take(":") { return .sequence([try inside(outer)]) }
    if take("=") { return .look(try inside(outer), isNegative: false) }
    if take("!") { return .look(try inside(outer), isNegative: true) }
    if take(">") { return .atomic(try inside(outer)) }
    if take("P=") { return .backreference(try group(named: until(")")), ignoresCase: options.ignoresCase) }
    for (opening, closing) in [("P<", ">"), ("<", ">"), ("'", "'")] as [(String, Character)] where take(opening) {
      let number = nextGroup()
      names[until(closing)] = number
      return .group(number, try inside(outer))
    }
    try changeOptions()
    if take(")") { return nil }
    guard take(":") else { throw .invalid }
    return .sequence([try inside(outer)])
  }

  private mutating func inside(_ outer: Options) throws(PatternFault) -> PatternNode {
    let node = try alternation()
    try close(outer)
    return node
  }

  private mutating func close(_ outer: Options) throws(PatternFault) {
    guard take(")") else { throw .invalid }
    options = outer
  }

  private mutating func nextGroup() -> Int {
    defer { groups += 1 }
    return groups
  }

  /// Parses options such as `i-s` up to `)` or `:`.
  private mutating func changeOptions() throws(PatternFault) {
    var isOn = true
    if take("^") { options = Options(ignoresCase: false) }
    while let character = peek, character != ")", character != ":" {
      index += 1
      switch character {
      case "-": isOn = false
      case "i": options.ignoresCase = isOn
      case "s": options.dotMatchesNewlines = isOn
      case "m": options.anchorsMatchLines = isOn
      case "x": options.skipsBlanks = isOn
      case "n": options.capturesNamesOnly = isOn
      case "U": options.isReluctant = isOn
      default: throw .invalid
      }
    }
  }

  private func group(named name: String) throws(PatternFault) -> Int {
    guard let number = names[name] ?? Int(name) else { throw .invalid }
    return number
  }

  // MARK: Characters

  private func literal(_ text: String) -> PatternNode { .literal(text, ignoresCase: options.ignoresCase) }

  private mutating func escape() throws(PatternFault) -> PatternNode {
    let start = index - 1
    guard let character = take() else { throw .invalid }
    switch character {
    case "A": return .anchor(.start)
    case "z": return .anchor(.end)
    case "Z": return .anchor(.endBeforeNewline)
    case "b": return .anchor(.wordBoundary)
    case "B": return .anchor(.noWordBoundary)
    case "G": return .anchor(.searchStart)
    // Every position is between two characters.
    case "y": return .sequence([])
    case "Y": return .anchor(.nowhere)
    case "Q":
      var text = ""
      while index < characters.count, !take("\\E") { text.append(characters[index]); index += 1 }
      return literal(text)
    case "1"..."9":
      var digits = String(character)
      while let next = peek, next.isASCII, next.isNumber { digits.append(next); index += 1 }
      return .backreference(try group(named: digits), ignoresCase: options.ignoresCase)
    case "k", "g":
      for (opening, closing) in [("{", "}"), ("<", ">"), ("'", "'")] as [(String, Character)] where take(opening) {
        return .backreference(try group(named: until(closing)), ignoresCase: options.ignoresCase)
      }
      var digits = ""
      while let next = peek, next.isASCII, next.isNumber { digits.append(next); index += 1 }
      return .backreference(try group(named: digits), ignoresCase: options.ignoresCase)
    case "u", "x", "U":
      if let text = scalars(digits: character == "u" ? 4 : character == "U" ? 8 : 2) { return literal(text) }
      throw .invalid
    case "p", "P", "N", "o":
      if peek == "{" { _ = until("}") } else if character == "p" || character == "P" { index += 1 }
      return .test(try test(from: start))
    case "0":
      while let next = peek, ("0"..."7").contains(next), index - start < 5 { index += 1 }
      return .test(try test(from: start))
    case _ where character.isLetter || character.isNumber: return .test(try test(from: start))
    default: return literal(String(character))
    }
  }

  /// Parses the scalars of an escape: `{1F600 FE0F}` or a number of digits.
  private mutating func scalars(digits: Int) -> String? {
    let numbers: [Substring]
    let text: String
    if take("{") {
      text = until("}")
      numbers = text.split(whereSeparator: \.isWhitespace)
    } else {
      text = String(characters[index...].prefix(digits).prefix { $0.isHexDigit })
      index += text.count
      numbers = [text[...]]
    }
    var result = String.UnicodeScalarView()
    for number in numbers {
      guard let scalar = (number.isEmpty ? 0 : UInt32(number, radix: 16)).flatMap(Unicode.Scalar.init) else {
        return nil
      }
      result.append(scalar)
    }
    return String(result)
  }

  /// Parses a custom character class to its closing bracket.
  private mutating func bracket(from start: Int) throws(PatternFault) -> CharacterTest {
    var level = 1
    while level > 0 {
      guard let character = take() else { throw .invalid }
      switch character {
      case "[": level += 1
      case "]": level -= 1
      case "\\":
        if take("Q") { while index < characters.count, !take("\\E") { index += 1 } } else { index += 1 }
      default: break
      }
    }
    return try test(from: start)
  }

  private mutating func test(from start: Int) throws(PatternFault) -> CharacterTest {
    guard index <= characters.count else { throw .invalid }
    return try test(String(characters[start..<index]))
  }

  private mutating func test(_ source: String) throws(PatternFault) -> CharacterTest {
    let flags =
      (options.ignoresCase ? "i" : "") + (options.dotMatchesNewlines ? "s" : "") + (options.skipsBlanks ? "x" : "")
    let whole = flags.isEmpty ? source : "(?\(flags))" + source
    if let test = known[whole] { return test }
    guard let test = CharacterTest(whole) else { throw .invalid }
    known[whole] = test
    return test
  }

  // MARK: Reading

  private var peek: Character? { index < characters.count ? characters[index] : nil }

  private mutating func take() -> Character? {
    guard let character = peek else { return nil }
    index += 1
    return character
  }

  private mutating func take(_ text: String) -> Bool {
    guard characters[index...].starts(with: text) else { return false }
    index += text.count
    return true
  }

  private mutating func until(_ end: Character) -> String {
    let text = characters[index...].prefix { $0 != end }
    index = min(characters.count, index + text.count + 1)
    return String(text)
  }
}
