import Catalog
import Text

/// Gathers candidates for one unfinished word.
struct Completer {
  /// More are not offered at once: nobody looks through them, and Tab must not be waited for.
  static let most = 200

  let grammar: Grammar
  let walk: LineWalk
  let words: [Word]
  let sources: CompletionSources
  let names: FieldNames
  let partial: Word
  /// What has been typed of the thing that is completed.
  var typed: String
  var range: Range<Int>
  var found: [Candidate] = []
  var isCut = false

  init(
    _ grammar: Grammar, _ walk: LineWalk, _ words: [Word], _ partial: Word, _ sources: CompletionSources,
    _ names: FieldNames
  ) {
    self.grammar = grammar
    self.walk = walk
    self.words = words
    self.partial = partial
    self.sources = sources
    self.names = names
    typed = partial.text
    range = partial.range
  }

  mutating func completion() -> Completion {
    if let variable = partial.parts.last, variable.kind == .variable || partial.bare?.hasSuffix("$") == true {
      variables(variable)
    } else {
      switch walk.next {
      case .command: commands()
      case .seconds, .line: break
      case .value(let parameter): values(parameter.kind)
      case .condition(let start): condition(from: start)
      case .anything: anything()
      }
    }
    return Completion(range: range, candidates: found, isCut: isCut)
  }

  mutating func offer(_ text: String, _ summary: Wording? = nil, endsWord: Bool = true, quoting: Bool = false) {
    guard text.precomposed.hasPrefix(typed.precomposed) else { return }
    var shown = text
    if quoting {
      let isOption = walk.worded.contains { $0.name == text }
      shown = Quoting.quote(text, always: isOption)
    }
    if !found.contains(where: { $0.text == shown }) { found.append(Candidate(shown, summary, endsWord: endsWord)) }
  }

  private mutating func variables(_ part: Word.Part) {
    let isEmpty = part.kind == .bare
    range = (isEmpty ? part.range.upperBound - 1 : part.range.lowerBound)..<part.range.upperBound
    typed = isEmpty ? "$" : "$" + part.text
    for name in sources.variables { offer("$" + name) }
  }

  private mutating func commands() {
    guard partial.parts.isEmpty || partial.bare != nil else { return }
    for declaration in grammar.declarations { offer(declaration.name, declaration.summary) }
    for (name, line) in grammar.aliases.sorted(by: { $0.key < $1.key }) {
      offer(name, Wording(same: "\(.command(line))"))
    }
    if !words.contains(where: { $0.bare == "watch" }), !typed.isEmpty {
      for word in Prefix.words { offer(word) }
    }
  }

  private mutating func anything() {
    if let assignment = Assignment.split(partial) { return assigned(assignment) }
    if typed.hasPrefix("--") {
      for parameter in walk.worded where !walk.used.contains(parameter.name) {
        offer("--" + parameter.name, parameter.summary)
      }
      return
    }
    let start = range.lowerBound
    if let place = walk.place { values(place.kind) }
    // Behind a comma only more of the same can come.
    if range.lowerBound != start { return }
    if walk.place?.place == .positional(required: false) {
      for parameter in walk.remaining.dropFirst() { values(parameter.kind) }
    }
    if let kind = walk.declaration?.assigned?.kind {
      let taken = Set(words.compactMap { Assignment.split($0)?.name })
      for name in AssignmentNames(kind).all() where !taken.contains(name) {
        offer(name + "=", FieldSummary.of(name), endsWord: false)
      }
    }
    for parameter in walk.worded where !walk.used.contains(parameter.name) {
      offer(parameter.name, parameter.summary)
    }
  }

  private mutating func assigned(_ assignment: Assignment) {
    let before = assignment.name.unicodeScalars.count + assignment.operation.rawValue.unicodeScalars.count
    range = (partial.range.lowerBound + before)..<partial.range.upperBound
    typed = assignment.value
    if assignment.isFile {
      range = (range.lowerBound + 1)..<range.upperBound
      return files()
    }
    switch names.field(assignment.name) {
    case .currency: values(.currency)
    case .images: files()
    case .id, .name, .description, .price, .discount, .sale, .stock, .vendor, .vendorID, .created, .modified,
      .thumbnail, nil:
      if assignment.name == "images" { files() }
    }
  }
}
