import Catalog
import CommandLanguage
import Foundation
import History
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Every product of a market as a scan saw it at one time.
package struct Snapshot: Hashable, Sendable {
  /// The circumstances of the scan.
  package struct Head: Hashable, Sendable {
    package var takenAt: Timestamp
    /// The base URL, or `nil` for the embedded market, whose port changes with every start.
    package var url: String?
    package var edition: String
    package var products: Int
    /// A Boolean value that is false if the scan may have missed products.
    package var isComplete: Bool

    package init(takenAt: Timestamp, url: String?, edition: String, products: Int, isComplete: Bool) {
      self.takenAt = takenAt
      self.url = url
      self.edition = edition
      self.products = products
      self.isComplete = isComplete
    }
  }

  /// The name, or `nil` for the current state of the market.
  package var name: String?
  package var head: Head
  /// The products in the order of the list, with the fields that its rows contain.
  ///
  /// Some editions provide descriptions and pictures only for single products.
  package var products: [Product]

  package init(name: String? = nil, head: Head, products: [Product]) {
    self.name = name
    self.head = head
    self.products = products
  }
}

extension Snapshot {
  /// Returns true for letters, digits, `-`, `_` and dots, in at most 100 bytes and not with `-` or a dot first.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-"
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
      }
  }
}

extension Snapshot {
  /// Reads the whole market with progress, and reports what was read and what is uncertain.
  ///
  /// - Throws: The error that ended the scan early.
  package static func take(
    from market: Client<MarketService>, pages: Int?, in scope: CommandScope
  ) async throws -> Snapshot {
    var products: [Product] = []
    let (head, result) = try await read(market, pages: pages, in: scope) { products += $0 }
    result.order(&products)
    return Snapshot(name: nil, head: head, products: products)
  }

  /// Reads the whole market into the archive's temporary table, without storing the market in memory.
  ///
  /// - Throws: The error that ended the scan early; `CommandError` if it can't be written.
  package static func take(
    from market: Client<MarketService>, into staged: StagedSnapshot, pages: Int?, in scope: CommandScope
  ) async throws -> Head {
    do {
      return try await read(market, pages: pages, in: scope) { try staged.add($0) }.head
    } catch let error as StoreError {
      throw MarketHistory.failure(error)
    }
  }

  private static func read(
    _ market: Client<MarketService>, pages: Int?, in scope: CommandScope, take: ([Product]) throws -> Void
  ) async throws -> (head: Head, result: ScanResult) {
    var count = 0
    let result = try await MarketScan(market, pages: pages, scope).forEachBatch { products in
      count += products.count
      try take(products)
      return true
    }
    try result.throwIfCutShort()
    for doubt in result.warnings { scope.say(doubt) }
    scope.say(result.listingScan.sentence)
    let head = Head(
      takenAt: Timestamp(scope.context.now()), url: scope.session.server.url?.value.absoluteString,
      edition: market.service.edition.rawValue, products: count, isComplete: result.isComplete)
    return (head, result)
  }
}

/// The snapshots of a market, which are names of its versions.
package struct SnapshotStore {
  private let recorder: SnapshotRecorder?
  private let place: MarketIdentity
  private let edition: String
  private let now: Int64

  package init(_ scope: CommandScope) {
    edition = (scope.session.server.edition?.value ?? .open).rawValue
    recorder = scope.context.recording.snapshots
    place = scope.session.marketPlace
    now = scope.context.seconds
  }

  /// Returns the names and times of snapshots, newest first, without waiting for pending writes.
  ///
  /// Unreadable ones are omitted.
  package static func names(_ session: Session, _ home: AppDirectories) -> [(name: String, taken: Timestamp)] {
    var found: [String: Timestamp] = [:]
    if FileManager.default.fileExists(atPath: home.versionsFile),
      let versions = try? MarketSnapshotStore(at: home.versionsFile).versions(of: session.marketPlace)
    {
      for version in versions {
        for name in version.labels { found[name] = Timestamp(seconds: version.capturedAt, isUTC: true) }
      }
    }
    return found.map { ($0.key, $0.value) }.sorted { ($1.1, $1.0) < ($0.1, $0.0) }
  }

  /// Names with when they were taken and what they hold, the oldest first.
  ///
  /// - Throws: `CommandError` where versions cannot be read.
  package func list() async throws -> [(name: String, head: Snapshot.Head)] {
    let named = try await versions().flatMap { version in version.labels.map { ($0, head(version)) } }
    return named.sorted { ($0.1.takenAt, $0.0) < ($1.1.takenAt, $1.0) }
  }

  /// Returns whether there is a snapshot of that name.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func has(_ name: String) async throws -> Bool {
    try await versions().contains { $0.labels.contains(name) }
  }

  /// Returns a temporary table for the products of a scan.
  ///
  /// - Throws: `CommandError` if versions can't be written or aren't stored.
  package func stage() async throws -> StagedSnapshot {
    try await archived { store throws(StoreError) in try StagedSnapshot(in: store) }
  }

  /// Stores a scan as the newest version, with a name that is removed from any other version.
  ///
  /// - Throws: `CommandError` if versions can't be written.
  package func save(_ staged: StagedSnapshot, _ head: Snapshot.Head, as name: String? = nil) async throws {
    try await archived { store throws(StoreError) in
      _ = try store.add(staged, of: place, taken: head.takenAt.seconds, isComplete: head.isComplete, named: name)
    }
  }

  /// Forgets the name; what else is known of that time stays.
  ///
  /// - Throws: `CommandError`.
  package func remove(_ name: String) async throws {
    try await archived { store throws(StoreError) in _ = try store.forget(name, of: place) }
  }

  /// The market under that name or at that time, or at the newest name.
  ///
  /// - Throws: `CommandError` where there is none.
  package func snapshot(_ name: String?) async throws -> Snapshot {
    let names = try await list().map(\.name)
    guard let name = name ?? names.last else {
      throw CommandError(
        .refused,
        .failure("There are no snapshots of this market yet.", ko: "이 마켓의 스냅샷이 없습니다.")
          .next("Run \(.command("snapshot")) to take one.", ko: "저장하려면 \(.command("snapshot"), .object) 실행하세요."))
    }
    let versions = try await versions()
    var found = versions.last { $0.labels.contains(name) }
    if found == nil, let moment = PastDate(name, at: now) { found = moment.choice(of: versions) }
    guard let found else { throw SnapshotStore.unknown(name, names) }
    let products = try await archived { stored throws(StoreError) in try stored.products(of: place, in: found.number) }
    return Snapshot(name: name, head: head(found), products: products)
  }

  private func head(_ version: MarketSnapshot) -> Snapshot.Head {
    Snapshot.Head(
      takenAt: Timestamp(seconds: version.capturedAt, isUTC: true), url: place.address.isEmpty ? nil : place.address,
      edition: edition, products: version.products, isComplete: version.isComplete)
  }

  private func versions() async throws -> [MarketSnapshot] {
    try await archived { store throws(StoreError) in try store.versions(of: place) }
  }

  private func archived<Value>(_ body: (MarketSnapshotStore) throws(StoreError) -> Value) async throws -> Value {
    guard let recorder else {
      throw CommandError(
        .refused, .failure("There are no saved versions during a replay.", ko: "녹화를 재생하는 동안에는 저장본이 없습니다."))
    }
    do throws(StoreError) {
      return try body(try await recorder.flushedStore())
    } catch {
      throw MarketHistory.failure(error)
    }
  }

  package static func unknown(_ name: String, _ names: [String]) -> CommandError {
    let failure = Message.failure(
      "There is no snapshot named \(.value(name)).", ko: "스냅샷 \(.value(name), .topic) 없습니다.")
    let list = names.suffix(8).joined(separator: ", ")
    return CommandError(
      .refused,
      names.isEmpty
        ? failure.next(
          "Run \(.command("snapshot \(name)")) to take one.", ko: "\(.command("snapshot \(name)"), .toward) 저장할 수 있습니다."
        )
        : failure.next("Snapshots: \(.value(list)).", ko: "저장된 스냅샷: \(.value(list))"))
  }
}
