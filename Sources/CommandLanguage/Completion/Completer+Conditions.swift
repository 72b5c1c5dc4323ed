import Catalog
import Text

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
