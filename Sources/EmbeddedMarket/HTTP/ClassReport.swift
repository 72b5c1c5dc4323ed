import Foundation
import Synchronization

/// The requests of each vendor since the start, for the teacher's page `/class`.
///
/// A request counts for the vendor that its `identifier` names, otherwise for the client's address.
final class ClassReport: Sendable {
  private struct Key: Hashable {
    var vendor: Int64?
    var address: String
  }

  private static let maximumRows = 5_000
  private let rows = Mutex<[Key: ClassReportRow]>([:])

  /// Counts a request.
  ///
  /// `entry` has its vendor already.
  func add(_ entry: AccessLogEntry, at now: Date) {
    let key = Key(vendor: entry.vendor?.id, address: entry.vendor == nil ? entry.address : "")
    rows.withLock { rows in
      if rows[key] == nil, rows.count >= ClassReport.maximumRows { return }
      let name = entry.vendor?.name ?? (entry.address.isEmpty ? "-" : entry.address)
      rows[key, default: ClassReportRow(vendor: entry.vendor?.id, name: name, lastSeen: now)].add(entry, at: now)
    }
  }

  /// Forgets all requests.
  func reset() { rows.withLock { $0 = [:] } }

  /// The rows: vendors by number, then addresses.
  var sorted: [ClassReportRow] {
    rows.withLock { Array($0.values) }.sorted { ($0.vendor ?? .max, $0.name) < ($1.vendor ?? .max, $1.name) }
  }
}
