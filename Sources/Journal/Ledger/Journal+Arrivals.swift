import Catalog
import GRDB
import Glibc

extension Journal {
  /// Creates among so many of the newest writes are looked out for: the journal's own order, which no clock moves.
  private static let watched = 1_000
  private static let notice = "/given-up"

  /// Whether there may be creates to look out for in the journal of that folder: one look at one file, so that a listing
  /// opens no journal for nothing.
  package static func mayAwaitArrivals(in directory: String) -> Bool { access(directory + notice, F_OK) == 0 }

  /// Products that equal a recent create which was given up, is a question still, or was sent more than once and
  /// made another product.
  ///
  /// - Parameter vendorID: products known to be another vendor's are not ours, whatever they say.
  /// - Throws: `JournalFailure` where the log cannot be read.
  package func lateArrivals(
    in products: [Product], _ binding: Binding, vendorID: Int? = nil
  ) throws(JournalFailure) -> [LateArrival] {
    let rows = try read { database in
      try Row.fetchAll(
        database, sql: Journal.select + " WHERE o.base_url = ? AND o.vendor = ? AND " + Journal.awaited,
        arguments: [binding.baseURL, binding.vendor])
    }
    let suspects = rows.flatMap { arrivals(of: $0, in: products, vendorID) }
    if suspects.isEmpty { return [] }
    let claimed = try claimed(binding)
    return suspects.filter { !claimed.contains($0.product) }
  }

  /// A send of a create was given up: the next listings look out for it.
  func awaitArrival(of ticket: Ticket, as state: StateMachine.State) {
    let isGivenUp = [.notApplied, .asked, .unknown].contains(state) || state == .done && ticket.attempt > 1
    guard ticket.change.action == .create, isGivenUp else { return }
    let file = open(directory + Journal.notice, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Without it listings say nothing; `dupes` asks the journal itself.
    if file >= 0 { close(file) }
  }

  /// Ends the look-out where nothing is to be looked out for; in a transaction, so that no other shell begins one meanwhile.
  func endWatch(_ database: Database) throws {
    let isAwaited = try Bool.fetchOne(
      database, sql: "SELECT EXISTS(SELECT 1 FROM op o WHERE " + Journal.awaited + ")")
    if isAwaited != true { unlink(directory + Journal.notice) }
  }

  private static let awaited = """
    (o.state IN (\(quoted(.notApplied, .asked, .unknown, .dismissed))) AND o.attempt > 0 OR o.state = \(quoted(.done)) AND o.attempt > 1)
      AND o.kind = \(quoted(.create)) AND o.n > (SELECT max(n) FROM op) - \(watched)
    """

  private func arrivals(of row: Row, in products: [Product], _ vendorID: Int?) -> [LateArrival] {
    guard let entry = entry(row), case .create(let draft) = entry.change else { return [] }
    let known = Set(JSONText.read([Product.ID].self, row["known"]) ?? [])
    let evidence = CreateEvidence(
      draft: draft, operation: entry.operation, known: known, claimed: [], vendorID: vendorID, keepsMarker: nil)
    let standing: LateArrival.Standing =
      switch entry.state {
      case .sending, .leaving, .unknown, .asked: .open
      case .done: .madeLater
      case .planned, .ready, .unsent, .deferred, .notApplied, .notStored, .refused, .unchanged, .drifted, .dismissed:
        .givenUp
      }
    return products.filter { evidence.couldBe($0) && evidence.isAlike($0) }
      .map { LateArrival(entry: entry.n, product: $0.id, standing: standing) }
  }
}

/// A product that equals a create which nobody counts on: perhaps it arrived after all.
package struct LateArrival: Hashable, Sendable {
  /// The create's number in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.givenUp

  /// What had become of the create until then.
  package enum Standing: Hashable, Sendable {
    case givenUp
    /// It is a question still.
    case open
    /// It was proven not applied and sent again, and made another product.
    case madeLater
  }
}
