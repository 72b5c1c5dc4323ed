import Catalog
import Text

extension WriteExecution {
  /// Reads the market to find out whether a write was applied.
  mutating func readBack() async -> WriteStateMachine.ReadBack {
    do {
      if case .create(let draft) = ticket.change { return try await readBack(draft) }
      guard let id = ticket.change.product?.id else { return .unreadable }
      let now = try await runner.market.read(id)
      let reading = reading(of: now)
      let isConfirmed = machine.reply == .yes
      if try runner.isOutdated(reading, now, ticket, isConfirmed: isConfirmed, in: journal) { return .unreadable }
      answer = now
      conflictingFields = reading.fields
      if case .edit = ticket.change { foreign.merge(reading.foreign) { $1 } }
      if machine.reply == .yes, reading.finding != .applied {
        evidence = "the server reported success" + (reading.evidence.isEmpty ? "" : ", and " + reading.evidence)
      }
      return reading.finding
    } catch {
      let failure = "checking failed: \(WriteExecution.words(for: error))"
      if !evidence.contains(failure) { evidence += (evidence.isEmpty ? "" : "; ") + failure }
      if evidence.count > 300 { evidence = String(evidence.prefix(300)) }
      return .unreadable
    }
  }

  /// Returns the interpretation of a product for this write.
  func reading(of now: Product?) -> EffectReading {
    EffectReading(of: ticket.change, before: ticket.before, replied: replied, now: now, seen: foreign)
  }

  private mutating func readBack(_ draft: ProductDraft) async throws -> WriteStateMachine.ReadBack {
    // A product named by the server costs one read instead of a list.
    if machine.reply == .yes, let respondedID, let product = try await runner.market.read(respondedID),
      try evidence(of: draft).matchesResponse(product)
    {
      answer = product
      return .applied
    }
    switch try await verdict(draft) {
    case .found(let id):
      guard let product = try await runner.market.read(id) else {
        // It was deleted by this program since; the journal's own record shows that it existed.
        answer = try evidence(of: draft).beforeImages[id]
        return answer == nil ? .unreadable : .applied
      }
      answer = product
      return .applied
    case .notFound:
      answer = nil
      if machine.reply == .yes { evidence = "the server reported success, but the product does not exist" }
      return .notApplied
    case .ambiguous(let ids):
      answer = nil
      evidence = WriteExecution.words(for: ids)
      return .unclear
    }
  }

  /// Returns the reason why the market or the journal could not be read.
  static func words(for error: any Error) -> String {
    ErrorDescription.text(of: error) ?? "the market could not be read"
  }

  static func words(for ids: [Product.ID]) -> String {
    ids.isEmpty ? "someone else is also making changes" : "could be \(ids.map(String.init).joined(separator: ", "))"
  }

  /// Reads the newest products, and single ones if a row doesn't show the sent fields, and decides whether the create
  /// was applied.
  func verdict(_ draft: ProductDraft) async throws -> CreateMatcher.Verdict {
    let evidence = try evidence(of: draft)
    let oldest = ticket.known.min() ?? .min
    var reach = WriteExecution.newestCount
    var rows = try await runner.market.newestProducts(reach)
    // Only a list that reaches an older product shows that it contains nothing new.
    while rows.count >= reach, rows.allSatisfy({ $0.id > oldest }), reach < 10_000 {
      reach = min(reach * 4, 10_000)
      rows = try await runner.market.newestProducts(reach)
    }
    var whole: [Product] = []
    for row in rows where evidence.isNew(row.id) {
      let wantsDetail =
        evidence.isAlike(row) || row.id == evidence.respondedID || CreateMatcher.containsMarker(ticket.operation, row)
      guard wantsDetail, evidence.beforeImages[row.id] == nil else {
        whole.append(row)
        continue
      }
      if let product = try await runner.market.read(row.id) { whole.append(product) }
    }
    return evidence.verdict(from: whole)
  }

  /// Returns the criteria by which the created product is recognized.
  func evidence(of draft: ProductDraft) throws -> CreateMatcher {
    var claimed = try journal.claimed(runner.binding)
    if ticket.state == .acknowledged, let respondedID { claimed.remove(respondedID) }
    return CreateMatcher(
      draft: draft, operation: ticket.operation, known: Set(ticket.known), knownProductIDs: claimed,
      vendorID: runner.market.vendorID, keepsMarker: try journal.keepsMarker(at: runner.binding.baseURL),
      respondedID: respondedID,
      beforeImages: try journal.beforeImages(
        after: ticket.entryID, than: claimed, above: ticket.known.min() ?? .min, runner.binding),
      competingCreates: try journal.competingCreates(of: ticket.entryID, runner.binding))
  }
}
