import Catalog

/// Reads the words after a command's name against its declaration.
struct CommandReader {
  let declaration: Declaration
  let names: FieldNames
  let isLenient: Bool
  let values: ValueReader
  let segment: Segment
  let words: ArraySlice<Word>
  let line: String
  private(set) var worded: [Parameter]
  let placed: [Parameter]
  var index: Int
  var place = 0
  private var isTextOnly = false
  /// What stands behind `|` belongs to a line that is kept.
  var keptPipe = false
  /// Where the part of the line begins that is kept to be read later.
  var keptFrom: Int?
  var invocation: Invocation

  init(
    _ declaration: Declaration, grammar: Grammar, segment: Segment, words: ArraySlice<Word>, line: String,
    names: FieldNames, isLenient: Bool
  ) {
    self.declaration = declaration
    self.names = names
    self.isLenient = isLenient
    self.values = ValueReader(grammar: grammar, names: names)
    self.segment = segment
    self.words = words
    self.line = line
    self.worded = declaration.worded
    self.placed = declaration.placed
    self.index = words.startIndex
    self.invocation = Invocation(command: declaration.name, text: segment.text)
  }

  mutating func allowUntil() { worded.append(.ofWatching) }

  mutating func read() throws(Misread) -> Invocation {
    while index < words.endIndex { try step() }
    try pipe()
    try requireAll()
    return invocation
  }

  private mutating func step() throws(Misread) {
    if takesLine { return takeLine() }
    let word = isLenient ? words[index] : try words[index].known()
    if !isTextOnly, let bare = word.bare {
      if bare == "--" {
        isTextOnly = true
        index += 1
        return
      }
      if try dashed(bare, word) { return }
      if let parameter = worded.first(where: { $0.name == bare }) { return try take(parameter, named: word) }
    }
    if try assign(word) { return }
    try takePlaced(word)
  }
}
