import Archive
import Catalog
import Failures
import Foundation
import Interchange
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

extension Snapshot {
  /// Reads the whole market with progress, and reports what was read and what is uncertain.
  ///
  /// - Throws: The error that ended the scan early.
  package static func take(
    from market: Client<Market>, _ session: Session, pages: Int?, in context: Context
  ) async throws -> Snapshot {
    var products: [Product] = []
    let head = try await read(market, session, pages, context) { scan in
      let (all, result) = try await scan.all()
      products = all
      return (all.count, result)
    }
    return Snapshot(name: nil, head: head, products: products)
  }

  /// Reads the whole market into the archive's temporary table, without storing the market in memory.
  ///
  /// - Throws: The error that ended the scan early; `Failure` if it can't be written.
  package static func take(
    from market: Client<Market>, into staged: StagedMarket, _ session: Session, pages: Int?, in context: Context
  ) async throws -> Head {
    do {
      return try await read(market, session, pages, context) { scan in
        var count = 0
        let result = try await scan.each { products in
          count += products.count
          try staged.add(products)
          return true
        }
        return (count, result)
      }
    } catch let error as ArchiveFailure {
      throw KeptVersions.failure(error)
    }
  }

  private static func read(
    _ market: Client<Market>, _ session: Session, _ pages: Int?, _ context: Context,
    _ scanning: (Scan) async throws -> (count: Int, result: ScanResult)
  ) async throws -> Head {
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let (count, result) = try await scanning(Scan(market, pages: pages) { progress.tell($0) })
    try result.throwIfCutShort()
    progress.clear()
    for doubt in result.doubts { context.say(doubt, session) }
    context.say(result.listed.sentence, session)
    return Head(
      taken: Timestamp(context.now()), url: session.server.url?.value.absoluteString,
      edition: market.service.edition.rawValue, products: count, complete: result.complete)
  }
}

/// The snapshots of a market, which are names of its versions.
package struct SnapshotStore {
  private let keeper: VersionKeeper?
  private let place: MarketPlace
  private let edition: String
  private let now: Int64

  package init(_ session: Session, _ context: Context) {
    edition = (session.server.edition?.value ?? .open).rawValue
    keeper = context.versions
    place = session.marketPlace
    now = context.seconds
  }

  /// Returns the names and times of snapshots, newest first, without waiting for pending writes.
  ///
  /// Unreadable ones are omitted.
  package static func names(_ session: Session, _ home: Home) -> [(name: String, taken: Timestamp)] {
    var found: [String: Timestamp] = [:]
    if FileManager.default.fileExists(atPath: home.versionsFile),
      let versions = try? VersionStore(at: home.versionsFile).versions(of: session.marketPlace)
    {
      for version in versions {
        for name in version.names { found[name] = Timestamp(seconds: version.taken, isUTC: true) }
      }
    }
    return found.map { ($0.key, $0.value) }.sorted { ($1.1, $1.0) < ($0.1, $0.0) }
  }

  /// Names with when they were taken and what they hold, the oldest first.
  ///
  /// - Throws: `Failure` where versions cannot be read.
  package func list() async throws -> [(name: String, head: Snapshot.Head)] {
    let named = try await versions().flatMap { version in version.names.map { ($0, head(version)) } }
    return named.sorted { ($0.1.taken, $0.0) < ($1.1.taken, $1.0) }
  }

  /// Returns whether there is a snapshot of that name.
  ///
  /// - Throws: `Failure` if versions can't be read.
  package func has(_ name: String) async throws -> Bool {
    try await versions().contains { $0.names.contains(name) }
  }

  /// Returns a temporary table for the products of a scan.
  ///
  /// - Throws: `Failure` if versions can't be written or aren't stored.
  package func stage() async throws -> StagedMarket {
    try await archived { store throws(ArchiveFailure) in try StagedMarket(in: store) }
  }

  /// Stores a scan as the newest version, with a name that is removed from any other version.
  ///
  /// - Throws: `Failure` if versions can't be written.
  package func save(_ staged: StagedMarket, _ head: Snapshot.Head, as name: String? = nil) async throws {
    try await archived { store throws(ArchiveFailure) in
      _ = try store.add(staged, of: place, taken: head.taken.seconds, isComplete: head.complete, named: name)
    }
  }

  /// Forgets the name; what else is known of that time stays.
  ///
  /// - Throws: `Failure`.
  package func remove(_ name: String) async throws {
    try await archived { store throws(ArchiveFailure) in _ = try store.forget(name, of: place) }
  }

  /// The market under that name or at that time, or at the newest name.
  ///
  /// - Throws: `Failure` where there is none.
  package func required(_ name: String?) async throws -> Snapshot {
    let names = try await list().map(\.name)
    guard let name = name ?? names.last else {
      throw Failure(
        .refused,
        .failure("There are no snapshots of this market yet.", ko: "이 마켓의 스냅샷이 없습니다.")
          .next("Run \(.command("snapshot")) to take one.", ko: "저장하려면 \(.command("snapshot"), .object) 실행하세요."))
    }
    let versions = try await versions()
    var found = versions.last { $0.names.contains(name) }
    if found == nil, let moment = PastMoment(name, at: now) { found = moment.choice(of: versions) }
    guard let found else { throw SnapshotStore.unknown(name, names) }
    let products = try await archived { kept throws(ArchiveFailure) in try kept.products(of: place, in: found.number) }
    return Snapshot(name: name, head: head(found), products: products)
  }

  private func head(_ version: MarketVersion) -> Snapshot.Head {
    Snapshot.Head(
      taken: Timestamp(seconds: version.taken, isUTC: true), url: place.address.isEmpty ? nil : place.address,
      edition: edition, products: version.products, complete: version.isComplete)
  }

  private func versions() async throws -> [MarketVersion] {
    try await archived { store throws(ArchiveFailure) in try store.versions(of: place) }
  }

  private func archived<Value>(_ body: (VersionStore) throws(ArchiveFailure) -> Value) async throws -> Value {
    guard let keeper else {
      throw Failure(.refused, .failure("There are no saved versions during a replay.", ko: "녹화를 재생하는 동안에는 저장본이 없습니다."))
    }
    do throws(ArchiveFailure) {
      return try body(try await keeper.settled())
    } catch {
      throw KeptVersions.failure(error)
    }
  }

  package static func unknown(_ name: String, _ names: [String]) -> Failure {
    let failure = Message.failure(
      "There is no snapshot named \(.value(name)).", ko: "스냅샷 \(.value(name), .topic) 없습니다.")
    let list = names.suffix(8).joined(separator: ", ")
    return Failure(
      .refused,
      names.isEmpty
        ? failure.next(
          "Run \(.command("snapshot \(name)")) to take one.", ko: "\(.command("snapshot \(name)"), .toward) 저장할 수 있습니다."
        )
        : failure.next("Snapshots: \(.value(list)).", ko: "저장된 스냅샷: \(.value(list))"))
  }
}
