import Catalog

/// Reads the words after a command's name against its declaration.
struct CommandReader {
  let declaration: Declaration
  let names: FieldNames
  let isLenient: Bool
  private let values: ValueReader
  private let segment: Segment
  private let words: ArraySlice<Word>
  private let line: String
  private var worded: [Parameter]
  private let placed: [Parameter]
  private var index: Int
  private var place = 0
  private var isTextOnly = false
  private var invocation: Invocation

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

  // MARK: Options

  /// `--page 2`, `--page=2`, `--all`.
  private mutating func dashed(_ bare: String, _ word: Word) throws(Misread) -> Bool {
    guard bare.hasPrefix("--"), bare.count > 2 else { return false }
    let halves = bare.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    guard let parameter = worded.first(where: { $0.name == name }) else {
      throw ReadingProblem.unknownOption("--" + name, of: declaration, worded, at: word.range)
    }
    if halves.count == 2 {
      try give(parameter, String(halves[1]), word)
      index += 1
    } else {
      try take(parameter, named: word)
    }
    return true
  }

  /// A value that is attached to its option: `--page=2`, `page=2`.
  private mutating func give(_ parameter: Parameter, _ value: String, _ word: Word) throws(Misread) {
    guard parameter.place == .option else {
      throw Misread(
        Wording("\(.field(parameter.name)) takes no value.", ko: "\(.field(parameter.name))에는 값을 주지 않습니다."),
        at: word.range)
    }
    let checked: String
    if parameter.kind == .expression {
      checked = try Expression.read(value, names: names).description
    } else {
      checked = word.isUnknown ? value : try values.check(value, parameter, at: word.range)
    }
    try store(parameter, [checked], word)
  }

  private mutating func take(_ parameter: Parameter, named word: Word) throws(Misread) {
    index += 1
    if parameter.place == .flag { return try store(parameter, [], word) }
    try store(parameter, [try takeValue(of: parameter, after: word)], word)
  }

  private mutating func takeValue(of parameter: Parameter, after word: Word) throws(Misread) -> String {
    guard index < words.endIndex else { throw ReadingProblem.noValue(parameter, at: word.range) }
    if parameter.kind == .expression { return try takeExpression(after: word) }
    let next = isLenient ? words[index] : try words[index].known()
    if let bare = next.bare, worded.contains(where: { $0.name == bare || "--" + $0.name == bare }) {
      throw ReadingProblem.optionAsValue(parameter, bare, at: next.range)
    }
    return try takeChecked(parameter, next)
  }

  /// One value, lists going on after a trailing comma: `columns id, name`.
  private mutating func takeChecked(_ parameter: Parameter, _ word: Word) throws(Misread) -> String {
    if parameter.kind == .target, word.bare == "where" {
      index += 1
      return "where " + (try takeExpression(after: word))
    }
    if let bare = word.bare, bare.hasPrefix(">") { throw redirected(word) }
    var text = word.text
    var range = word.range
    var isUnknown = word.isUnknown
    var count = 1
    while values.isList(parameter.kind), text.hasSuffix(","), index + count < words.endIndex {
      let more = words[index + count]
      text += more.text
      range = range.lowerBound..<more.range.upperBound
      isUnknown = isUnknown || more.isUnknown
      count += 1
    }
    let checked = isUnknown ? text : try values.check(text, parameter, at: range)
    index += count
    return checked
  }

  private mutating func takeExpression(after word: Word) throws(Misread) -> String {
    if !isLenient {
      for word in words[index...] { _ = try word.known() }
    }
    let end = words.last?.range.upperBound ?? word.range.upperBound
    let (expression, used) = try Expression.read(words[index...], names: names, after: end)
    index += used
    return expression.description
  }

  private mutating func store(_ parameter: Parameter, _ given: [String], _ word: Word) throws(Misread) {
    if parameter == .ofWatching {
      invocation.until = try given.first.map { text throws(Misread) in try Expression.read(text, names: names) }
      return
    }
    let isClause = declaration.prints && Parameter.ofPrinting.contains(parameter)
    let isTwice =
      isClause
      ? (parameter.name == "as" ? invocation.clauses.format != nil : invocation.clauses.file != nil)
      : invocation.words[parameter.name] != nil
    if isTwice, parameter.place != .flag {
      throw Misread(
        Wording("\(.field(parameter.name)) is given twice.", ko: "\(.field(parameter.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    guard isClause else {
      invocation.words[parameter.name] = given
      return
    }
    if parameter.name == "as" {
      invocation.clauses.format = given.first.flatMap { OutputFormat(rawValue: $0) }
    } else {
      invocation.clauses.file = given.first
    }
  }

  // MARK: Assignments

  private mutating func assign(_ word: Word) throws(Misread) -> Bool {
    guard let typed = Assignment.split(word) else { return false }
    if let refusal = Assignment.refusal(of: typed) { throw refusal }
    guard let parameter = declaration.assigned else {
      guard typed.operation == .set, let option = worded.first(where: { $0.name == typed.name }) else { return false }
      try give(option, typed.value, word)
      index += 1
      return true
    }
    if let option = worded.first(where: { $0.name == typed.name }), names.field(typed.name) == nil,
      typed.operation == .set, !AssignmentNames(parameter.kind).holds(typed.name)
    {
      try give(option, typed.value, word)
      index += 1
      return true
    }
    var assignment = typed
    assignment.name = try AssignmentNames(parameter.kind).name(typed, names: names, command: declaration.name)
    if let double = invocation.assignments.first(where: { $0.name == assignment.name }),
      double.operation == .set || assignment.operation == .set, assignment.name != "header"
    {
      throw Misread(
        Wording("\(.field(assignment.name)) is given twice.", ko: "\(.field(assignment.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    invocation.assignments.append(assignment)
    index += 1
    return true
  }

  // MARK: By place

  private mutating func takePlaced(_ word: Word) throws(Misread) {
    if let bare = word.bare, bare.hasPrefix(">") { throw redirected(word) }
    var first: Misread?
    while place < placed.count {
      let parameter = placed[place]
      let start = index
      do throws(Misread) {
        let value =
          parameter.kind == .expression ? try takeExpression(after: word) : try takeChecked(parameter, word)
        invocation.words[parameter.name, default: []].append(value)
        if case .positional = parameter.place { place += 1 }
        return
      } catch {
        first = first ?? error
        // A word that does not fit an optional place may fit the next one: `show name price`.
        guard parameter.place == .positional(required: false), place + 1 < placed.count else { break }
        index = start
        place += 1
      }
    }
    if let error = first {
      throw ReadingProblem.misfit(word, error, worded)
    }
    throw ReadingProblem.surplus(word, of: declaration, worded)
  }

  private func redirected(_ word: Word) -> Misread {
    let rest = word.text.drop { $0 == ">" }
    let file = rest.isEmpty ? words[words.index(after: index)...].first?.text ?? "" : String(rest)
    return Redirection.hint(file, at: word.range)
  }

  // MARK: The rest as typed

  private var takesLine: Bool {
    place < placed.count && placed[place].kind == .line
  }

  /// A single quoted word says its text; anything else is kept as typed, without the clauses of a command that prints.
  private mutating func takeLine() {
    let parameter = placed[place]
    var rest = words[index...]
    if declaration.prints { takeTrailingClauses(&rest) }
    let scalars = Array(line.unicodeScalars)
    if rest.count == 1, let only = rest.first, only.bare == nil, segment.pipe == nil || declaration.prints {
      invocation.words[parameter.name] = [only.text]
    } else if let start = rest.first?.range.lowerBound, let last = rest.last {
      let end = declaration.prints ? last.range.upperBound : segment.range.upperBound
      invocation.words[parameter.name] = [Grammar.text(scalars[start..<end])]
    }
    place += 1
    index = words.endIndex
  }

  private mutating func takeTrailingClauses(_ rest: inout ArraySlice<Word>) {
    while rest.count >= 2 {
      let (name, value) = (rest[rest.endIndex - 2], rest[rest.endIndex - 1])
      if name.bare == "to", invocation.clauses.file == nil {
        invocation.clauses.file = value.text
      } else if name.bare == "as", invocation.clauses.format == nil, let format = OutputFormat(rawValue: value.text) {
        invocation.clauses.format = format
      } else {
        return
      }
      rest = rest.dropLast(2)
    }
  }

  // MARK: The end

  private mutating func pipe() throws(Misread) {
    guard let pipe = segment.pipe else { return }
    if placed.contains(where: { $0.kind == .line }), !declaration.prints { return }
    guard declaration.prints else {
      throw Misread(
        Wording(
          "\(.command(declaration.name)) prints no data to hand to a program.",
          ko: "\(.command(declaration.name))에는 다른 프로그램에 넘길 데이터가 없습니다."), at: segment.pipeRange)
    }
    guard !pipe.isEmpty else {
      throw Misread(
        Wording("A program is missing after \(.command("|")).", ko: "\(.command("|")) 뒤에 프로그램이 없습니다."),
        next: Wording("\(.command("ls | less"))", ko: "\(.command("ls | less"))"), at: segment.pipeRange)
    }
    invocation.clauses.pipe = pipe
  }

  private func requireAll() throws(Misread) {
    for parameter in placed where invocation.words[parameter.name] == nil {
      switch parameter.place {
      case .positional(required: true), .rest(required: true):
        throw ReadingProblem.missing(parameter, of: declaration, at: segment.range.upperBound)
      case .positional, .rest, .option, .flag, .assignments: break
      }
    }
  }
}
