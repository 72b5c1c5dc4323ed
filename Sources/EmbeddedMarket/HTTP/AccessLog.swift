import Foundation
import Synchronization

/// The record of all requests, also of those that were refused before they were routed: a line for each with `serve --log`,
/// and the counts of the class.
final class AccessLog: Sendable {
  private let write: (@Sendable (String) -> Void)?
  private let report: ClassReport?
  private let clock: @Sendable () -> MarketTime
  /// The time of the machine, which is not that of a lesson.
  private let machineClock: @Sendable () -> Date
  private let store: Store
  private let vendors = Mutex<[String: VendorRow]>([:])
  private static let maximumCachedVendors = 1000

  /// Creates a log, whose parts are `nil` if they are not wanted.
  init(
    clock: @escaping @Sendable () -> MarketTime, machineClock: @escaping @Sendable () -> Date, store: Store,
    write: (@Sendable (String) -> Void)?, report: ClassReport? = nil
  ) {
    self.write = write
    self.report = report
    self.clock = clock
    self.machineClock = machineClock
    self.store = store
  }

  /// Writes an entry with the vendor of its identifier.
  func write(_ entry: AccessLogEntry) async {
    var entry = entry
    if let vendor = await vendor(entry.identifier) { entry.vendor = (vendor.id, vendor.name) }
    let path = entry.target?.split(separator: "?", maxSplits: 1).first
    if path != "/class" { report?.add(entry, at: machineClock()) }
    write?(entry.line(at: clock()))
  }

  func write(_ notice: ConnectionNotice) {
    write?(AccessLogEntry(address: notice.address, reason: notice.reason).line(at: clock()))
  }

  private func vendor(_ identifier: String?) async -> VendorRow? {
    guard let identifier else { return nil }
    if let known = vendors.withLock({ $0[identifier] }) { return known }
    guard let found = try? await store.read({ try VendorRow.find(identifier: identifier, in: $0) }) else { return nil }
    vendors.withLock {
      if $0.count < AccessLog.maximumCachedVendors { $0[identifier] = found }
    }
    return found
  }
}
