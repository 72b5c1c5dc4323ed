import Synchronization

/// The record of all requests, also of those that were refused before they were routed: a line for each with `serve --log`,
/// and the counts of the class.
final class AccessLog: Sendable {
  private let write: (@Sendable (String) -> Void)?
  private let report: ClassReport?
  private let clock: @Sendable () -> MarketTime
  private let store: Store
  private let vendors = Mutex<[String: VendorRow]>([:])
  private static let maximumCachedVendors = 1000

  /// Creates a log, whose parts are `nil` if they are not wanted.
  init(
    clock: @escaping @Sendable () -> MarketTime, store: Store, write: (@Sendable (String) -> Void)?,
    report: ClassReport? = nil
  ) {
    self.write = write
    self.report = report
    self.clock = clock
    self.store = store
  }

  /// Writes an entry with the vendor of its identifier.
  func write(_ entry: AccessLogEntry) async {
    var entry = entry
    if let vendor = await vendor(entry.identifier) { entry.vendor = (vendor.id, vendor.name) }
    let now = clock()
    if entry.target?.hasPrefix("/class") != true { report?.add(entry, at: now) }
    write?(entry.line(at: now))
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
