import Catalog

extension WriteExecution {
  /// The server answered with yes: one read tells whether it is so, and a second one, a moment later, when it is not.
  ///
  /// A patch or a delete that reading does not show ends as not stored; a create stays unknown, because it may appear.
  mutating func confirm() async -> StateMachine.Answer {
    var check = ReadCheck(ticket.change, before: ticket.before, answered: answer)
    do {
      guard case .create = ticket.change else {
        if try await holds(&check) { return .applied }
        try await runner.clock.pause(rules.settle.agreement)
        if try await holds(&check) { return .applied }
        evidence = check.evidence
        moved = check.fields
        return answer == nil && ticket.change.kind == .patch ? .unknown : .notStored
      }
      if try await holds(&check) { return .applied }
      evidence = check.evidence
      answer = nil
      return .unknown
    } catch {
      evidence = "answered, and reading it back failed: \(error)"
      if ticket.change.kind == .create { answer = nil }
      return .unknown
    }
  }

  private mutating func holds(_ check: inout ReadCheck) async throws -> Bool {
    guard let id = ticket.change.product?.id ?? answered else { return true }
    let now = try await runner.market.read(id)
    let isRight = check.holds(for: now)
    if ticket.change.kind != .delete { answer = now } else if !isRight { answer = now }
    return isRight
  }
}

/// Compares what a write was answered with what is read afterwards.
struct ReadCheck {
  /// What differs, in a few words.
  private(set) var evidence = ""
  private(set) var fields: [Field] = []
  private let change: Change
  private let before: Product?
  private let expected: Fields
  private let id: Product.ID?

  /// - Parameters:
  ///   - before: the product as it was just before.
  ///   - answered: the product in the answer; where it shows a field, that is what must be there.
  init(_ change: Change, before: Product?, answered: Product?) {
    self.change = change
    self.before = before
    id = change.product?.id ?? answered?.id
    switch change {
    case .create(let draft):
      let sent = Fields(of: draft)
      expected = sent.overlaid(with: answered.map { Fields(of: $0, like: sent) })
    case .edit(_, _, let to): expected = to.overlaid(with: answered.map { Fields(of: $0, like: to) })
    case .delete: expected = Fields()
    }
  }

  /// Fields that only a detail tells.
  func isTold(by row: Product) -> Bool {
    switch change {
    case .delete: true
    case .create, .edit:
      expected.set.allSatisfy { Fields(of: row)[$0] != nil } && (expected.pictures == nil || row.images != nil)
    }
  }

  /// - Parameters:
  ///   - now: nil when there is no such product.
  ///   - later: fields that a later write has set since; they say nothing of this one.
  mutating func holds(for now: Product?, but later: Set<Field> = []) -> Bool {
    let name = id.map { "product \($0)" } ?? "the product"
    guard let now else {
      fields = change.kind == .delete ? [] : [.id]
      evidence = change.kind == .delete ? "" : "answered with yes, and \(name) is not there"
      return change.kind == .delete
    }
    let seen = Fields(of: now)
    switch change {
    case .delete:
      evidence = "answered with yes, and \(name) is still there"
      return false
    case .create:
      fields = expected.differing(from: seen).filter { !later.contains($0) }
    case .edit(_, let from, let to):
      fields = expected.differing(from: seen).filter { !later.contains($0) }
      if fields.isEmpty { fields = untouched(seen, to, before.map { Fields(of: $0, like: to) } ?? from, later) }
      if fields.isEmpty, to.pictures != nil, let old = before?.images?.map(\.url), now.images?.map(\.url) == old {
        fields = [.images]
      }
    }
    let values = fields.map { field in
      guard let wanted = expected[field] else { return field.rawValue }
      return "\(field.rawValue) \(wanted) but reads \(seen[field]?.description ?? "nothing")"
    }
    evidence = values.isEmpty ? "" : "answered with " + values.joined(separator: ", ")
    return fields.isEmpty
  }

  /// All that was sent, when all of it is still as it was before.
  private func untouched(_ seen: Fields, _ to: Fields, _ before: Fields, _ later: Set<Field>) -> [Field] {
    let sent = to.set.filter { !later.contains($0) && seen[$0] != nil }
    let isAsBefore = sent.allSatisfy { seen[$0] == before[$0] && seen[$0] != to[$0] }
    return isAsBefore ? sent : []
  }
}

extension WriteExecution {
  /// What the market shows of a write nobody answered for.
  mutating func readBack() async -> StateMachine.ReadBack {
    do {
      switch ticket.change {
      case .create(let draft): return try await readBack(draft)
      case .edit(let old, let from, let to):
        guard let now = try await runner.market.read(old.id) else {
          moved = [.id]
          return .foreign
        }
        answer = now
        let before = ticket.before.map { Fields(of: $0, like: to) } ?? from
        let comparison = Comparison(of: now, before: before, wanted: to)
        moved = comparison.moved + comparison.before
        if to.set.isEmpty, to.pictures != nil { return readBackPictures(of: now) }
        return comparison.finding
      case .delete(let old):
        answer = try await runner.market.read(old.id)
        return answer == nil ? .landed : .untouched
      }
    } catch {
      let trouble = "reading back failed: \(error)"
      if !evidence.contains(trouble) { evidence += (evidence.isEmpty ? "" : "; ") + trouble }
      if evidence.count > 300 { evidence = String(evidence.prefix(300)) }
      return .unreadable
    }
  }

  /// Pictures that were replaced have other addresses than before; whose they are cannot be told from them.
  private func readBackPictures(of now: Product) -> StateMachine.ReadBack {
    guard let before = ticket.before?.images, let images = now.images else { return .unreadable }
    return images.map(\.url) == before.map(\.url) ? .untouched : .landed
  }

  private mutating func readBack(_ draft: Draft) async throws -> StateMachine.ReadBack {
    switch try await verdict(draft) {
    case .landed(let id):
      guard let product = try await runner.market.read(id) else {
        // This home has deleted it since: that it was there is known from its own record.
        answer = try evidence(of: draft).earlier[id]
        return answer == nil ? .unreadable : .landed
      }
      answer = product
      return .landed
    case .untouched: return .untouched
    case .unclear(let ids):
      evidence = WriteExecution.words(for: ids)
      return .foreign
    }
  }

  static func words(for ids: [Product.ID]) -> String {
    ids.isEmpty ? "someone else is writing too" : "could be \(ids.map(String.init).joined(separator: ", "))"
  }

  /// Reads the newest products, and details where a row does not show what was sent, and judges.
  func verdict(_ draft: Draft) async throws -> CreateEvidence.Verdict {
    let evidence = try evidence(of: draft)
    let oldest = ticket.known.min() ?? .min
    var reach = WriteExecution.reach
    var rows = try await runner.market.newest(reach)
    // Only a list that reaches back to what was there before can say that nothing new is in it.
    while rows.count >= reach, rows.allSatisfy({ $0.id > oldest }), reach < 10_000 {
      reach = min(reach * 4, 10_000)
      rows = try await runner.market.newest(reach)
    }
    var whole: [Product] = []
    for row in rows where evidence.isNew(row.id) {
      let wantsDetail =
        evidence.isAlike(row) || row.id == evidence.answered || CreateEvidence.shows(ticket.operation, row)
      guard wantsDetail, evidence.earlier[row.id] == nil else {
        whole.append(row)
        continue
      }
      if let product = try await runner.market.read(row.id) { whole.append(product) }
    }
    return evidence.verdict(from: whole)
  }

  /// What a create of ours is recognised by.
  func evidence(of draft: Draft) throws -> CreateEvidence {
    let claimed = try journal.claimed(runner.binding)
    return CreateEvidence(
      draft: draft, operation: ticket.operation, known: Set(ticket.known), claimed: claimed,
      vendorID: runner.market.vendorID, keepsMarker: try journal.keepsMarker(at: runner.binding.baseURL),
      answered: answered,
      earlier: try journal.earlier(
        after: ticket.entry, than: claimed, above: ticket.known.min() ?? .min, runner.binding),
      rivals: try journal.rivals(of: ticket.entry, runner.binding))
  }
}
