import Catalog

/// Reads back at the end of a batch what its writes were answered: through lists where their rows tell enough, else
/// product by product.
struct BatchCheck {
  /// A write that was answered with yes. The change and the answer are shared with the plan and its outcomes.
  private struct Item {
    var index: Int
    var id: Product.ID
    var answered: Outcome
  }

  /// What later writes of the batch did to the product of an earlier one.
  private struct Later {
    var set: Set<Field> = []
    var isGone = false
  }

  /// Fewer are read one by one: a list of the market costs more.
  private static let least = 20
  /// Products read at once.
  private static let width = 8

  private let runner: PlanRunner
  private let journal: Journal
  private let tickets: [Ticket]
  private var items: [Item] = []
  /// Products that were otherwise than their plan saw them, by the places of their writes: an edit is compared with what it
  /// found.
  private var found: [Int: Product] = [:]

  init(_ runner: PlanRunner, _ journal: Journal, _ tickets: [Ticket]) {
    self.runner = runner
    self.journal = journal
    self.tickets = tickets
  }

  /// A write that was answered with yes; others are passed over.
  mutating func add(_ index: Int, _ outcome: Outcome, before: Product?) {
    let change = tickets[index].change
    guard case .done(let answered, _) = outcome, let id = change.product?.id ?? answered?.id else { return }
    items.append(Item(index: index, id: id, answered: outcome))
    guard case .edit(_, let from, let to) = change, let before else { return }
    if to.pictures != nil || Fields(of: before, like: to) != from { found[index] = before }
  }

  /// The outcomes that reading shows otherwise, by their places in the plan; the journal has them already.
  func corrections() async -> [(index: Int, outcome: Outcome)] {
    let places = Dictionary(grouping: items.indices) { items[$0].id }
    let later = later(places)
    var doubtful = await unlisted(places, later).map { items[$0] }
    for round in 0..<2 where !doubtful.isEmpty {
      if round > 0 { try? await runner.clock.pause(runner.settle.agreement) }
      let seen = await read(Set(doubtful.map(\.id)))
      var wrong: [(item: Item, check: ReadCheck)] = []
      for item in doubtful {
        // What cannot be read just now stays as it was answered.
        guard let now = seen[item.id] else { continue }
        var check = check(item)
        if !check.holds(for: now, but: later[item.index]?.set ?? []) { wrong.append((item, check)) }
      }
      doubtful = wrong.map(\.item)
      guard round > 0 else { continue }
      var corrected: [(Int, Outcome)] = []
      for (item, check) in wrong {
        corrected.append((item.index, await correct(item, check, seen[item.id] ?? nil)))
      }
      return corrected
    }
    return []
  }

  private func check(_ item: Item) -> ReadCheck {
    ReadCheck(tickets[item.index].change, before: found[item.index], answered: item.answered.product)
  }

  /// The places of what the list does not show as it was answered; each page is compared and forgotten.
  private func unlisted(_ places: [Product.ID: [Int]], _ later: [Int: Later]) async -> [Int] {
    var isShown = [Bool?](repeating: nil, count: items.count)
    var isWhole = false
    if places.count >= BatchCheck.least {
      let whole = try? await runner.market.list(for: places.count) { page in
        for row in page {
          for place in places[row.id] ?? [] {
            var check = check(items[place])
            isShown[place] = check.isTold(by: row) && check.holds(for: row, but: later[items[place].index]?.set ?? [])
          }
        }
      }
      isWhole = whole ?? false
    }
    return items.indices.filter { place in
      let index = items[place].index
      guard later[index]?.isGone != true else { return false }
      return !(isShown[place] ?? (isWhole && tickets[index].change.kind == .delete))
    }
  }

  /// By the places of writes in the plan, for those whose product was written again.
  private func later(_ places: [Product.ID: [Int]]) -> [Int: Later] {
    var later: [Int: Later] = [:]
    for writes in places.values where writes.count > 1 {
      var since = Later()
      for index in writes.map({ items[$0].index }).sorted(by: >) {
        later[index] = since
        switch tickets[index].change {
        case .create: break
        case .edit(_, _, let to): since.set.formUnion(to.set)
        case .delete: since.isGone = true
        }
      }
    }
    return later
  }

  /// Nil inside for a product that is not there; left out are those that could not be read.
  private func read(_ ids: Set<Product.ID>) async -> [Product.ID: Product?] {
    await withTaskGroup(of: (Product.ID, Product?)?.self) { group in
      var rest = ids.sorted().makeIterator()
      var seen: [Product.ID: Product?] = [:]
      func begin(_ id: Product.ID) {
        group.addTask {
          do { return (id, try await runner.market.read(id)) } catch { return nil }
        }
      }
      for _ in 0..<BatchCheck.width { if let id = rest.next() { begin(id) } }
      for await one in group {
        if let (id, product) = one { seen[id] = .some(product) }
        if let id = rest.next() { begin(id) }
      }
      return seen
    }
  }

  private func correct(_ item: Item, _ check: ReadCheck, _ now: Product?) async -> Outcome {
    let ticket = tickets[item.index]
    switch ticket.change {
    case .create(let draft):
      if let now, now.name.map(FieldValue.text)?.isSame(as: .text(draft.name)) == true {
        return .done(now, differences: check.fields)
      }
      // It may appear yet; until then it is a question, and nothing is undone by the id that was answered.
      try? await journal.correct(ticket.entry, as: .asked, after: nil, detail: check.evidence, whole: true)
      return .asked(check.evidence)
    case .edit(_, _, let to):
      let after = now.map { Fields(of: $0, like: to) }
      try? await journal.correct(ticket.entry, as: .notStored, after: after, detail: check.evidence)
    case .delete:
      try? await journal.correct(
        ticket.entry, as: .notStored, after: now.map { _ in Fields() }, detail: check.evidence)
    }
    return .notStored(now, check.fields, evidence: check.evidence)
  }
}
