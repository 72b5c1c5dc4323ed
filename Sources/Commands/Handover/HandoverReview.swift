import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The items of a handed over file, compared with those of this home: new ones, those that differ, those that are there
/// already, and those that can't be taken.
struct HandoverReview {
  /// The profiles to be added or changed, by name.
  private(set) var profiles: [(name: String, profile: Profile)] = []
  private(set) var aliases: [HandoverFile.AliasItem] = []
  private(set) var tables: [HandoverFile.Kind: [HandoverFile.TableItem]] = [:]
  private(set) var recurring: [(item: HandoverFile.RecurringItem, recurrence: Recurrence)] = []
  private(set) var sales: [ReviewedSale] = []
  private(set) var log = HandedOverLog()
  /// The items of each kind, in full, as they are shown.
  private(set) var lines: [HandoverFile.Kind: [LocalizedText]] = [:]
  /// The number of items of each kind that this home has already.
  private(set) var known: [HandoverFile.Kind: Int] = [:]
  /// The items that can't be taken, with the reasons.
  private(set) var refused: [LocalizedText] = []

  /// A sale to be taken.
  struct ReviewedSale {
    var plan: PlanFile
    var progress: SaleProgress
    /// The sale of this home that was handed over and returns, or `nil`.
    var returning: ScheduledSale?
  }

  /// The settings of a profile that aren't handed over: programs, files and servers of a machine that everything would trust.
  static let machineSettings: Set = ["secret_command", "proxy", "ca"]
  /// The settings of a profile by which its secret goes to another server, or without encryption.
  private static let secretSettings: Set = ["also", "http"]

  private let scope: CommandScope

  /// - Throws: `FileError` if this home can't be read; `JournalError`.
  init(_ file: HandoverFile, in scope: CommandScope) throws {
    self.scope = scope
    try review(file.profiles)
    try review(file.aliases)
    for (kind, items) in [(HandoverFile.Kind.recipes, file.recipes), (.reports, file.reports)] {
      try review(items, of: kind)
    }
    try review(file.recurring)
    try review(file.sales)
    try review(file.log)
  }

  /// The kinds of which something can be taken, in the order in which they are asked about.
  var kinds: [HandoverFile.Kind] { HandoverFile.Kind.allCases.filter { count(of: $0) > 0 } }

  /// Returns the number of items that can be taken.
  func count(of kind: HandoverFile.Kind) -> Int {
    switch kind {
    case .profiles: profiles.count
    case .aliases: aliases.count
    case .recipes, .reports: tables[kind]?.count ?? 0
    case .every: recurring.count
    case .sales: sales.count
    case .log: log.writes.count
    case .pending: log.pending.count
    }
  }

  /// Adds the finished or the pending writes to a journal, and returns the number of those that it didn't have.
  ///
  /// - Throws: `JournalError` if the log can't be written.
  func takeLog(pending isPending: Bool, into journal: Journal) throws(JournalError) -> Int {
    var part = log
    if isPending { part.writes = [] } else { part.pending = [] }
    return try journal.takeOver(part).added
  }

  // MARK: Profiles

  private mutating func review(_ items: [HandoverFile.ProfileItem]) throws {
    let stored = try ProfileStore(scope.context.stores.home).load()
    let credentials = CredentialStore(scope.context.stores.home)
    var seen: Set<String> = []
    for item in items where seen.insert(item.name).inserted {
      let old = stored[item.name]
      guard let profile = HandoverReview.profile(item, over: old),
        profile.url != nil || item.name == ServerConfiguration.demo
      else {
        refused.append(
          LocalizedText(
            "profile \(.foreign(item.name)): its settings cannot be used",
            ko: "프로필 \(.foreign(item.name)): 쓸 수 없는 설정이 있습니다"))
        continue
      }
      // The secret of a profile belongs to its server: a file must not send it to another one.
      if let old, old.server != profile.server {
        refused.append(
          LocalizedText(
            "profile \(.foreign(item.name)): it is \(.value(old.url ?? "-")) here and \(.foreign(profile.url ?? "-")) in the file",
            ko: "프로필 \(.foreign(item.name)): 여기서는 \(.value(old.url ?? "-")), 파일에서는 \(.foreign(profile.url ?? "-"))"))
        continue
      }
      let moved = ProfileSetting.all.filter {
        HandoverReview.secretSettings.contains($0.name) && old.flatMap($0.get) != $0.get(profile)
      }
      if old != nil, !moved.isEmpty {
        let names = moved.map(\.name).joined(separator: ", ")
        refused.append(
          LocalizedText(
            "profile \(.foreign(item.name)): \(.field(names)) would change where its secret is sent",
            ko: "프로필 \(.foreign(item.name)): \(.field(names)) 값이 시크릿을 보낼 곳을 바꿉니다"))
        continue
      }
      if old == nil, try credentials.load(item.name) != nil || credentials.weatherKey(item.name) != nil {
        refused.append(
          LocalizedText(
            "profile \(.foreign(item.name)): a secret is stored here for a profile of that name",
            ko: "프로필 \(.foreign(item.name)): 그 이름으로 저장된 시크릿이 여기 있습니다"))
        continue
      }
      guard profile != old else {
        known[.profiles, default: 0] += 1
        continue
      }
      profiles.append((item.name, profile))
      lines[.profiles, default: []].append(HandoverReview.line(of: item.name, profile, replacing: old))
    }
  }

  /// Returns a profile with the settings of an item, each read as if it had been typed, or `nil` if one can't be used.
  private static func profile(_ item: HandoverFile.ProfileItem, over old: Profile?) -> Profile? {
    var profile = old ?? Profile()
    for (name, text) in item.settings.sorted(by: { $0.key < $1.key }) {
      guard !machineSettings.contains(name), !text.isEmpty, text.utf8.count <= 4_096,
        let setting = ProfileSetting.all.first(where: { $0.name == name }),
        name != "api" || Edition(rawValue: text) != nil,
        (try? setting.apply(text, to: &profile, home: nil, at: nil)) != nil
      else { return nil }
    }
    if let weather = item.weather, weather.utf8.count > HandoverTables.maximumText || !profile.takesWeather(weather) {
      return nil
    }
    return profile
  }

  private static func line(of name: String, _ profile: Profile, replacing old: Profile?) -> LocalizedText {
    var changed = ProfileSetting.all.compactMap { setting -> String? in
      let (before, after) = (old.flatMap(setting.get), setting.get(profile))
      guard before != after else { return nil }
      guard old != nil else { return after.map { "\(setting.name)=\($0)" } }
      return "\(setting.name) \(before ?? "-") -> \(after ?? "-")"
    }
    if let weather = profile.weatherTOML, weather != old?.weatherTOML {
      changed.append(weather.split(separator: "\n").filter { !$0.isEmpty }.joined(separator: "; "))
    }
    let changes = changed.joined(separator: ", ")
    return old == nil
      ? LocalizedText(
        "new profile \(.foreign(name)): \(.foreign(changes))", ko: "새 프로필 \(.foreign(name)): \(.foreign(changes))")
      : LocalizedText(
        "profile \(.foreign(name)): \(.foreign(changes))", ko: "프로필 \(.foreign(name)): \(.foreign(changes))")
  }

  // MARK: Aliases

  private mutating func review(_ items: [HandoverFile.AliasItem]) throws {
    let grammar = scope.context.program.commands.grammar
    let stored = scope.session.aliases
    var seen: Set<String> = []
    for item in items where seen.insert(item.name).inserted {
      let isLine =
        item.line.utf8.count <= 4_096
        && !item.line.unicodeScalars.contains { $0.properties.generalCategory == .control }
      guard isLine, grammar.canBeAlias(item.name), !grammar.mayContainSecret(item.line),
        let parts = try? grammar.segments(of: item.line), !parts.isEmpty,
        (try? scope.grammar.checkForCycle(item.name, item.line)) != nil
      else {
        refused.append(
          LocalizedText(
            "alias \(.foreign(item.name)): it cannot be an alias", ko: "별칭 \(.foreign(item.name)): 별칭이 될 수 없습니다"))
        continue
      }
      let old = stored[item.name]
      guard old != item.line else {
        known[.aliases, default: 0] += 1
        continue
      }
      aliases.append(item)
      lines[.aliases, default: []].append(
        old.map { old in
          LocalizedText(
            "alias \(.foreign(item.name)): \(.value(old)) -> \(.foreign(item.line))",
            ko: "별칭 \(.foreign(item.name)): \(.value(old)) -> \(.foreign(item.line))")
        }
          ?? LocalizedText(
            "new alias \(.foreign(item.name)) = \(.foreign(item.line))",
            ko: "새 별칭 \(.foreign(item.name)) = \(.foreign(item.line))"))
    }
  }

  // MARK: Recipes and reports

  private mutating func review(_ items: [HandoverFile.TableItem], of kind: HandoverFile.Kind) throws {
    let stored = Dictionary(try HandoverTables(kind, in: scope.context.stores.home).items().map { ($0.name, $0) }) {
      $1
    }
    var seen: Set<String> = []
    for item in items where seen.insert(item.name).inserted {
      let word = kind.word
      guard item.toml.utf8.count <= HandoverTables.maximumText, let table = (try? TOML(parsing: item.toml))?.table
      else {
        refused.append(
          LocalizedText(
            "\(word[.english]): \(.foreign(item.name)): it is too long",
            ko: "\(word[.korean]): \(.foreign(item.name)): 너무 깁니다"))
        continue
      }
      do {
        try HandoverTables(kind, in: scope.context.stores.home).check(item, table)
      } catch {
        let reason = CommandError(describing: error).message.what
        refused.append(
          LocalizedText(
            "\(word[.english]): \(.foreign(item.name)): \(reason.english)",
            ko: "\(word[.korean]): \(.foreign(item.name)): \(reason.korean)"))
        continue
      }
      let text = TOML.serialized(table)
      guard stored[item.name]?.toml != text else {
        known[kind, default: 0] += 1
        continue
      }
      tables[kind, default: []].append(HandoverFile.TableItem(name: item.name, toml: text))
      let content = text.split(separator: "\n").filter { !$0.isEmpty }.joined(separator: "; ")
      lines[kind, default: []].append(
        stored[item.name] == nil
          ? LocalizedText(
            "new: \(.foreign(item.name)): \(.foreign(content))", ko: "새로: \(.foreign(item.name)): \(.foreign(content))")
          : LocalizedText(
            "differs: \(.foreign(item.name)): \(.foreign(content))",
            ko: "다름: \(.foreign(item.name)): \(.foreign(content))"))
    }
  }

  // MARK: Recurring lines

  private mutating func review(_ items: [HandoverFile.RecurringItem]) throws {
    let grammar = scope.context.program.commands.grammar
    let profiles = Set(try ProfileStore(scope.context.stores.home).load().keys).union(self.profiles.map(\.name))
    var present = Set(
      try RecurringLineStore(scope.context.stores.home).lines().map {
        HandoverFile.RecurringItem(
          days: $0.recurrence.days, time: $0.recurrence.time, line: $0.text, profile: $0.profile)
      })
    for item in items {
      guard item.line.utf8.count <= 4_096, profiles.contains(item.profile),
        !item.line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
        !grammar.mayContainSecret(item.line), let parts = try? grammar.segments(of: item.line), !parts.isEmpty,
        let recurrence = try? Recurrence(days: item.days, time: item.time)
      else {
        refused.append(
          LocalizedText(
            "every \(.foreign(item.days)) \(.foreign(item.time)): it cannot be a recurring line in profile \(.foreign(item.profile))",
            ko: "every \(.foreign(item.days)) \(.foreign(item.time)): 프로필 \(.foreign(item.profile))의 반복할 줄이 될 수 없습니다"))
        continue
      }
      let line = HandoverFile.RecurringItem(
        days: recurrence.days, time: recurrence.time, line: item.line, profile: item.profile)
      guard present.insert(line).inserted else {
        known[.every, default: 0] += 1
        continue
      }
      recurring.append((line, recurrence))
      let words = recurrence.words
      lines[.every, default: []].append(
        LocalizedText(
          "\(words.english), profile \(.foreign(item.profile)): \(.foreign(item.line))",
          ko: "\(words.korean), 프로필 \(.foreign(item.profile)): \(.foreign(item.line))"))
    }
  }

  // MARK: Sales

  private mutating func review(_ items: [HandoverFile.SaleItem]) throws {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let away = store.handedOver.sales(scope.session.limits).sales
    var seen: Set<String> = []
    for (index, item) in items.enumerated() {
      guard let (plan, progress) = sale(item), seen.insert(plan.id).inserted else {
        refused.append(
          LocalizedText(
            "sale \(String(index + 1)) of the file: it is not one that openmarket plans",
            ko: "파일의 \(String(index + 1))번째 할인: openmarket이 만든 할인이 아닙니다"))
        continue
      }
      let returning = away.first { $0.plans.contains { $0.contents.id == plan.id } }
      if returning == nil, try store.hasNumber(plan) {
        known[.sales, default: 0] += 1
        continue
      }
      sales.append(ReviewedSale(plan: plan, progress: progress, returning: returning))
      let begin = plan.notBefore.map { LocalTime($0).description } ?? "-"
      let end = plan.sale.map { LocalTime($0.end).description } ?? "-"
      let ids = ScheduledSale.listed(plan.plan.changes.compactMap { $0.product?.id })
      let market = plan.destination.baseURL
      let count = plan.plan.changes.count
      lines[.sales, default: []].append(
        LocalizedText(
          "\(.foreign(plan.command)): \(count) \(count == 1 ? StyledText("product") : "products") (\(ids)), \(begin) to \(end), profile \(.foreign(plan.destination.profile)) at \(.foreign(market)), \(progress.products.count) begun",
          ko:
            "\(.foreign(plan.command)): 상품 \(count)개(\(ids)), \(begin)부터 \(end)까지, 프로필 \(.foreign(plan.destination.profile))(\(.foreign(market))), 시작한 상품 \(progress.products.count)개"
        ))
    }
  }

  /// Returns the plan and the progress of a sale, or `nil` if they aren't what `sale` writes.
  private func sale(_ item: HandoverFile.SaleItem) -> (PlanFile, SaleProgress)? {
    guard let plan = try? PlanFile(item.plan, named: "sale", scope.session.limits), let rule = plan.sale,
      let start = plan.notBefore, start < rule.end, !plan.isEdited, !plan.plan.changes.isEmpty
    else { return nil }
    var ids: Set<Product.ID> = []
    for change in plan.plan.changes {
      guard case .edit(let product, _, let to) = change, to.assignedFields == [.discount],
        ids.insert(product.id).inserted
      else { return nil }
    }
    guard let text = item.progress else { return (plan, SaleProgress()) }
    guard let progress = try? SaleProgress(Data(text.utf8), at: "sale"), ids.isSuperset(of: progress.products),
      progress.products.allSatisfy({
        (progress[$0]?.before ?? .zero) >= .zero && (progress[$0]?.discount ?? .zero) >= .zero
      })
    else { return nil }
    return (plan, progress)
  }

  // MARK: Log

  private mutating func review(_ other: HandedOverLog) throws {
    log = other
    let all = other.writes + other.pending.map(\.write)
    let known = try scope.context.stores.journal().known(all.map(\.id))
    log.writes.removeAll { known.contains($0.id) }
    log.pending.removeAll { known.contains($0.write.id) }
    self.known[.log] = other.writes.count - log.writes.count
    self.known[.pending] = other.pending.count - log.pending.count
    for write in all { if let run = write.run { log.members[run, default: []].append(write.id) } }
    describePending()
    guard let first = log.writes.first, let last = log.writes.last else { return }
    let places = Dictionary(grouping: log.writes) { $0.address }.map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
    for (address, count) in places {
      lines[.log, default: []].append(
        LocalizedText("\(count) at \(.foreign(address))", ko: "\(.foreign(address)): \(count)건"))
    }
    let times = [first, last].compactMap { Timestamp($0.started).map { LocalTime($0).description } }
    guard times.count == 2 else { return }
    let (start, end, pictures) = (times[0], times[1], log.pictures.count)
    lines[.log, default: []].append(
      LocalizedText(
        "from \(start) to \(end), with \(pictures) \(pictures == 1 ? StyledText("picture") : "pictures") for undo",
        ko: "\(start)부터 \(end)까지, 되돌리기용 사진 \(pictures)장"))
  }

  /// Describes the pending changes by their run: its line, and the numbers of changes that were not sent or are unknown.
  private mutating func describePending() {
    let texts = Dictionary(log.runs.map { ($0.number, $0.text) }) { first, _ in first }
    let inDoubt = Set((WriteStateMachine.State.inDoubt + [.needsDecision]).map(\.rawValue))
    let runs = Dictionary(grouping: log.pending) { $0.write.run ?? 0 }.sorted { $0.key < $1.key }
    for (run, items) in runs {
      let unknown = items.count { inDoubt.contains($0.write.state) }
      let (line, unsent, address) = (texts[run] ?? "-", items.count - unknown, items[0].write.address)
      lines[.pending, default: []].append(
        LocalizedText(
          "\(.foreign(line)): \(unsent) not sent, \(unknown) unknown, at \(.foreign(address))",
          ko: "\(.foreign(line)): 미전송 \(unsent)건, 결과 미확인 \(unknown)건, \(.foreign(address))"))
    }
  }
}

extension Profile {
  /// Sets the places of `weather`, and returns whether the text is that of places.
  fileprivate mutating func takesWeather(_ text: String) -> Bool { (try? setWeather(text)) != nil }
}
