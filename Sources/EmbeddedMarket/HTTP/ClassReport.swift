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

/// The requests of a vendor, or of an address without one.
package struct ClassReportRow: Hashable, Sendable {
  /// The number of the vendor, or `nil` for an address.
  package let vendor: Int64?
  /// The name of the vendor, or the address; `-` if neither is known.
  package let name: String
  package private(set) var requests = 0
  /// The number of responses by status; 0 for requests without a response.
  package private(set) var statuses: [Int: Int] = [:]
  /// The number of refusals by what was requested and why it was refused.
  package private(set) var mistakes: [Mistake: Int] = [:]
  /// The time of the last request, by the clock of the machine.
  package private(set) var lastSeen: Date

  /// A refused request, and why it was refused.
  package struct Mistake: Hashable, Sendable {
    package let status: Int
    package let method: String
    /// The path, with `…` in place of numbers and secrets; "" if it is unknown.
    package let path: String
    /// The words that the client got.
    package let words: String
    /// The details that the response lacks, such as the place of a fault in a form.
    package let detail: String?
  }

  private static let maximumMistakes = 100

  init(vendor: Int64?, name: String, lastSeen: Date) {
    self.vendor = vendor
    self.name = name
    self.lastSeen = lastSeen
  }

  mutating func add(_ entry: AccessLogEntry, at time: Date) {
    requests += 1
    statuses[entry.status ?? 0, default: 0] += 1
    lastSeen = max(lastSeen, time)
    guard let mistake = entry.mistake else { return }
    if mistakes[mistake] != nil || mistakes.count < ClassReportRow.maximumMistakes {
      mistakes[mistake, default: 0] += 1
    }
  }
}
