import Synchronization

/// A regular expression that is matched in a bounded number of steps.
///
/// Swift's `Regex` goes back without end in `(a+)+$`, and can't be stopped. This one goes back as well, and so finds the same
/// match, but never tries the same part of the pattern at the same place of the text twice, as RE2's backtracker does: the
/// steps grow with the product of the two lengths. Only a pattern with a reference to a group needs more; it is given up
/// after ``maximumSteps``, like a text that is too long.
///
/// The characters are those of Swift: grapheme clusters, compared by canonical equivalence.
struct PatternProgram: Sendable {
  /// The maximum number of steps of a search, about a second in a debug build.
  static let maximumSteps = 10_000_000
  /// The maximum number of instructions.
  static let maximumInstructions = 5_000
  /// The maximum number of characters of a text.
  static let maximumCharacters = 1_000_000

  /// The error for a search that was given up.
  struct TooManySteps: Error, Hashable {}

  fileprivate enum Instruction {
    case character(Character)
    /// A character in lowercase.
    case folded(String)
    case test(CharacterTest)
    case anchor(PatternNode.Anchor)
    /// Goes on at the first place, or if that fails at the second; the number counts these instructions.
    case split(Int, Int, number: Int)
    case jump(Int)
    /// Records the position in a slot.
    case save(Int)
    /// Goes back to the beginning of a loop unless this iteration, whose beginning is in the slot, was empty.
    case repeatUnlessEmpty(Int, slot: Int)
    /// Tests the instructions up to `end` ahead of the position.
    case look(end: Int, isNegative: Bool)
    /// Matches the instructions up to `end` once and for all.
    case atomic(end: Int)
    case backreference(Int, ignoresCase: Bool)
    case accept
  }

  /// The number of groups, with the complete match as group 0.
  let groups: Int
  fileprivate let instructions: [Instruction]
  fileprivate let slots: Int
  fileprivate let splits: Int
  /// A Boolean value that indicates that a failure depends on more than the place in pattern and text: on a group, or on the
  /// start of the search.
  fileprivate let triesAgain: Bool
  fileprivate let hasWordBoundary: Bool

  /// Compiles a regular expression in the syntax of Swift's `Regex`.
  ///
  /// - Throws: `PatternFault`.
  init(_ source: String, ignoresCase: Bool = false) throws(PatternFault) {
    guard PatternParser.isBounded(source) else { throw .tooLarge }
    guard (try? Regex(source)) != nil else { throw .invalid }
    var parser = PatternParser(source, ignoresCase: ignoresCase)
    let node = try parser.pattern()
    var builder = Builder(slots: 2 * parser.groups)
    try builder.add(node)
    builder.instructions.append(.accept)
    groups = parser.groups
    instructions = builder.instructions
    (slots, splits) = (builder.slots, builder.splits)
    (triesAgain, hasWordBoundary) = (builder.triesAgain, builder.hasWordBoundary)
  }

  /// Writes the instructions of a pattern.
  private struct Builder {
    var instructions: [Instruction] = []
    var slots: Int
    var splits = 0
    var triesAgain = false
    var hasWordBoundary = false

    mutating func add(_ node: PatternNode) throws(PatternFault) {
      guard instructions.count < maximumInstructions else { throw .tooLarge }
      switch node {
      case .literal(let text, let ignoresCase):
        for character in text {
          let isFolded = ignoresCase && character.isCased
          instructions.append(isFolded ? .folded(character.lowercased()) : .character(character))
        }
      case .test(let test): instructions.append(.test(test))
      case .anchor(let anchor):
        switch anchor {
        case .wordBoundary, .noWordBoundary: hasWordBoundary = true
        case .searchStart: triesAgain = true
        case .start, .end, .endBeforeNewline, .lineStart, .lineEnd, .nowhere: break
        }
        instructions.append(.anchor(anchor))
      case .sequence(let nodes): for node in nodes { try add(node) }
      case .alternation(let nodes): try add(alternatives: nodes[...])
      case .group(let number, let node):
        instructions.append(.save(2 * number))
        try add(node)
        instructions.append(.save(2 * number + 1))
      case .repetition(let node, let range, .possessive):
        try add(.atomic(.repetition(node, range, .eager)))
      case .repetition(let node, let range, let greed): try add(node, range, isEager: greed == .eager)
      case .look(let node, let isNegative): try enclose(node) { .look(end: $0, isNegative: isNegative) }
      case .atomic(let node): try enclose(node) { .atomic(end: $0) }
      case .backreference(let number, let ignoresCase):
        triesAgain = true
        instructions.append(.backreference(number, ignoresCase: ignoresCase))
      }
    }

    private mutating func enclose(
      _ node: PatternNode, _ instruction: (_ end: Int) -> Instruction
    ) throws(PatternFault) {
      let start = instructions.count
      instructions.append(.accept)
      try add(node)
      instructions.append(.accept)
      instructions[start] = instruction(instructions.count)
    }

    private mutating func add(alternatives: ArraySlice<PatternNode>) throws(PatternFault) {
      guard let first = alternatives.first else { return }
      guard alternatives.count > 1 else { return try add(first) }
      let split = begin()
      try add(first)
      let jump = instructions.count
      instructions.append(.accept)
      end(split, isEager: true)
      try add(alternatives: alternatives.dropFirst())
      instructions[jump] = .jump(instructions.count)
    }

    private mutating func add(
      _ node: PatternNode, _ range: ClosedRange<Int>, isEager: Bool
    ) throws(PatternFault) {
      for _ in 0..<range.lowerBound {
        let start = instructions.count
        try add(node)
        if instructions.count == start { return }
      }
      guard range.upperBound == PatternNode.unlimited else {
        return try addOptional(node, count: range.count - 1, isEager: isEager)
      }
      let slot = slots
      slots += 1
      let split = begin()
      instructions.append(.save(slot))
      try add(node)
      instructions.append(.repeatUnlessEmpty(split, slot: slot))
      end(split, isEager: isEager)
    }

    /// Adds up to `count` further iterations; each is within the one before it.
    private mutating func addOptional(_ node: PatternNode, count: Int, isEager: Bool) throws(PatternFault) {
      var open: [Int] = []
      for _ in 0..<count {
        open.append(begin())
        let start = instructions.count
        try add(node)
        if instructions.count == start { break }
      }
      for split in open { end(split, isEager: isEager) }
    }

    private mutating func begin() -> Int {
      instructions.append(.split(0, 0, number: splits))
      splits += 1
      return instructions.count - 1
    }

    /// Lets a split choose between the instruction after it and the next one.
    private mutating func end(_ split: Int, isEager: Bool) {
      guard case .split(_, _, let number) = instructions[split] else { return }
      let (inner, after) = (split + 1, instructions.count)
      instructions[split] = isEager ? .split(inner, after, number: number) : .split(after, inner, number: number)
    }
  }
}

extension PatternProgram {
  /// Returns whether a part of the text matches.
  ///
  /// - Throws: `TooManySteps`.
  func isContained(in text: String) throws(TooManySteps) -> Bool {
    var search = try Search(self, text)
    return try search.next() != nil
  }

  /// Returns whether all of the text matches, with a pattern that begins with `^` and ends with `$`.
  ///
  /// It returns false also if the search was given up.
  func fits(_ text: String) -> Bool { (try? isContained(in: text)) ?? false }

  /// The matches in a text in their order, each as the ranges of its groups in the characters.
  struct Matches {
    let characters: [Character]
    fileprivate(set) var all: [[Range<Int>?]] = []
    fileprivate(set) var steps = 0
  }

  /// Returns up to `most` matches.
  ///
  /// - Throws: `TooManySteps`.
  func matches(in text: String, most: Int) throws(TooManySteps) -> Matches {
    var search = try Search(self, text)
    var matches = Matches(characters: search.characters)
    while matches.all.count < most, let match = try search.next() { matches.all.append(match) }
    matches.steps = search.steps
    return matches
  }
}

/// A search for matches in one text.
private struct Search {
  /// A step back.
  private enum Frame {
    case branch(Int, Int)
    case restore(slot: Int, Int)
    /// The end of everything that was tried from a split at a position.
    case leave(Int)
  }

  /// The maximum number of steps back that are remembered.
  private static let maximumFrames = 4_000_000
  /// The maximum number of pairs of a split and a position.
  private static let maximumPairs = 256_000_000

  let characters: [Character]
  private let program: PatternProgram
  private var slots: [Int]
  private var frames: [Frame] = []
  /// The pairs of a split and a position that were tried: they have failed, or are being tried.
  private var tried: [UInt64] = []
  private(set) var steps = 0
  private var start = 0
  private var searchStart = 0
  private var boundaries: Set<Int> = []

  init(_ program: PatternProgram, _ text: String) throws(PatternProgram.TooManySteps) {
    self.program = program
    slots = Array(repeating: -1, count: program.slots)
    guard text.utf8.count <= 4 * PatternProgram.maximumCharacters else { throw PatternProgram.TooManySteps() }
    characters = Array(text)
    let pairs = program.splits * (characters.count + 1)
    guard characters.count <= PatternProgram.maximumCharacters, pairs <= Search.maximumPairs else {
      throw PatternProgram.TooManySteps()
    }
    if !program.triesAgain { tried = Array(repeating: 0, count: (pairs + 63) / 64) }
    if program.hasWordBoundary { boundaries = Search.wordBoundaries(of: text) }
  }

  /// Returns the next match, as the ranges of its groups.
  mutating func next() throws(PatternProgram.TooManySteps) -> [Range<Int>?]? {
    while start <= characters.count {
      for slot in slots.indices { slots[slot] = -1 }
      frames.removeAll(keepingCapacity: true)
      guard let end = try run(0, start) else {
        start += 1
        continue
      }
      var match: [Range<Int>?] = [start..<end]
      for group in 1..<max(1, program.groups) {
        let (lower, upper) = (slots[2 * group], slots[2 * group + 1])
        match.append(lower >= 0 && upper >= lower ? lower..<upper : nil)
      }
      start = end == start ? end + 1 : end
      searchStart = end
      return match
    }
    return nil
  }

  /// Runs the instructions from a place until one accepts, and returns the position there.
  private mutating func run(_ place: Int, _ position: Int) throws(PatternProgram.TooManySteps) -> Int? {
    let base = frames.count
    var (place, position) = (place, position)
    while true {
      steps += 1
      guard steps <= PatternProgram.maximumSteps, frames.count <= Search.maximumFrames else {
        throw PatternProgram.TooManySteps()
      }
      var holds = true
      switch program.instructions[place] {
      case .character(let character):
        holds = position < characters.count && characters[position] == character
        position += 1
      case .folded(let character):
        holds = position < characters.count && characters[position].lowercased() == character
        position += 1
      case .test(let test):
        holds = position < characters.count && test.passes(characters[position])
        position += 1
      case .anchor(let anchor): holds = isAt(anchor, position)
      case .split(let first, let second, let number):
        guard enter(number, position) else {
          holds = false
          break
        }
        frames.append(.branch(second, position))
        place = first - 1
      case .jump(let target): place = target - 1
      case .save(let slot): save(position, slot)
      case .repeatUnlessEmpty(let split, let slot): if slots[slot] != position { place = split - 1 }
      case .look(let end, let isNegative):
        let before = slots
        let isThere = try run(place + 1, position) != nil
        if isNegative { slots = before }
        holds = isThere != isNegative
        place = end - 1
      case .atomic(let end):
        if let reached = try run(place + 1, position) { position = reached } else { holds = false }
        place = end - 1
      case .backreference(let number, let ignoresCase):
        if let end = end(ofGroup: number, ignoresCase, at: position) { position = end } else { holds = false }
      case .accept:
        dropChoices(from: base)
        return position
      }
      if holds {
        place += 1
      } else if let (second, earlier) = goBack(base) {
        (place, position) = (second, earlier)
      } else {
        return nil
      }
    }
  }

  /// Goes back to the last branch that wasn't tried, and returns its instruction and position, or `nil` if none is left.
  private mutating func goBack(_ base: Int) -> (Int, Int)? {
    while frames.count > base {
      switch frames.removeLast() {
      case .branch(let place, let position): return (place, position)
      case .restore(let slot, let position): slots[slot] = position
      case .leave: break
      }
    }
    return nil
  }

  /// Drops the choices that are left after a match; those that led to it have not failed.
  private mutating func dropChoices(from base: Int) {
    var remaining: [Frame] = []
    for frame in frames[base...] {
      switch frame {
      case .branch: break
      case .restore: remaining.append(frame)
      case .leave(let pair): tried[pair / 64] &= ~(1 << UInt64(pair % 64))
      }
    }
    frames.replaceSubrange(base..., with: remaining)
  }

  /// Returns whether a split was not yet tried at a position.
  private mutating func enter(_ number: Int, _ position: Int) -> Bool {
    guard !program.triesAgain else { return true }
    let pair = number * (characters.count + 1) + position
    let bit: UInt64 = 1 << UInt64(pair % 64)
    guard tried[pair / 64] & bit == 0 else { return false }
    tried[pair / 64] |= bit
    frames.append(.leave(pair))
    return true
  }

  private mutating func save(_ position: Int, _ slot: Int) {
    frames.append(.restore(slot: slot, slots[slot]))
    slots[slot] = position
  }

  private mutating func end(ofGroup number: Int, _ ignoresCase: Bool, at position: Int) -> Int? {
    guard 2 * number + 1 < program.slots, slots[2 * number] >= 0, slots[2 * number + 1] >= slots[2 * number] else {
      return nil
    }
    let group = slots[2 * number]..<slots[2 * number + 1]
    guard position + group.count <= characters.count else { return nil }
    steps += group.count
    let isSame = zip(characters[group], characters[position...]).allSatisfy { one, other in
      one == other || (ignoresCase && one.lowercased() == other.lowercased())
    }
    return isSame ? position + group.count : nil
  }

  private func isAt(_ anchor: PatternNode.Anchor, _ position: Int) -> Bool {
    let count = characters.count
    switch anchor {
    case .start: return position == 0
    case .end: return position == count
    case .endBeforeNewline: return position == count || position == count - 1 && characters[position].isNewline
    case .lineStart: return position == 0 || characters[position - 1].isNewline
    case .lineEnd: return position == count || characters[position].isNewline
    case .wordBoundary: return boundaries.contains(position)
    case .noWordBoundary: return !boundaries.contains(position)
    case .searchStart: return position == searchStart
    case .nowhere: return false
    }
  }

  /// Returns the word boundaries of Unicode (UAX 29) as `Regex` finds them.
  private static func wordBoundaries(of text: String) -> Set<Int> {
    var (result, position, last) = (Set<Int>(), 0, text.startIndex)
    for match in text.matches(of: /\b/) {
      position += text.distance(from: last, to: match.range.lowerBound)
      last = match.range.lowerBound
      result.insert(position)
    }
    return result
  }
}

/// An element of a pattern that matches one character: `.`, `\w`, `\p{Hangul}`, `[가-힣]`.
final class CharacterTest: Sendable {
  private static let maximumRemembered = 4_096

  // It is assigned once, and matching doesn't change it.
  nonisolated(unsafe) private let regex: Regex<AnyRegexOutput>
  private let results = Mutex<[Character: Bool]>([:])
  private let ascii: [Bool]

  /// Returns `nil` for a text that isn't one element.
  init?(_ source: String) {
    guard let regex = try? Regex(source) else { return nil }
    self.regex = regex
    ascii = (0..<128).map { Character(Unicode.Scalar(UInt8($0))) }.map { String($0).wholeMatch(of: regex) != nil }
  }

  func passes(_ character: Character) -> Bool {
    let bytes = character.utf8
    if bytes.count == 1, let byte = bytes.first { return ascii[Int(byte)] }
    return results.withLock { results in
      if let result = results[character] { return result }
      if results.count >= CharacterTest.maximumRemembered { results = [:] }
      let result = String(character).wholeMatch(of: regex) != nil
      results[character] = result
      return result
    }
  }
}
