import Catalog
import Text

/// Collects candidates for one unfinished word.
struct Completer {
  /// The maximum number of candidates.
  ///
  /// A longer menu is not useful, and Tab must respond at once.
  static let maxCandidates = 200

  let grammar: CommandParser
  let outline: CommandOutline
  let words: [Word]
  let sources: CompletionDataSource
  let names: FieldNameTable
  let partial: Word
  /// The part of the word that has been typed.
  var typed: String
  var range: Range<Int>
  var found: [Candidate] = []
  var isTruncated = false
  /// Candidates that don't begin with the typed text but contain it, or at least its characters in order.
  ///
  /// They are offered if no candidate begins with it.
  private var fuzzyMatches: [(quality: MatchQuality, candidate: Candidate)] = []

  init(
    _ grammar: CommandParser, outline: CommandOutline, words: [Word], partial: Word,
    sources: CompletionDataSource,
    names: FieldNameTable
  ) {
    self.grammar = grammar
    self.outline = outline
    self.words = words
    self.partial = partial
    self.sources = sources
    self.names = names
    typed = partial.text
    range = partial.range
  }

  mutating func completion() -> Completion {
    if let index = partial.parts.lastIndex(where: { $0.kind == .variable }), let path = path(from: index) {
      members(of: path.text, at: path.start)
    } else if let variable = partial.parts.last, variable.kind == .variable || partial.bare?.hasSuffix("$") == true {
      variables(variable)
    } else {
      switch outline.next {
      case .command: commands()
      case .seconds, .line: break
      case .value(let parameter): values(parameter.kind)
      case .condition(let start): condition(from: start)
      case .anything: completeArguments()
      }
    }
    if found.isEmpty {
      let parts = fuzzyMatches.filter(\.quality.isPart)
      found = Completer.ranked(parts.isEmpty ? fuzzyMatches : parts)
    }
    return Completion(range: range, candidates: found, isCut: isTruncated)
  }

  mutating func add(_ text: String, _ summary: LocalizedText? = nil, endsWord: Bool = true, quoting: Bool = false) {
    guard let quality = MatchQuality(of: text, to: typed) else { return }
    var shown = text
    if quoting {
      let isOption = outline.options.contains { $0.name == text }
      shown = Quoting.quote(text, always: isOption)
    }
    let candidate = Candidate(shown, summary, endsWord: endsWord)
    switch quality {
    case .prefix: if !found.contains(where: { $0.text == shown }) { found.append(candidate) }
    case .partBeginning, .substring, .subsequence:
      if !fuzzyMatches.contains(where: { $0.candidate.text == shown }) { fuzzyMatches.append((quality, candidate)) }
    }
  }

  /// Returns the candidates in order of closeness; among equally close ones the shorter first, then in their original
  /// order.
  private static func ranked(_ offers: [(quality: MatchQuality, candidate: Candidate)]) -> [Candidate] {
    func isNearer(_ one: Int, _ other: Int) -> Bool {
      let (first, second) = (offers[one], offers[other])
      if first.quality != second.quality { return first.quality < second.quality }
      let (short, long) = (first.candidate.text.count, second.candidate.text.count)
      return short == long ? one < other : short < long
    }
    return offers.indices.sorted(by: isNearer).map { offers[$0].candidate }
  }

  private mutating func variables(_ part: Word.Part) {
    let isEmpty = part.kind == .bare
    range = (isEmpty ? part.range.upperBound - 1 : part.range.lowerBound)..<part.range.upperBound
    typed = isEmpty ? "$" : "$" + part.text
    for name in sources.variables { add("$" + name, endsWord: sources.memberPaths(name).isEmpty) }
  }

  /// Returns a variable with the path typed after it, `p.pages[0].`, and its start, if there is such a path.
  private func path(from index: Int) -> (text: String, start: Int)? {
    let rest = partial.parts[index...]
    guard rest.dropFirst().allSatisfy({ $0.kind == .bare }) else { return nil }
    let text = rest.map(\.text).joined()
    guard text.contains(where: { $0 == "." || $0 == "[" }) else { return nil }
    // A reference is written without a dollar sign.
    return (text, partial.parts[index].range.lowerBound)
  }

  private mutating func members(of text: String, at start: Int) {
    let sign = text.hasPrefix("_") || text.hasPrefix("@") ? "" : "$"
    range = start..<partial.range.upperBound
    typed = sign + text
    let end = text.lastIndex { $0 == "." || $0 == "[" } ?? text.endIndex
    for path in sources.memberPaths(String(text[..<end])) { add(sign + path, endsWord: false) }
  }

  private mutating func commands() {
    guard partial.parts.isEmpty || partial.bare != nil else { return }
    for declaration in grammar.declarations { add(declaration.name, declaration.summary) }
    for (name, line) in grammar.aliases.sorted(by: { $0.key < $1.key }) {
      add(name, LocalizedText(same: "\(.command(line))"))
    }
    if !words.contains(where: { $0.bare == "watch" }), !typed.isEmpty {
      for word in CommandPrefix.words { add(word) }
    }
  }

  private mutating func completeArguments() {
    if let assignment = Assignment.split(partial) { return assigned(assignment) }
    if typed.hasPrefix("--") {
      for parameter in outline.options where !outline.usedOptions.contains(parameter.name) {
        add("--" + parameter.name, parameter.summary)
      }
      return
    }
    if completeProductName() { return }
    let start = range.lowerBound
    if let next = outline.nextPositional, next.neededOption.map(outline.usedOptions.contains) ?? true {
      values(next.kind)
      for word in next.suggestions { add(word) }
    }
    // After a comma only more items of the same list can follow.
    if range.lowerBound != start { return }
    if outline.nextPositional?.style == .positional(required: false) {
      for parameter in outline.remainingPositionals.dropFirst() { values(parameter.kind) }
    }
    if let kind = outline.declaration?.assignmentParameter?.kind {
      let taken = Set(words.compactMap { Assignment.split($0)?.name })
      for name in AssignableNames(kind).all() where !taken.contains(name) {
        add(name + "=", setting(name)?.summary ?? FieldSummary.of(name), endsWord: false)
      }
    }
    for parameter in outline.options where !outline.usedOptions.contains(parameter.name) {
      add(parameter.name, parameter.summary)
    }
  }

  /// Offers the products whose name continues the words typed so far, as in `show 우유병 텀`, in place of all of them.
  ///
  /// Returns `false` if there are none, so that what follows a target is offered.
  private mutating func completeProductName() -> Bool {
    guard outline.declaration?.positionals.first?.kind == .target, partial.parts.isEmpty || partial.bare != nil,
      let command = outline.roles.lastIndex(of: .command), let first = words.dropFirst(command + 1).first
    else { return false }
    let before = words.dropFirst(command + 1)
    guard before.allSatisfy({ $0.bare != nil && Assignment.split($0) == nil }), first.text != "where",
      (try? ProductSelector.read(first.text)) == nil
    else { return false }
    let name = (before.map(\.text) + [typed]).joined(separator: " ")
    let matches = sources.seen.matches(named: name, limit: Completer.maxCandidates)
    guard !matches.found.isEmpty else { return false }
    range = first.range.lowerBound..<partial.range.upperBound
    found = matches.found.map { Candidate(String($0.id), LocalizedText(same: "\(.foreign($0.name))")) }
    isTruncated = matches.isCut
    return true
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
    case .images: pictures()
    case .price, .discount, .sale, .stock, .name, .description:
      if assignment.operation == .set { current(assignment) }
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, nil:
      if assignment.name == "images" {
        pictures()
      } else if let setting = setting(assignment.name) {
        values(setting.kind)
      }
    }
  }

  /// Returns the setting of that name among those that the command can assign.
  private func setting(_ name: String) -> AssignableSetting? {
    guard case .namedAssignments(let settings) = outline.declaration?.assignmentParameter?.kind else { return nil }
    return settings.first { $0.name == name }
  }
}

// Completion of parameter values.
extension Completer {
  mutating func values(_ kind: ValueKind) {
    switch kind {
    case .choice(let choices): for choice in choices { add(choice) }
    case .field: values(.fieldAmong(ProductField.allCases))
    case .fieldAmong(let fields): for field in fields { add(field.rawValue, FieldSummary.of(field)) }
    case .fields:
      completeListItem { completer in
        for field in ProductField.allCases { completer.add(field.rawValue, FieldSummary.of(field), endsWord: false) }
      }
    case .target: targets()
    case .file: files()
    case .files: completeListItem { $0.files() }
    case .currency: for currency in Currency.documented { add(currency.code) }
    case .profile: for profile in sources.profiles() { add(profile, quoting: true) }
    case .vendor: for vendor in sources.vendors { add(vendor, quoting: true) }
    case .setting: for setting in sources.settings { add(setting.name, setting.summary) }
    case .recipe: for recipe in sources.recipes() { add(recipe, quoting: true) }
    case .snapshot: for snapshot in sources.snapshots() { add(snapshot.text, snapshot.summary, quoting: true) }
    case .command:
      for declaration in grammar.declarations { add(declaration.name, declaration.summary) }
      for topic in HelpTopic.allCases { add(topic.rawValue, topic.page.title) }
    case .expression: condition(from: words.count)
    case .text: settingValues()
    case .sql(let words): query(words)
    case .writeNumber, .writeOrRun: completeUndoable { $0.writes }
    case .batchNumber: completeUndoable { $0.batches }
    case .number, .decimal, .line, .rate, .productAssignments, .namedAssignments, .none: break
    }
  }

  /// Offers the writes and batches that can be undone, newest first, with a summary.
  private mutating func completeUndoable(
    _ list: (CompletionDataSource.Undoable) -> [CompletionDataSource.Undoable.Item]
  ) {
    for item in list(sources.undoable()) { add(String(item.number), item.summary) }
  }

  /// Completes the identifier at the end of the typed text: `avg(pri`.
  private mutating func query(_ words: [String]) {
    let scalars = Array(typed.unicodeScalars)
    let name = scalars.reversed().prefix { $0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0) }.count
    guard partial.range.count == scalars.count else { return }
    range = (partial.range.upperBound - name)..<partial.range.upperBound
    typed = String(String.UnicodeScalarView(scalars.suffix(name)))
    guard !typed.isEmpty || scalars.isEmpty else { return }
    for word in words { add(word, endsWord: !word.hasSuffix("(")) }
  }

  /// Offers the values of the setting named by the preceding word.
  private mutating func settingValues() {
    guard outline.declaration?.positionals.first?.kind == .setting, let name = words.last?.text,
      let setting = sources.settings.first(where: { $0.name == name })
    else { return }
    for value in setting.values { add(value) }
  }

  /// Completes the text after the last comma.
  mutating func completeListItem(_ offers: (inout Completer) -> Void) {
    if let bare = partial.bare, let comma = bare.unicodeScalars.lastIndex(of: ",") {
      let before = bare.unicodeScalars.distance(from: bare.unicodeScalars.startIndex, to: comma) + 1
      guard partial.range.count == bare.unicodeScalars.count else { return }
      range = (partial.range.lowerBound + before)..<partial.range.upperBound
      typed = String(bare.unicodeScalars.dropFirst(before))
    }
    offers(&self)
  }

  mutating func files() {
    for path in sources.files(typed) { add(path, endsWord: !path.hasSuffix("/"), quoting: true) }
  }

  /// Offers the vendor's own products first, because no others can be written.
  private mutating func addOwnProducts() {
    guard !sources.own.isEmpty else { return }
    let matches = sources.seen.matches(typed, limit: Completer.maxCandidates, of: sources.own)
    found += matches.map { Candidate(String($0.id), LocalizedText(same: "\(.foreign($0.name))")) }
  }

  /// Offers image files and folders.
  private mutating func pictures() {
    completeListItem { completer in
      for path in completer.sources.files(completer.typed) where ImagePath.isCandidate(path) {
        completer.add(path, endsWord: false, quoting: true)
      }
    }
  }

  /// Offers the current value of the field, so that it can be edited instead of typed again.
  private mutating func current(_ assignment: Assignment) {
    let targets = words.lazy.compactMap { word in word.bare.flatMap { try? ProductSelector.read($0) } }
    guard let field = names.field(assignment.name), outline.declaration?.positionals.first?.kind == .target,
      let target = targets.first, let text = sources.currentValue(target, field)
    else { return }
    add(text, LocalizedText("current value", ko: "현재 값"), quoting: true)
  }

  /// Offers the rows of the last listing with their product names.
  private mutating func rows() {
    for (number, row) in sources.lastListing.enumerated() {
      add("@\(number + 1)", LocalizedText(same: "\(.foreign(row.name))"), endsWord: false)
    }
  }

  /// Offers the products that were shown, by number or name, and the words that select products.
  private mutating func targets() {
    completeListItem { completer in
      if completer.typed.hasPrefix("@") { return completer.rows() }
      if completer.outline.declaration?.writesToMarket == true { completer.addOwnProducts() }
      let known = Set(completer.found.map(\.text))
      let matches = completer.sources.seen.matches(completer.typed, limit: Completer.maxCandidates)
      completer.found += matches.found.map { Candidate(String($0.id), LocalizedText(same: "\(.foreign($0.name))")) }
        .filter { !known.contains($0.text) }
      completer.isTruncated = matches.isCut
    }
    guard range.lowerBound == partial.range.lowerBound else { return }
    add("_", LocalizedText("the last product", ko: "마지막 상품"))
    add("mine", LocalizedText("your own products", ko: "내 상품"))
    add("@all", LocalizedText("all rows of the last list", ko: "마지막 목록의 모든 행"))
    if outline.nextPositional?.kind == .target {
      add("where", LocalizedText("products that match a condition", ko: "조건에 맞는 상품"))
    }
  }
}

/// Completion inside `where`: fields, comparisons, known values, `and` and `or`.
extension Completer {
  mutating func condition(from start: Int) {
    var all = Array(words[min(start, words.count)...])
    if !partial.parts.isEmpty { all.append(partial) }
    var tokens = ExpressionToken.tokenize(all[...])
    typed = ""
    range = partial.range.upperBound..<partial.range.upperBound
    if !partial.parts.isEmpty, let last = tokens.last, case .text(let text, _, _) = last.kind {
      tokens.removeLast()
      typed = text
      range = last.range
    }
    guard let before = tokens.last else { return fields() }
    switch before.kind {
    case .open: fields()
    case .comparison, .comma: completeComparedValue(tokens)
    case .close, .pattern: completeConnectives()
    case .text:
      if let bare = before.bare, ["and", "or", "not"].contains(bare) { return fields() }
      let isValue = tokens.count >= 2 && isComparison(tokens[tokens.count - 2])
      if isValue { return completeConnectives() }
      comparisons(before.bare.flatMap { names.field($0) }, after: "")
      add("in", LocalizedText("one of several values: (a, b)", ko: "여러 값 중 하나: (a, b)"))
    }
  }

  private func isComparison(_ token: ExpressionToken) -> Bool {
    if case .comparison = token.kind { return true }
    return false
  }

  private mutating func fields() {
    let columns = outline.declaration?.columns ?? [:]
    if let field = names.field(typed), columns.isEmpty { comparisons(field, after: typed) }
    for column in columns.keys.sorted() { add(column, endsWord: false) }
    for field in ProductField.allCases where columns.isEmpty && field.rawValue != typed {
      add(field.rawValue, FieldSummary.of(field), endsWord: false)
    }
    add("not", LocalizedText("negate", ko: "부정"))
  }

  /// Offers the comparison operators that apply to a field, appended to `text`.
  private mutating func comparisons(_ field: ProductField?, after text: String) {
    guard let field else { return }
    let isText = field.valueType == .text || field.valueType == .pictures
    let signs: [(String, LocalizedText)] =
      isText
      ? [
        ("=", LocalizedText("equal to", ko: "같음")), ("!=", LocalizedText("not equal to", ko: "다름")),
        ("~", LocalizedText("contains", ko: "포함")), ("!~", LocalizedText("does not contain", ko: "포함하지 않음")),
      ]
      : [
        ("=", LocalizedText("equal to", ko: "같음")), ("!=", LocalizedText("not equal to", ko: "다름")),
        ("<", LocalizedText("less than", ko: "미만")), ("<=", LocalizedText("at most", ko: "이하")),
        (">", LocalizedText("greater than", ko: "초과")), (">=", LocalizedText("at least", ko: "이상")),
      ]
    for (sign, meaning) in signs { add(text + sign, meaning, endsWord: false) }
  }

  private mutating func completeConnectives() {
    add("and", LocalizedText("both conditions", ko: "두 조건 모두"))
    add("or", LocalizedText("either condition", ko: "두 조건 중 하나"))
    for parameter in outline.options where !outline.usedOptions.contains(parameter.name) {
      add(parameter.name, parameter.summary)
    }
  }

  private mutating func completeComparedValue(_ tokens: [ExpressionToken]) {
    guard let name = tokens.last(where: { $0.bare.flatMap { names.field($0) } != nil })?.bare else { return }
    switch names.field(name) {
    case .currency: values(.currency)
    case .vendor:
      add("me", LocalizedText("the logged-in vendor", ko: "로그인한 판매자"))
      for vendor in sources.vendors where vendor.nfcNormalized.lowercased().contains(RecentProductIndex.folded(typed)) {
        found.append(Candidate(Quoting.quote(vendor, always: true)))
      }
    case .vendorID: add("me", LocalizedText("the logged-in vendor", ko: "로그인한 판매자"))
    case .id:
      let matches = sources.seen.matches(typed, limit: Completer.maxCandidates)
      found += matches.found.map { Candidate(String($0.id), LocalizedText(same: "\(.foreign($0.name))")) }
      isTruncated = matches.isCut
    case .name:
      let matches = sources.seen.names(containing: typed, limit: Completer.maxCandidates)
      found += matches.names.map { Candidate(Quoting.quote($0, always: true)) }
      isTruncated = matches.isCut
    case .created, .modified:
      add("today", LocalizedText("today (UTC)", ko: "오늘(UTC)"))
      add("today-7d", LocalizedText("seven days ago", ko: "7일 전"))
    case .description, .price, .discount, .sale, .stock, .thumbnail, .images, nil: break
    }
  }
}

/// The paths that completion offers for images.
package enum ImagePath {
  private static let endings: Set = ["jpg", "jpeg", "png", "webp", "heic", "heif", "avif"]

  /// Returns whether a path is that of a folder, which may contain images, or ends like an image file.
  package static func isCandidate(_ path: String) -> Bool {
    path.hasSuffix("/") || endings.contains(path.split(separator: ".").last.map { $0.lowercased() } ?? "")
  }
}
