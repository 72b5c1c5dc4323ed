import Catalog

/// Reads back at the end of a batch what its writes were answered: through lists where their rows tell enough, else
/// product by product.
struct BatchCheck {
  private struct Item {
    var index: Int
    var entry: Int
    var id: Product.ID
    var kind: StateMachine.Kind
    var check: ReadCheck
    /// Of a create: what it was to be called.
    var name: FieldValue?
    /// The fields it set.
    var fields: Set<Field>
  }

  /// Fewer are read one by one: a list of the market costs more.
  private static let least = 20
  /// Products read at once.
  private static let width = 8

  private let runner: PlanRunner
  private let journal: Journal
  private var items: [Item] = []

  init(_ runner: PlanRunner, _ journal: Journal) {
    self.runner = runner
    self.journal = journal
  }

  /// A write that was answered with yes; others are passed over.
  mutating func add(_ ticket: Ticket, _ index: Int, _ outcome: Outcome, before: Product?) {
    guard case .done(let answered, _) = outcome, let id = ticket.change.product?.id ?? answered?.id else { return }
    var fields: Set<Field> = []
    var name: FieldValue?
    if case .edit(_, _, let to) = ticket.change { fields = Set(to.set) }
    if case .create(let draft) = ticket.change { name = .text(draft.name) }
    items.append(
      Item(
        index: index, entry: ticket.entry, id: id, kind: ticket.change.kind,
        check: ReadCheck(ticket.change, before: before, answered: answered), name: name, fields: fields))
  }

  /// The outcomes that reading shows otherwise, by their places in the plan; the journal has them already.
  func corrections() async -> [(index: Int, outcome: Outcome)] {
    let ids = Set(items.map(\.id))
    let rows = ids.count < BatchCheck.least ? ListedRows() : (try? await runner.market.rows(of: ids)) ?? ListedRows()
    let later = laterFields()
    var doubtful = items.filter { item in
      guard let set = later[item.index] else { return false }
      guard let row = rows.products[item.id] else { return !rows.isWhole || item.kind != .delete }
      var check = item.check
      return !check.isTold(by: row) || !check.holds(for: row, but: set)
    }
    for round in 0..<2 where !doubtful.isEmpty {
      if round > 0 { try? await runner.clock.pause(runner.settle.agreement) }
      let seen = await read(Set(doubtful.map(\.id)))
      doubtful = doubtful.compactMap { item in
        // What cannot be read just now stays as it was answered.
        guard let now = seen[item.id] else { return nil }
        var item = item
        return item.check.holds(for: now, but: later[item.index] ?? []) ? nil : item
      }
      guard round > 0 else { continue }
      var corrected: [(Int, Outcome)] = []
      for item in doubtful { corrected.append((item.index, await correct(item, seen[item.id] ?? nil))) }
      return corrected
    }
    return []
  }

  /// Of each write the fields that later ones of the same product have set; nil for one whose product a later one deleted.
  private func laterFields() -> [Int: Set<Field>] {
    var later: [Int: Set<Field>] = [:]
    var set: [Product.ID: Set<Field>] = [:]
    var gone: Set<Product.ID> = []
    for item in items.sorted(by: { $0.index > $1.index }) {
      if !gone.contains(item.id) { later[item.index] = set[item.id] ?? [] }
      set[item.id, default: []].formUnion(item.fields)
      if item.kind == .delete { gone.insert(item.id) }
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

  private func correct(_ item: Item, _ now: Product?) async -> Outcome {
    if item.kind == .create, let now, now.name.map(FieldValue.text).map({ item.name?.isSame(as: $0) == true }) == true {
      return .done(now, differences: item.check.fields)
    }
    guard item.kind != .create else {
      // It may appear yet; until then it is a question, and nothing is undone by the id that was answered.
      try? await journal.correct(item.entry, as: .asked, after: nil, detail: item.check.evidence, whole: true)
      return .asked(item.check.evidence)
    }
    let after = now.map { Fields(of: $0) }.map { all in
      var some = Fields()
      for field in item.fields { some[field] = all[field] }
      return some
    }
    try? await journal.correct(item.entry, as: .notStored, after: after, detail: item.check.evidence)
    return .notStored(now, item.check.fields, evidence: item.check.evidence)
  }
}
