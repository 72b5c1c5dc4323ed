/// An error-tolerant parser for a command that may be incomplete.
///
/// It assigns a role to each word and determines what can follow.
package struct PartialCommandParser {
  /// The kind of word that can follow at the end of the line.
  package enum ExpectedInput: Hashable {
    case command
    /// The number of seconds of `watch`.
    case seconds
    case value(Parameter)
    /// A condition that begins at that word.
    case condition(from: Int)
    case anything
    /// A command line, as the argument of `alias` or `each`.
    case line
  }

  package private(set) var declaration: CommandDeclaration?
  package private(set) var next = ExpectedInput.command
  /// The role of each word, or `nil`.
  package private(set) var roles: [HighlightRole?] = []
  package private(set) var usedOptions: Set<String> = []
  package private(set) var worded: [Parameter] = []
  package private(set) var nextPositional: Parameter?
  /// The index of the word at which a captured line begins, or `nil`.
  package private(set) var rawLineStart: Int?
  package private(set) var remainingPositionals: [Parameter] = []

  private let grammar: CommandParser
  private let names: FieldNameTable
  private let words: [Word]
  private var index = 0

  package init(_ grammar: CommandParser, _ words: [Word], names: FieldNameTable) {
    self.grammar = grammar
    self.names = names
    self.words = words
    prefixes()
    guard let declaration else { return }
    worded = declaration.options
    remainingPositionals = declaration.positionals
    if words.prefix(index).contains(where: { $0.bare == "watch" }) { worded.append(.watchUntilOption) }
    next = .anything
    while index < words.count { step() }
    nextPositional = remainingPositionals.first
    if next == .anything, nextPositional?.kind == .line { next = .line }
    if next == .anything, let nextPositional, case .sql = nextPositional.kind { next = .value(nextPositional) }
  }

  private mutating func prefixes() {
    while index < words.count {
      let word = words[index]
      index += 1
      if let bare = word.bare, CommandPrefix.words.contains(bare), grammar.declaration(named: bare) == nil {
        roles.append(.command)
        guard bare == "watch" else { continue }
        guard index < words.count else {
          next = .seconds
          return
        }
        roles.append(.value)
        index += 1
        continue
      }
      if let bare = word.bare, grammar.aliases[bare] != nil, grammar.declaration(named: bare) == nil {
        roles += [.command] + Array(repeating: nil, count: words.count - index)
        next = .line
        return
      }
      declaration = grammar.resolve(word.text)
      let begins = grammar.declarations.contains { $0.name.hasPrefix(word.text) }
      roles.append(declaration != nil ? .command : begins ? nil : .error)
      if declaration == nil {
        roles += Array(repeating: nil, count: words.count - index)
        next = .line
        return
      }
      return
    }
  }

  private mutating func step() {
    if remainingPositionals.first?.kind == .line {
      rawLineStart = index
      roles += Array(repeating: nil, count: words.count - index)
      index = words.count
      return
    }
    if let parameter = remainingPositionals.first, case .sql = parameter.kind {
      roles += Array(repeating: .value, count: words.count - index)
      index = words.count
      return
    }
    let word = words[index]
    if let bare = word.bare, let parameter = option(bare) {
      usedOptions.insert(parameter.name)
      roles.append(.option)
      index += 1
      if parameter.place == .option, !bare.contains("=") { takeValue(of: parameter) }
    } else if Assignment.split(word) != nil {
      roles.append(.field)
      index += 1
    } else {
      takePlaced(word)
    }
  }

  private func option(_ bare: String) -> Parameter? {
    let name = bare.hasPrefix("--") ? String(bare.dropFirst(2).prefix { $0 != "=" }) : bare
    return worded.first { $0.name == name }
  }

  private mutating func takeValue(of parameter: Parameter) {
    if parameter.kind == .expression { return takeCondition() }
    if parameter.kind == .line {
      next = .line
      rawLineStart = index
      roles += Array(repeating: nil, count: words.count - index)
      index = words.count
      return
    }
    guard index < words.count else {
      next = .value(parameter)
      return
    }
    roles.append(parameter.kind.role)
    index += 1
  }

  private mutating func takeCondition() {
    let start = index
    let end = words.last?.range.upperBound ?? 0
    let known = declaration?.names(names) ?? names
    let read = try? Condition.read(words[start...], names: known, after: end)
    let count = read?.used ?? words.count - start
    roles += Array(repeating: .field, count: count)
    index += count
    if index == words.count { next = .condition(from: start) }
  }

  private mutating func takePlaced(_ word: Word) {
    let values = ValueParser(grammar: grammar, names: names)
    while let parameter = remainingPositionals.first {
      if parameter.kind == .target, word.bare == "where" {
        roles.append(.option)
        index += 1
        remainingPositionals.removeFirst()
        return takeCondition()
      }
      if parameter.kind == .expression { return takeCondition() }
      let fits = (try? values.parse(word.text, parameter, at: word.range)) != nil
      if parameter.place == .positional(required: false), !fits, remainingPositionals.count > 1 {
        remainingPositionals.removeFirst()
        continue
      }
      roles.append(parameter.kind.role)
      index += 1
      if case .positional = parameter.place { remainingPositionals.removeFirst() }
      return
    }
    roles.append(nil)
    index += 1
  }
}
