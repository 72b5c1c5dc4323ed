import Foundation
import Synchronization

/// The requests of each vendor since the start, for the teacher's page `/class`.
///
/// A request counts for the vendor that its login names, otherwise for the client's address. Every vendor has a row of its own.
/// Addresses are counted separately: the first ones have a row each, and later ones share one, so that a client with thousands
/// of addresses cannot displace the row of another.
final class ClassReport: Sendable {
  private struct Rows {
    var vendors: [Int64: ClassReportRow] = [:]
    var addresses: [String: ClassReportRow] = [:]
    var rest: ClassReportRow?
  }

  private static let maximumAddresses = 200
  private let rows = Mutex(Rows())

  /// Counts a request.
  ///
  /// `entry` has its vendor already.
  func add(_ entry: AccessLogEntry, at now: Date) {
    let mistake = entry.mistake
    rows.withLock { rows in
      if let vendor = entry.vendor {
        rows.vendors[vendor.id, default: ClassReportRow(vendor: vendor.id, name: vendor.name, lastSeen: now)]
          .add(entry, mistake, at: now)
        return
      }
      let address = entry.address.isEmpty ? "-" : entry.address
      guard rows.addresses[address] != nil || rows.addresses.count < ClassReport.maximumAddresses else {
        var rest = rows.rest ?? ClassReportRow(vendor: nil, name: nil, lastSeen: now)
        rest.add(entry, mistake, at: now)
        rows.rest = rest
        return
      }
      rows.addresses[address, default: ClassReportRow(vendor: nil, name: address, lastSeen: now)]
        .add(entry, mistake, at: now)
    }
  }

  /// Forgets all requests.
  func reset() { rows.withLock { $0 = Rows() } }

  /// The rows: vendors by number, then addresses, then the row that further addresses share.
  var sorted: [ClassReportRow] {
    let rows = rows.withLock { $0 }
    return rows.vendors.values.sorted { ($0.vendor ?? 0) < ($1.vendor ?? 0) }
      + rows.addresses.values.sorted { ($0.name ?? "") < ($1.name ?? "") } + (rows.rest.map { [$0] } ?? [])
  }
}

/// The requests of a vendor, or of an address without one.
package struct ClassReportRow: Hashable, Sendable {
  /// The number of the vendor, or `nil` for an address.
  package let vendor: Int64?
  /// The name of the vendor, or the address, `-` if neither is known; `nil` for the row of all further addresses.
  package let name: String?
  package private(set) var requests = 0
  /// The number of responses by status; 0 for requests without a response.
  package private(set) var statuses: [Int: Int] = [:]
  /// The number of refusals by request and reason.
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

  /// The maximum number of different mistakes that are counted.
  private var maximumMistakes: Int { vendor == nil ? 20 : 100 }

  init(vendor: Int64?, name: String?, lastSeen: Date) {
    self.vendor = vendor
    self.name = name
    self.lastSeen = lastSeen
  }

  /// Counts a request, and its mistake if it has one.
  mutating func add(_ entry: AccessLogEntry, _ mistake: Mistake?, at time: Date) {
    requests += 1
    statuses[entry.status ?? 0, default: 0] += 1
    lastSeen = max(lastSeen, time)
    guard let mistake else { return }
    if mistakes[mistake] != nil || mistakes.count < maximumMistakes {
      mistakes[mistake, default: 0] += 1
    }
  }
}
