import Catalog
import Text

/// The values a parameter takes.
extension Completer {
  mutating func values(_ kind: ValueKind) {
    switch kind {
    case .choice(let choices): for choice in choices { offer(choice) }
    case .field: for field in Field.allCases { offer(field.rawValue, FieldSummary.of(field)) }
    case .fields:
      listed { completer in
        for field in Field.allCases { completer.offer(field.rawValue, FieldSummary.of(field), endsWord: false) }
      }
    case .target: targets()
    case .file: files()
    case .files: listed { $0.files() }
    case .currency: for currency in Currency.documented { offer(currency.code) }
    case .profile: for profile in sources.profiles() { offer(profile, quoting: true) }
    case .setting: for setting in sources.settings { offer(setting.name, setting.summary) }
    case .command:
      for declaration in grammar.declarations { offer(declaration.name, declaration.summary) }
      for topic in HelpTopic.allCases { offer(topic.rawValue, topic.page.title) }
    case .expression: condition(from: words.count)
    case .text: settingValues()
    case .number, .decimal, .line, .rate, .assignment, .settings, .none: break
    }
  }

  /// The value of a setting whose name stands just before.
  private mutating func settingValues() {
    guard walk.declaration?.placed.first?.kind == .setting, let name = words.last?.text,
      let setting = sources.settings.first(where: { $0.name == name })
    else { return }
    for value in setting.values { offer(value) }
  }

  /// Completes what is behind the last comma.
  mutating func listed(_ offers: (inout Completer) -> Void) {
    if let bare = partial.bare, let comma = bare.unicodeScalars.lastIndex(of: ",") {
      let before = bare.unicodeScalars.distance(from: bare.unicodeScalars.startIndex, to: comma) + 1
      guard partial.range.count == bare.unicodeScalars.count else { return }
      range = (partial.range.lowerBound + before)..<partial.range.upperBound
      typed = String(bare.unicodeScalars.dropFirst(before))
    }
    offers(&self)
  }

  mutating func files() {
    for path in sources.files(typed) { offer(path, endsWord: !path.hasSuffix("/"), quoting: true) }
  }

  /// Products that were seen, by number or name, and the words that stand for some of them.
  private mutating func targets() {
    listed { completer in
      let matches = completer.sources.seen.matches(completer.typed, limit: Completer.most)
      completer.found += matches.found.map { Candidate(String($0.id), Wording(same: "\(.foreign($0.name))")) }
      completer.isCut = matches.isCut
    }
    guard range.lowerBound == partial.range.lowerBound else { return }
    offer("_", Wording("the last product", ko: "마지막 상품"))
    offer("mine", Wording("your own products", ko: "내 상품"))
    offer("@all", Wording("every row of the last listing", ko: "마지막 목록의 모든 줄"))
    if walk.place?.kind == .target { offer("where", Wording("those a condition holds for", ko: "조건에 맞는 상품")) }
  }
}
