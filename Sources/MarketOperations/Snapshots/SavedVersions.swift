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

/// The saved versions of the session's market, found by the names and times that users type.
///
/// Every complete scan saves one; a snapshot is a version with a name.
package struct SavedVersions {
  private let market: SnapshotMarket
  private let now: Int64
  /// The versions, oldest first.
  package let all: [MarketSnapshot]
  package let store: MarketSnapshotStore

  /// Reads the versions of the session's edition, which is detected if it isn't known.
  ///
  /// The generation of the market is read if it isn't known and if versions have one, because those of the market before a
  /// reset have other products under the same numbers.
  ///
  /// - Parameters:
  ///   - scope: The scope of the command.
  ///   - recognizes: Whether the generation is read. It isn't needed if no product of a version is used.
  /// - Throws: `CommandError` if versions can't be read or aren't stored, and the errors of opening and reading the market.
  package init(in scope: inout CommandScope, recognizes: Bool = true) async throws {
    if scope.session.server.dialect == nil { _ = try await scope.marketClient() }
    guard let recorder = scope.context.stores.recording.snapshots else {
      throw CommandError(
        .refused, .failure("No saved versions are available while replaying.", ko: "녹화를 재생하는 동안에는 저장본이 없습니다."))
    }
    do { store = try await recorder.flushedStore() } catch { throw SavedVersions.failure(error) }
    let known = scope.session.snapshotMarket
    if recognizes, try SavedVersions.knowsGenerations(of: known, in: store) {
      let client = try await scope.marketClient()
      try await scope.recognize(client)
    }
    market = scope.session.snapshotMarket
    now = scope.context.clock.seconds
    do {
      all = try store.versions(of: market)
    } catch {
      throw SavedVersions.failure(error)
    }
  }

  private static func knowsGenerations(of market: SnapshotMarket, in store: MarketSnapshotStore) throws -> Bool {
    try reporting { () throws(StoreError) in try store.knowsGenerations(of: market) }
  }

  /// The number of the market in the tables, or `nil` if it has no version.
  ///
  /// Throws `CommandError` if versions can't be read.
  package var marketNumber: Int64? {
    get throws {
      do { return try store.number(of: market) } catch { throw SavedVersions.failure(error) }
    }
  }

  /// The market of the versions.
  ///
  /// Throws `CommandError` if versions can't be read.
  package var identity: MarketIdentity {
    get throws {
      var identity = market.market
      do { identity.generation = try store.generation(of: market) } catch { throw SavedVersions.failure(error) }
      return identity
    }
  }

  /// The snapshots and their names, oldest first.
  package var snapshots: [(name: String, version: MarketSnapshot)] {
    all.flatMap { version in version.labels.map { ($0, version) } }
      .sorted { ($0.1.capturedAt, $0.0) < ($1.1.capturedAt, $1.0) }
  }

  /// The versions, without those whose time is earlier than that of a version with a smaller number, or after now.
  ///
  /// The clock was wrong when such a version was saved, or when one before it was: the numbers alone don't tell which.
  package var inOrderOfTime: [MarketSnapshot] {
    var latest = Int64.min
    return all.sorted { $0.number < $1.number }.filter { version in
      guard version.capturedAt >= latest, version.capturedAt <= now else { return false }
      latest = version.capturedAt
      return true
    }
  }

  /// Returns whether there is a snapshot of that name.
  package func has(_ name: String) -> Bool { all.contains { $0.labels.contains(name) } }

  /// Returns the version with a name, or the last one up to a time; `nil` if the text is neither a name nor a time.
  ///
  /// - Throws: `CommandError` if all versions are later than the time, if there are none, or if the name is of a snapshot of
  ///   the market before a reset.
  private func find(_ text: String) throws -> MarketSnapshot? {
    if let version = all.last(where: { $0.labels.contains(text) }) { return version }
    if let failure = otherMarketFailure(named: text) { throw failure }
    guard PastDate(text, at: now) != nil else { return nil }
    let date = try PastDate.read(text, at: now)
    guard let first = all.first else { throw noVersionFailure }
    guard let version = date.choice(of: all) else { throw SavedVersions.tooEarly(text, first) }
    return version
  }

  /// Returns the time that a text means, in seconds since 1970, UTC, or `nil` if it is a name or neither.
  package func time(_ text: String) -> Int64? {
    has(text) || otherMarketFailure(named: text) != nil ? nil : PastDate(text, at: now)?.seconds
  }

  /// Returns the version with a name, or the last one up to a time.
  ///
  /// - Throws: `CommandError` if there is none.
  package func version(_ text: String) throws -> MarketSnapshot {
    guard let version = try find(text) else {
      let names = all.flatMap(\.labels).suffix(8).joined(separator: ", ")
      let failure = Message.failure(
        "No saved version matches \(.value(text)).", ko: "\(.value(text))에 해당하는 저장본이 없습니다.")
      let times = LocalizedText(
        "Use yesterday, monday, 3d, 2026-11-20 or a snapshot name.", ko: "시각은 yesterday, monday, 3d, 2026-11-20처럼 씁니다.")
      throw CommandError(
        .refused,
        names.isEmpty
          ? failure.next(times)
          : failure.because("Snapshots: \(.value(names)).", ko: "스냅샷: \(.value(names)).").next(times))
    }
    return version
  }

  /// Returns the newest version.
  ///
  /// - Throws: `CommandError` if there is no version.
  package func newest() throws -> MarketSnapshot {
    guard let version = all.max(by: { ($0.capturedAt, $0.number) < ($1.capturedAt, $1.number) }) else {
      throw noVersionFailure
    }
    return version
  }

  /// Returns a snapshot, or the state at a time, with its products; without a text the newest snapshot.
  ///
  /// The state at a time is the last version up to it, with the later changes of this home up to that time.
  ///
  /// - Throws: `CommandError` if there is none; `JournalError`.
  package func snapshot(_ text: String?, of session: Session, in stores: Stores) throws -> Snapshot {
    guard let text = text ?? snapshots.last?.name else {
      throw CommandError(
        .refused,
        .failure("There are no snapshots of this market yet.", ko: "이 마켓의 스냅샷이 없습니다.")
          .next("Run \(.command("snapshot")) to take one.", ko: "저장하려면 \(.command("snapshot"), .object) 실행하세요."))
    }
    guard let version = try find(text) else { throw unknownNameFailure(text) }
    return try state(text, of: version, session, in: stores)
  }

  /// Returns a version with the changes of this home up to the time that `text` means; a name means the version alone.
  ///
  /// - Throws: `CommandError` if versions can't be read; `JournalError`.
  package func state(
    _ text: String, of version: MarketSnapshot, _ session: Session, in stores: Stores
  ) throws -> Snapshot {
    var products = try products(in: version)
    var (ownChanges, unknownChanges) = (0, 0)
    if let time = time(text) {
      let later = try LoggedChanges(from: version.capturedAt, through: time, of: session, in: stores)
      unknownChanges = later.unknownCount
      if !later.isEmpty {
        var found = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
        let effects = later.effects(on: found)
        for (id, product) in effects { found[id] = product }
        ownChanges = effects.count
        products = found.values.sorted { $0.id > $1.id }
      }
    }
    return Snapshot(
      name: text, takenAt: Timestamp(seconds: version.capturedAt, isUTC: true), isComplete: version.isComplete,
      products: products, ownChanges: ownChanges, unknownChanges: unknownChanges)
  }

  /// Returns all products of a version.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func products(in version: MarketSnapshot) throws -> [Product] {
    try SavedVersions.reporting { () throws(StoreError) in try store.products(of: market, in: version.number) }
  }

  /// Returns the given products of a version, by id.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func products(_ ids: [Product.ID], in version: MarketSnapshot) throws -> [Product.ID: Product] {
    try SavedVersions.reporting { () throws(StoreError) in try store.products(ids, of: market, in: version.number) }
  }

  /// Returns the differences between two versions.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func changes(
    from early: MarketSnapshot, to late: MarketSnapshot
  ) throws -> [(before: Product?, after: Product?)] {
    try SavedVersions.reporting { () throws(StoreError) in
      try store.changes(of: market, from: early.number, to: late.number)
    }
  }

  /// Updates the full-text index before texts are queried.
  ///
  /// - Throws: `CommandError` if versions can't be written.
  package func indexWords() throws {
    try SavedVersions.reporting { () throws(StoreError) in try store.updateFullTextIndex() }
  }

  /// Returns the states of a product since a time.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func history(of id: Product.ID, since: Int64) throws -> [(taken: Int64, product: Product?)] {
    try SavedVersions.reporting { () throws(StoreError) in try store.history(of: id, at: market, since: since) }
  }

  /// Returns the states of a product with the numbers of the versions in which it had them, in their order.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func states(of id: Product.ID) throws -> [(versions: Range<Int>, product: Product)] {
    try SavedVersions.reporting { () throws(StoreError) in try store.states(of: id, at: market) }
  }

  /// Reads all products of the market and saves them as the newest version, with a name that is removed from any other version.
  ///
  /// The products are staged in the file, so that a market of any size needs little memory.
  ///
  /// - Returns: The number of products, and whether the scan saw all of them.
  /// - Throws: The error that ended the scan early; `CommandError` if versions can't be written.
  package func save(
    _ market: Client<MarketService>, as name: String, pages: Int?, in scope: CommandScope
  ) async throws -> (products: Int, isComplete: Bool) {
    do {
      let staged = try StagedSnapshot(in: store)
      let scan = try await Snapshot.read(market, pages: pages, in: scope) { try staged.add($0) }
      // The responses may be the first ones, or those of another market: their generation counts.
      _ = try store.add(
        staged, of: scope.session.snapshotMarket, taken: scan.takenAt.seconds, isComplete: scan.result.isComplete,
        named: name)
      return (scan.count, scan.result.isComplete)
    } catch let error as StoreError {
      throw SavedVersions.failure(error)
    }
  }

  /// Deletes a name; the version stays.
  ///
  /// - Throws: `CommandError` if there is no such snapshot, or if versions can't be written.
  package func remove(_ name: String) throws {
    guard has(name) else { throw unknownNameFailure(name) }
    _ = try SavedVersions.reporting { () throws(StoreError) in try store.forget(name, of: market) }
  }

  /// Prints the time and the age of the newest version if it is more than an hour old.
  package func warnIfStale(of version: MarketSnapshot, in scope: CommandScope) {
    let age = now - version.capturedAt
    guard age > 3_600 else { return }
    let time = SavedVersions.local(version)
    scope.say(
      .note(
        "The latest saved version is \(SavedVersions.words(age)[.english]) old. It is of \(time).",
        ko: "\(SavedVersions.words(age)[.korean]) 전의 저장본입니다(\(time))."
      ).next(
        "Run \(.command("snapshot")) to save the current state.",
        ko: "현재 상태를 저장하려면 \(.command("snapshot"), .object) 실행하세요."))
  }

  /// Returns the time of a version in the time zone of this machine.
  package static func local(_ version: MarketSnapshot) -> String {
    LocalTime(Timestamp(seconds: version.capturedAt, isUTC: true)).description
  }

  private static func words(_ seconds: Int64) -> LocalizedText {
    let hours = seconds / 3_600
    return hours < 48
      ? LocalizedText("\(hours) h", ko: "\(hours)시간") : LocalizedText("\(hours / 24) d", ko: "\(hours / 24)일")
  }

  /// The error for a market without a version, which says so if the versions at its address are of another market.
  package var noVersionFailure: CommandError {
    if let failure = otherMarketFailure(named: nil) { return failure }
    return CommandError(
      .refused,
      .failure("No version of this market has been saved yet.", ko: "이 마켓의 저장본이 아직 없습니다.")
        .next("Run \(.command("snapshot")) to save one.", ko: "\(.command("snapshot"), .toward) 읽어 저장할 수 있습니다."),
      code: .noSnapshot)
  }

  /// Returns the error for a snapshot of another market at the address, such as the one before a reset, or `nil` if there
  /// is none of that name; without a name, for any versions.
  private func otherMarketFailure(named name: String?) -> CommandError? {
    guard let other = try? store.market(named: name, insteadOf: market),
      let mismatch = market.market.mismatch(with: other)
    else { return nil }
    let failure =
      if let name {
        Message.failure(
          "The snapshot \(.value(name)) is of another market. Nothing was sent.",
          ko: "스냅샷 \(.value(name), .topic) 다른 마켓의 것입니다. 아무것도 보내지 않았습니다.")
      } else {
        Message.failure(
          "The saved versions are of another market. Nothing was sent.",
          ko: "저장본은 다른 마켓의 것입니다. 아무것도 보내지 않았습니다."
        ).next(
          "Run \(.command("snapshot")) to save the products that are there now.",
          ko: "지금 있는 상품을 저장하려면 \(.command("snapshot"), .object) 실행하세요.")
      }
    return CommandError(
      .blocked, failure.because(mismatch, of: other, at: market.market, profile: nil), code: .otherDestination)
  }

  /// Returns the error for a time before the first version.
  private static func tooEarly(_ text: String, _ first: MarketSnapshot) -> CommandError {
    // In UTC only where the clock shows the local time twice.
    let east = LocalTimeZone(at: first.capturedAt)?.secondsFromGMT ?? 0
    let isUnique = LocalTimeZone.unixTime(ofLocal: first.capturedAt + east) == first.capturedAt
    let time = Timestamp(seconds: first.capturedAt + (isUnique ? east : 0), isUTC: !isUnique).description
    return CommandError(
      .refused,
      .failure(
        "No version of \(.value(text)) or before is saved. The first is of \(local(first)).",
        ko: "\(.value(text)) 또는 그 전의 저장본이 없습니다. 첫 저장본은 \(local(first))의 것입니다."
      ).next("Use \(.value(time)) for the first version.", ko: "첫 저장본을 쓰려면 시각을 \(.value(time), .toward) 쓰세요."),
      code: .noSnapshot)
  }

  private func unknownNameFailure(_ name: String) -> CommandError {
    let failure = Message.failure(
      "There is no snapshot named \(.value(name)).", ko: "스냅샷 \(.value(name), .topic) 없습니다.")
    let names = snapshots.suffix(8).map(\.name).joined(separator: ", ")
    return CommandError(
      .refused,
      names.isEmpty
        ? failure.next(
          "Run \(.command("snapshot \(name)")) to take one.", ko: "\(.command("snapshot \(name)"), .toward) 저장할 수 있습니다."
        )
        : failure.next("Snapshots: \(.value(names)).", ko: "저장된 스냅샷: \(.value(names))"))
  }

  private static func reporting<Value>(_ body: () throws(StoreError) -> Value) throws -> Value {
    do { return try body() } catch { throw failure(error) }
  }

  package static func failure(_ error: StoreError) -> CommandError {
    CommandError(
      .refused,
      .failure("Cannot read the saved versions.", ko: "저장본을 읽을 수 없습니다.").because(error.localizedDescription))
  }
}

extension PastDate {
  /// Returns the last version up to that time, or `nil` if all are later.
  package func choice(of versions: [MarketSnapshot]) -> MarketSnapshot? { versions.last { $0.capturedAt <= seconds } }
}

extension SavedVersions {
  /// Returns the names and times of snapshots, newest first, without waiting for pending writes.
  ///
  /// It is empty if the file can't be read.
  package static func names(_ session: Session, _ home: AppDirectories) -> [(name: String, taken: Timestamp)] {
    var found: [String: Timestamp] = [:]
    if FileManager.default.fileExists(atPath: home.versionsFile),
      let versions = try? MarketSnapshotStore(at: home.versionsFile).versions(of: session.snapshotMarket)
    {
      for version in versions {
        for name in version.labels { found[name] = Timestamp(seconds: version.capturedAt, isUTC: true) }
      }
    }
    return found.map { ($0.key, $0.value) }.sorted { ($1.1, $1.0) < ($0.1, $0.0) }
  }
}

/// Every product of a market as a scan saw it at one time.
package struct Snapshot: Hashable, Sendable {
  /// The name or time that the user asked for, or `nil` for the current state of the market.
  package var name: String?
  package var takenAt: Timestamp
  /// A Boolean value that is false if the scan may have missed products.
  package var isComplete: Bool
  /// The products in the order of the list, with the fields that its rows contain.
  ///
  /// Some editions provide descriptions and pictures only for single products.
  package var products: [Product]
  /// The number of products that this home changed after the scan, in whose new state they are here.
  package var ownChanges = 0
  /// The number of writes of this home whose effect on the state isn't known; see `LoggedChanges.unknownCount`.
  package var unknownChanges = 0

  /// The sentence about the time of the state.
  package var sentence: Message {
    guard unknownChanges > 0 else { return known }
    return known.because(
      "\(unknownChanges) more \(unknownChanges == 1 ? StyledText("change") : "changes") of this home may belong to it: \(unknownChanges == 1 ? StyledText("its") : "their") effect or time isn't known.",
      ko: "이 홈의 변경 \(unknownChanges)건도 포함되어야 할 수 있습니다. 결과나 시각을 알 수 없습니다.")
  }

  private var known: Message {
    let time = LocalTime(takenAt).description
    return ownChanges == 0
      ? .note("State as of \(.value(time)).", ko: "\(.value(time))의 상태입니다.")
      : .note(
        "State as of \(.value(time)), with your later changes to \(ownChanges) \(ownChanges == 1 ? StyledText("product") : "products").",
        ko: "\(.value(time))의 상태에 그 뒤의 내 변경(상품 \(ownChanges)개)을 더했습니다.")
  }

  /// Returns true for letters, digits, `-`, `_` and dots, in at most 100 bytes and not with `-` or a dot first.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-"
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
      }
  }

  /// Reads all products of the market with progress, and reports what was read and what is uncertain.
  ///
  /// - Throws: The error that ended the scan early.
  package static func take(
    from market: Client<MarketService>, pages: Int?, in scope: CommandScope
  ) async throws -> Snapshot {
    var products: [Product] = []
    let scan = try await read(market, pages: pages, in: scope) { products += $0 }
    scan.result.order(&products)
    return Snapshot(name: nil, takenAt: scan.takenAt, isComplete: scan.result.isComplete, products: products)
  }

  fileprivate static func read(
    _ market: Client<MarketService>, pages: Int?, in scope: CommandScope, take: ([Product]) throws -> Void
  ) async throws -> (takenAt: Timestamp, count: Int, result: ScanResult) {
    var count = 0
    let result = try await MarketScan(market, pages: pages, scope).forEachBatch { products in
      count += products.count
      try take(products)
      return true
    }
    try result.throwIfCutShort()
    for doubt in result.warnings { scope.say(doubt) }
    scope.say(result.listingScan.sentence)
    return (scope.context.clock.timestamp, count, result)
  }
}
