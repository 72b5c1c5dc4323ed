import Catalog

extension Errand {
  /// What the market shows of a write nobody answered for.
  mutating func readBack() async -> StateMachine.Finding {
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
  private func readBackPictures(of now: Product) -> StateMachine.Finding {
    guard let before = ticket.before?.images, let images = now.images else { return .unreadable }
    return images.map(\.url) == before.map(\.url) ? .untouched : .landed
  }

  private mutating func readBack(_ draft: Draft) async throws -> StateMachine.Finding {
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
      evidence = Errand.words(for: ids)
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
    var reach = Errand.reach
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
