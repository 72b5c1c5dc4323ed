import Catalog
import Text

/// The translation of the words after a command's name.
struct CompatibilityArguments {
  private let declaration: CommandDeclaration
  private let names: FieldNameTable

  init(_ declaration: CommandDeclaration, names: FieldNameTable) {
    self.declaration = declaration
    self.names = names
  }

  func spelled(_ words: [Word]) -> [Word] {
    // A captured line is parsed later.
    if declaration.positionals.contains(where: { $0.kind == .line }) { return words }
    var words = words.flatMap { word in
      word.bare == "--json" && declaration.producesData
        ? ["as", "json"].map { Word(habit: $0, range: word.range) } : [word]
    }
    words = formatted(words)
    if declaration.columns["time"] == .time, has("where"), !has("since") { words = since(words) }
    if has("where"), declaration.assignmentParameter == nil { words = whereBeforeCondition(words) }
    if hasConditions { words = conditions(words) }
    if has("sort") { words = sorted(words) }
    if has("columns") { words = columns(words) }
    if has("page") { words = paged(words) }
    words = weeks(words)
    if declaration.positionals.contains(where: { $0.kind == .writeOrRun }) { words = runs(words) }
    // The option `to` of a command that prints data names a file.
    if ["from", "to"].allSatisfy({ name in declaration.parameters.contains { $0.name == name } }) {
      words = oneDay(words)
    }
    if let position = declaration.positionals.firstIndex(where: { $0.kind == .target }) {
      words = targets(matching(fieldFirst(words), from: position), from: position)
    }
    if has("named") { words = named(words) }
    if let kind = declaration.assignmentParameter?.kind, AssignableNames(kind).takesFields {
      words = assignments(words)
    }
    return words
  }

  private func has(_ option: String) -> Bool { declaration.options.contains { $0.name == option } }

  private var hasConditions: Bool {
    declaration.effectiveParameters.contains { $0.kind == .expression || $0.kind == .target }
  }

  /// Returns whether a word is an option in capitals: `PAGE`, `COLUMNS`.
  private func isOption(inCapitals word: String) -> Bool {
    word.count > 1 && word.allSatisfy { $0.isUppercase && $0.isASCII } && has(word.lowercased())
  }

  // MARK: Conditions

  /// `ls stock<5`: a comparison with no other place.
  private func whereBeforeCondition(_ words: [Word]) -> [Word] {
    guard !words.contains(where: { $0.bare?.lowercased() == "where" }),
      let index = words.firstIndex(where: { isComparison($0.bareBeginning) })
    else { return words }
    var words = words
    words.insert(Word(habit: "where", range: words[index].range), at: index)
    return words
  }

  private func isComparison(_ text: String) -> Bool {
    guard let match = text.prefixMatch(of: /([\p{L}_]+)(?:[<>~]|!=|!~|=)/) else { return false }
    return names.field(String(match.1)) != nil || names.column(String(match.1)) != nil
  }

  private static let keywords: Set = [
    "WHERE", "AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "ORDER", "BY", "SORT", "DESC", "ASC", "LIMIT", "SET",
  ]

  /// Translates `AND`, `&&`, `||`, `<>`, `like '%컵%'`.
  private func conditions(_ words: [Word]) -> [Word] {
    var words = words.flatMap { word -> [Word] in
      if let bare = word.bare, CompatibilityArguments.keywords.contains(bare) || isOption(inCapitals: bare) {
        return [Word(habit: bare.lowercased(), range: word.range)]
      }
      return CompatibilityArguments.split(word)
    }
    var index = 0
    while index + 2 < words.count {
      let isNegated = words[index + 1].bare == "not"
      let verb = index + (isNegated ? 2 : 1)
      if let name = words[index].bare, names.field(name) != nil || names.column(name) != nil,
        let like = words[verb].bare, like == "like" || like == "ilike", verb + 1 < words.count
      {
        let pattern = LikePattern(words[verb + 1].text)
        let range = words[index].range.lowerBound..<words[verb + 1].range.upperBound
        words.replaceSubrange(index...(verb + 1), with: [pattern.word(name, isNegated: isNegated, at: range)])
      }
      index += 1
    }
    return words
  }

  /// Splits `a&&b` into three words and turns `a<>b` into `a!=b`.
  ///
  /// Quoted text stays as it is.
  private static func split(_ word: Word) -> [Word] {
    guard
      word.parts.contains(where: { $0.kind == .bare && ($0.text.contains("&&") || $0.text.contains("<>")) })
        || word.bare == "||"
    else { return [word] }
    if word.bare == "||" { return [Word(habit: "or", range: word.range)] }
    var result: [Word] = []
    var parts: [Word.Part] = []
    func flush() {
      if !parts.isEmpty { result.append(Word(parts: parts, range: word.range)) }
      parts = []
    }
    for part in word.parts {
      guard part.kind == .bare else {
        parts.append(part)
        continue
      }
      for (number, piece) in part.text.replacing("<>", with: "!=").split(
        separator: "&&", omittingEmptySubsequences: false
      )
      .enumerated() {
        if number > 0 {
          flush()
          result.append(Word(habit: "and", range: part.range))
        }
        if !piece.isEmpty { parts.append(Word.Part(kind: .bare, text: String(piece), range: part.range)) }
      }
    }
    flush()
    return result
  }

  // MARK: Options

  /// `show 72 json`: the name of a format at the end.
  private func formatted(_ words: [Word]) -> [Word] {
    guard declaration.producesData, let last = words.last, let name = last.bare, OutputFormat(rawValue: name) != nil,
      !words.contains(where: { $0.bare == "as" })
    else { return words }
    return words.dropLast() + [Word(habit: "as", range: last.range), last]
  }

  /// `log since monday`, `log since 2h`: the entries from that time on.
  ///
  /// An age alone would select by the order of ages: `time>=2h` is an entry of two hours ago or before.
  private func since(_ words: [Word]) -> [Word] {
    guard let index = words.firstIndex(where: { $0.bare == "since" }), index + 1 < words.count,
      !words.contains(where: { $0.bare == "where" })
    else { return words }
    var words = words
    let isAge = words[index + 1].bare.flatMap(RelativeTime.init)?.isAge == true
    let beginning = Word(habit: isAge ? "time>=now-" : "time>=", range: words[index].range)
    let condition = Word(joining: [beginning, words[index + 1]])
    words.replaceSubrange(index...(index + 1), with: [Word(habit: "where", range: words[index].range), condition])
    return words
  }

  /// `sale mine 10% tomorrow`, `sale mine 10% next week`: a day that is both the first and the last one.
  private func oneDay(_ words: [Word]) -> [Word] {
    guard !words.contains(where: { ["from", "to"].contains($0.bare ?? "") }) else { return words }
    for (index, word) in words.enumerated().dropFirst() {
      guard let name = word.bare?.nfcNormalized.lowercased() else { continue }
      let next = index + 1 < words.count ? words[index + 1].bare?.nfcNormalized.lowercased() : nil
      let isWeek = ["next week", "다음 주"].contains(name + " " + (next ?? "")) || name == "다음주"
      let isDay = ["today", "tomorrow", "오늘", "내일", "모레"].contains(name) || Weekday.number(of: name) != nil
      guard isWeek || isDay else { continue }
      let last = isWeek && name != "다음주" ? index + 1 : index
      let range = word.range.lowerBound..<words[last].range.upperBound
      let day = isWeek ? "next-week" : name
      var words = words
      words.replaceSubrange(
        index...last, with: ["from", day, "to", day].map { Word(habit: $0, range: range) })
      return words
    }
    return words
  }

  private static let weekWords: [String: String] = [
    "next week": "next-week", "last week": "last-week", "this week": "this-week", "다음 주": "next-week",
    "지난 주": "last-week", "이번 주": "this-week",
  ]

  /// Joins the words of `from next week`, `since last week`, `where time>=last week`, `report last week`.
  private func weeks(_ words: [Word]) -> [Word] {
    var words = words
    let takesSpan = declaration.positionals.contains { $0.kind == .report }
    for index in words.indices.dropLast().reversed() {
      guard let typed = words[index].bare?.nfcNormalized, let next = words[index + 1].bare?.nfcNormalized else {
        continue
      }
      let signs: Set<Character> = ["<", ">", "="]
      let sign = typed.lastIndex(where: signs.contains)
      let named = sign.map { typed[typed.index(after: $0)...] } ?? typed[...]
      let follows = index > 0 && ["from", "to", "since", "over"].contains(words[index - 1].bare ?? "")
      guard sign != nil || follows || takesSpan,
        let joined = CompatibilityArguments.weekWords[(named + " " + next).lowercased()]
      else {
        continue
      }
      let range = words[index].range.lowerBound..<words[index + 1].range.upperBound
      let text = typed.dropLast(named.count) + joined
      words.replaceSubrange(index...(index + 1), with: [Word(habit: String(text), range: range)])
    }
    return words
  }

  /// `undo run 7`, `log run r7`: the name of the run.
  private func runs(_ words: [Word]) -> [Word] {
    guard let first = words.first, first.bare == "run", words.count > 1, let number = words[1].bare,
      let digits = number.wholeMatch(of: /[rR]?([0-9]{1,15})/)?.1
    else { return words }
    return [Word(habit: "r" + digits, range: first.range.lowerBound..<words[1].range.upperBound)] + words[2...]
  }

  /// `order by price desc`, `sort by price`, `sort -price`, `sort price asc`.
  private func sorted(_ words: [Word]) -> [Word] {
    var result: [Word] = []
    var index = 0
    while index < words.count {
      var word = words[index]
      if word.bare == "order", index + 1 < words.count, words[index + 1].bare == "by" {
        word = Word(habit: "sort", range: word.range.lowerBound..<words[index + 1].range.upperBound)
        index += 1
      }
      index += 1
      result.append(word)
      if word.bare == "sort", index + 1 < words.count, words[index].bare == "by" { index += 1 }
      guard word.bare == "sort", index < words.count, let order = words[index].bare else { continue }
      let sign = order.first
      let name = sign == "-" || sign == "+" ? String(order.dropFirst()) : order
      guard names.field(name) != nil else { continue }
      result.append(Word(habit: name, range: words[index].range))
      if sign == "-" { result.append(Word(habit: "desc", range: words[index].range)) }
      index += 1
      if index < words.count, words[index].bare == "asc" { index += 1 }
    }
    return result
  }

  /// Translates `columns name price`.
  private func columns(_ words: [Word]) -> [Word] {
    guard let start = words.firstIndex(where: { $0.bare == "columns" }) else { return words }
    func isField(_ word: Word) -> Bool {
      word.bare.map { $0.split(separator: ",").allSatisfy { names.field(String($0)) != nil } } ?? false
    }
    let end = words[(start + 1)...].firstIndex { !isField($0) } ?? words.endIndex
    guard end - start > 2 else { return words }
    var words = words
    let list = words[(start + 1)..<end].compactMap { $0.bare?.split(separator: ",").joined(separator: ",") }
    let range = words[start + 1].range.lowerBound..<words[end - 1].range.upperBound
    words.replaceSubrange((start + 1)..<end, with: [Word(habit: list.joined(separator: ","), range: range)])
    return words
  }

  /// Translates `ls 2`.
  private func paged(_ words: [Word]) -> [Word] {
    let position = words.first?.bare == "mine" ? 1 : 0
    guard position < words.count, let bare = words[position].bare, let number = NumberLiteral.integer(bare), number > 0,
      declaration.positionals.isEmpty
    else { return words }
    var words = words
    words.insert(Word(habit: "page", range: words[position].range), at: position)
    return words
  }

  /// Translates `show Ukulele`: words that aren't product numbers are searched for in names.
  private func named(_ words: [Word]) -> [Word] {
    guard let first = words.first, declaration.positionals.first?.kind == .target, isText(first),
      Assignment.split(first) == nil
    else { return words }
    // A mistyped number or range isn't a name: `45-42`, `42,,43`.
    if let bare = first.bare, bare.utf8.allSatisfy({ (48...57).contains($0) || $0 == 0x2D || $0 == 0x2C }) {
      return words
    }
    let known = declaration.options.map(\.name) + names.allNames
    // A mistyped field or option isn't a product name.
    if let bare = first.bare, SpellingSuggester.closest(bare, in: known) != nil { return words }
    // A name may contain a number, `상품 2`, unless the command accepts a number itself, such as that of a picture.
    let takesNumber = declaration.positionals.dropFirst().contains { if case .number = $0.kind { true } else { false } }
    func goesOn(_ word: Word) -> Bool {
      isText(word) || (!takesNumber && word.bare.map { NumberLiteral.integer($0) != nil } == true)
    }
    let end = words.firstIndex { !goesOn($0) } ?? words.endIndex
    let range = first.range.lowerBound..<words[end - 1].range.upperBound
    let text = words[..<end].map(\.text).joined(separator: " ")
    let name = Word(parts: [Word.Part(kind: .quoted, text: text, range: range)], range: range)
    return [Word(habit: "named", range: first.range), name] + words[end...]
  }

  private func isText(_ word: Word) -> Bool {
    guard let bare = word.bare else { return !word.isUnknown }
    return names.field(bare) == nil && !has(bare) && (try? ProductSelector.read(bare)) == nil && bare != "where"
      && !"@-=<>~(),;/{".contains(bare.first ?? "=")
  }

  // MARK: Targets and assignments

  /// `chart mine stock`: the products before the field.
  private func fieldFirst(_ words: [Word]) -> [Word] {
    guard declaration.positionals.first?.kind == .field, words.count > 1, let target = words[0].bare,
      names.field(target) == nil, (try? ProductSelector.read(target)) != nil,
      let field = words[1].bare, names.field(field) != nil
    else { return words }
    return [words[1], words[0]] + words[2...]
  }

  /// The targets of `ls` that aren't one word: `mine where stock=0`, `stock<5`, `mine stock<5`, `search 컵`,
  /// `mine search 컵`, in any order. They are translated into one condition.
  private func matching(_ words: [Word], from position: Int) -> [Word] {
    guard !has("where"),
      let start = words.indices.first(where: { index in
        (index == position || ["mine", "where"].contains(words[index].bare)) && beginsTarget(index, of: words)
      })
    else { return words }
    func word(_ text: String) -> Word { Word(habit: text, range: words[start].range) }
    var terms: [[Word]] = []
    var used: Set<String> = []
    var index = start
    while index < words.count {
      if words[index].bare == "mine", used.insert("mine").inserted {
        terms.append([word("vendor=me")])
        index += 1
      } else if isSearch(index, of: words), used.insert("search").inserted {
        let text = words[index + 1].parts.map { Word.Part(kind: .quoted, text: $0.text, range: $0.range) }
        let name = Word.Part(kind: .bare, text: "name~", range: words[index].range)
        terms.append([
          Word(parts: [name] + text, range: words[index].range.lowerBound..<words[index + 1].range.upperBound)
        ])
        index += 2
      } else if let condition = self.condition(at: index, of: words), used.insert("where").inserted {
        let isAlternative = condition.words.contains { ["or", "||"].contains($0.bare?.lowercased() ?? "") }
        terms.append(isAlternative ? [word("(")] + condition.words + [word(")")] : condition.words)
        index = condition.end
      } else {
        break
      }
    }
    guard used != ["mine"] else { return words }
    return words[..<start] + [word("where")] + terms.joined(separator: [word("and")]) + words[index...]
  }

  /// Returns whether a target of several words, or a condition without `where`, begins at an index.
  private func beginsTarget(_ index: Int, of words: [Word]) -> Bool {
    if words[index].bare == "mine" {
      return index + 1 < words.count && (isSearch(index + 1, of: words) || condition(at: index + 1, of: words) != nil)
    }
    if isSearch(index, of: words) { return true }
    guard let condition = condition(at: index, of: words) else { return false }
    // A condition with `where` alone is a target as it is.
    let next = condition.end
    return words[index].bare != "where"
      || next < words.count && (words[next].bare == "mine" || isSearch(next, of: words))
  }

  private func isSearch(_ index: Int, of words: [Word]) -> Bool {
    !has("search") && words[index].bare == "search" && index + 1 < words.count && !words[index + 1].isUnknown
  }

  /// Returns the words of the condition that begins at an index, with or without `where`, and the index after it.
  ///
  /// In a command with assignments, `stock=5` and `name~s/a/b/` are none without `where`.
  private func condition(at index: Int, of words: [Word]) -> (words: [Word], end: Int)? {
    var first = index
    if words[index].bare == "where" {
      first += 1
    } else {
      guard let beginning = words[index].bareBeginning.firstMatch(of: /^[\p{L}_]+(!=|!~|[<>]=?|=|~(s\/)?)/),
        isComparison(words[index].bareBeginning)
      else { return nil }
      let assigns = declaration.assignmentParameter != nil && beginning.1 == "="
      guard !assigns, beginning.2 == nil else { return nil }
    }
    guard first < words.count, let used = try? Condition.read(words[first...], names: names, after: 0).used, used > 0
    else { return nil }
    return (Array(words[first..<(first + used)]), first + used)
  }

  /// Joins `138 132` and `@1 @2` into one list, from the place of the targets among the values on.
  private func targets(_ words: [Word], from start: Int) -> [Word] {
    guard start < words.count, !words[..<start].contains(where: { $0.bare.map(has) ?? false }),
      let first = words[start].bare
    else { return words }
    var end = start
    while end < words.count, let bare = words[end].bare, bare.first == first.first || bare.first != "@",
      bare.first != "@" || first.first == "@", isListed(bare)
    {
      end += 1
    }
    guard end - start > 1 else { return words }
    let list = words[start..<end].compactMap(\.bare).map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    let range = words[start].range.lowerBound..<words[end - 1].range.upperBound
    return words[..<start] + [Word(habit: list.joined(separator: ","), range: range)] + words[end...]
  }

  private func isListed(_ text: String) -> Bool {
    switch try? ProductSelector.read(text.hasSuffix(",") ? String(text.dropLast()) : text) {
    case .ids, .rows: true
    case .allRows, .last, .mine, .matching, nil: false
    }
  }

  private static let signs = ["+=", "-=", "*=", "="]

  /// Translates `price 18500`, `price = 18500`, `price -= 10%`.
  private func assignments(_ words: [Word]) -> [Word] {
    var result: [Word] = []
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      guard let bare = word.bare else {
        result.append(word)
        continue
      }
      if bare == "where", let read = try? Condition.read(words[index...], names: names, after: 0) {
        result += [word] + words[index..<(index + read.used)]
        index += read.used
      } else if let option = declaration.options.first(where: { $0.name == bare || "--" + $0.name == bare }) {
        result.append(word)
        if option.style == .option, index < words.count {
          result.append(words[index])
          index += 1
        }
      } else if let count = pieces(of: bare, words[index...]) {
        result.append(joined([word] + words[index..<(index + count)]))
        index += count
      } else {
        result.append(word)
      }
    }
    return result
  }

  /// Returns the number of following words that belong to an assignment beginning with `bare`, or `nil` if there is
  /// none.
  private func pieces(of bare: String, _ rest: ArraySlice<Word>) -> Int? {
    guard let next = rest.first else { return nil }
    if let sign = CompatibilityArguments.signs.first(where: bare.hasSuffix), isName(String(bare.dropLast(sign.count))) {
      return isValue(next) ? 1 : nil
    }
    guard isName(bare) else { return nil }
    if let text = next.bare, let sign = CompatibilityArguments.signs.first(where: text.hasPrefix) {
      if text != sign { return 1 }
      return rest.count > 1 && isValue(rest[rest.startIndex + 1]) ? 2 : nil
    }
    return isValue(next) ? 1 : nil
  }

  private func joined(_ pieces: [Word]) -> Word {
    let hasSign =
      pieces.dropLast().contains { word in word.bare.map { $0.hasSuffix("=") } ?? false }
      || pieces.last.map { last in CompatibilityArguments.signs.contains { last.bareBeginning.hasPrefix($0) } } ?? false
    return Word(joining: pieces, with: hasSign ? "" : "=")
  }

  private func isName(_ text: String) -> Bool {
    guard let kind = declaration.assignmentParameter?.kind else { return false }
    return names.field(text).map { ProductField.writable.contains($0) || $0 == .sale }
      ?? AssignableNames(kind).includesExplicitly(text)
  }

  private func isValue(_ word: Word) -> Bool {
    guard let bare = word.bare else { return true }
    return !has(bare) && Assignment.split(word) == nil && !isName(bare) && !"=<>!~()".contains(bare.first ?? "=")
      && !["in", "like", "and", "or", "not", "is", "between"].contains(bare)
  }
}

/// A pattern of SQL's `LIKE`: `%` matches anything, `_` one character.
private struct LikePattern {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Returns the equivalent condition: contains, equals, or a regular expression.
  func word(_ name: String, isNegated: Bool, at range: Range<Int>) -> Word {
    func part(_ kind: Word.Kind, _ text: String) -> Word.Part { Word.Part(kind: kind, text: text, range: range) }
    let inner = text.dropFirst().dropLast()
    if text.count > 2, text.hasPrefix("%"), text.hasSuffix("%"), !inner.contains(where: { $0 == "%" || $0 == "_" }) {
      return Word(parts: [part(.bare, name + (isNegated ? "!~" : "~")), part(.quoted, String(inner))], range: range)
    }
    guard text.contains(where: { $0 == "%" || $0 == "_" }) else {
      return Word(parts: [part(.bare, name + (isNegated ? "!=" : "=")), part(.quoted, text)], range: range)
    }
    return Word(
      parts: [part(.bare, name + (isNegated ? "!~" : "~")), part(.pattern, "/" + regex + "/"), part(.bare, "i")],
      range: range)
  }

  private var regex: String {
    var result = ""
    for character in text {
      switch character {
      case "%": result += ".*"
      case "_": result += "."
      case "\n": result += "\\n"
      default: result += "\\^$.|?*+()[]{}/".contains(character) ? "\\" + String(character) : String(character)
      }
    }
    let whole = "^" + result + "$"
    return whole.replacing(/^\^\.\*/, with: "").replacing(/\.\*\$$/, with: "")
  }
}
