import Catalog
import GRDB
import Glibc

extension Journal {
  /// Writes among so many of the newest are looked out for: the journal's own order, which no clock moves.
  private static let watched = 1_000
  private static let notice = "/given-up"

  /// Whether there may be writes to look out for in the journal of that folder: one look at one file, so that a listing
  /// opens no journal for nothing.
  package static func mayAwaitArrivals(in directory: String) -> Bool { access(directory + notice, F_OK) == 0 }

  /// Products that equal a recent create which was given up, is a question still, or was sent more than once and
  /// made another product; and products of which a recent patch has undone what was written after it, or was taken for not
  /// applied.
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
    let claimed = suspects.isEmpty ? [] : try claimed(binding)
    return suspects.filter { !claimed.contains($0.product) } + (try copies(of: rows, in: products))
  }

  /// A send of a write was given up: the next listings look out for it.
  func awaitArrival(of ticket: Ticket, as state: StateMachine.State) {
    let isGivenUp =
      switch ticket.change {
      case .create: [.notApplied, .asked, .unknown].contains(state) || state == .done && ticket.attempt > 1
      // Whatever becomes of it later, what is in doubt once may arrive.
      case .edit: [.unknown, .notStored].contains(state)
      // What is deleted late is gone already.
      case .delete: false
      }
    if isGivenUp { beginWatch() }
  }

  func beginWatch() {
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

  /// Creates that were given up in any way, and patches of which a send that nobody answered for may still arrive.
  private static let awaited = """
    o.n > (SELECT max(n) FROM op) - \(watched) AND (
      o.kind = \(quoted(.create)) AND (o.state IN (\(quoted(.notApplied, .asked, .unknown, .dismissed))) AND o.attempt > 0
        OR o.state = \(quoted(.done)) AND o.attempt > 1)
      OR o.kind = \(quoted(.patch)) AND (o.state = \(quoted(.notStored))
        OR o.state NOT IN (\(unsettledStates)) AND (o.state <> \(quoted(.done)) OR o.attempt > 1)
          AND EXISTS(SELECT 1 FROM event e WHERE e.op = o.n AND e.state = \(quoted(.unknown)))))
    """

  /// When, in the journal's own order, what an entry says was found out.
  private static func place(_ states: [StateMachine.State]) -> String {
    "(SELECT max(e.rowid) FROM event e WHERE e.op = o.n AND e.state IN (\(quoted(states))))"
  }

  /// What is known to have been written, or to have been there already.
  private static let written: [StateMachine.State] = [.done, .unchanged]

  /// Patches that show on a product although something else should. Of several that sent the same value only the newest
  /// is told.
  private func copies(of rows: [Row], in products: [Product]) throws(JournalFailure) -> [LateArrival] {
    let shown = Dictionary(products.map { ($0.id, $0) }) { $1 }
    var told: [Product.ID: Set<Field>] = [:]
    var found: [LateArrival] = []
    for entry in rows.reversed().compactMap(entry) where !entry.isAltered {
      guard let id = entry.product, let product = shown[id], case .edit(_, let from, let to) = entry.change else {
        continue
      }
      let copy = LateCopy(
        sent: to.overlaid(with: entry.state == .done ? entry.after : nil), before: entry.before ?? from,
        isDone: Journal.written.contains(entry.state), later: try written(after: entry))
      for (later, fields) in copy.undone(on: product) {
        var fields = fields
        for field in fields.set where told[id]?.contains(field) == true { fields[field] = nil }
        guard !fields.set.isEmpty else { continue }
        told[id, default: []].formUnion(fields.set)
        found.append(LateArrival(entry: entry.n, product: id, standing: .undid(later, fields)))
      }
    }
    return found.reversed()
  }

  /// What this home has set of the product of a patch since it was last heard of, oldest first. That it was found as
  /// wanted when it was resumed is no news of it: its late copy may be what was found.
  private func written(after entry: Entry) throws(JournalFailure) -> [LateCopy.Written] {
    try read { database in
      let heard = Journal.place([.done, .notApplied, .notStored, .unknown])
      return try Row.fetchAll(
        database,
        sql: Journal.select + """
           WHERE o.base_url = ? AND o.kind = \(quoted(.patch)) AND o.product = ? AND o.n <> ?
            AND o.state IN (\(quoted(Journal.written)))
            AND \(Journal.place(Journal.written)) > (SELECT \(heard) FROM op o WHERE o.n = ?)
            ORDER BY \(Journal.place(Journal.written))
          """, arguments: [entry.baseURL, entry.product, entry.n, entry.n]
      ).compactMap(self.entry).compactMap { later in
        guard !later.isAltered, case .edit(_, _, let to) = later.change else { return nil }
        return LateCopy.Written(entry: later.n, fields: to.overlaid(with: later.after))
      }
    }
  }

  private func arrivals(of row: Row, in products: [Product], _ vendorID: Int?) -> [LateArrival] {
    guard let entry = entry(row), !entry.isAltered, case .create(let draft) = entry.change else { return [] }
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

/// A product that shows a write which nobody counts on: perhaps it arrived after all.
package struct LateArrival: Hashable, Sendable {
  /// The write's number in the log.
  package var entry: Int
  package var product: Product.ID
  package var standing = Standing.givenUp

  /// What had become of the write until then.
  package enum Standing: Hashable, Sendable {
    case givenUp
    /// It is a question still.
    case open
    /// It was proven not applied and sent again, and made another product.
    case madeLater
    /// A patch that has undone these values, which that entry had written later; nil for those that were there before a
    /// patch that was taken for not applied.
    case undid(Int?, Fields)
  }
}
