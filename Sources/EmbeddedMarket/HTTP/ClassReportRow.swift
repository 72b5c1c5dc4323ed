import Foundation

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
