import Catalog
import CommandLanguage
import History
import Platform
import Presentation
import ShellRuntime
import Text

/// The stored versions of the session's market, found by the names and times that users type.
package struct MarketHistory {
  private let recorder: SnapshotRecorder
  private let place: MarketIdentity
  private let now: Int64
  /// The versions, oldest first.
  package let all: [MarketSnapshot]
  package let store: MarketSnapshotStore

  /// Reads the versions of the session's edition, which is detected if it isn't known.
  ///
  /// - Throws: `CommandError` if versions can't be read or aren't stored, and the errors of opening the market.
  package init(in scope: inout CommandScope) async throws {
    if scope.session.server.edition == nil { _ = try await scope.marketClient() }
    guard let recorder = scope.context.recording.snapshots else {
      throw CommandError(
        .refused, .failure("No saved versions are available while replaying.", ko: "녹화를 재생하는 동안에는 저장본이 없습니다."))
    }
    self.recorder = recorder
    place = scope.session.marketPlace
    now = scope.context.seconds
    do {
      store = try await recorder.flushedStore()
      all = try store.versions(of: place)
    } catch {
      throw MarketHistory.failure(error)
    }
  }

  /// Returns the version with a name or at a time.
  ///
  /// - Throws: `CommandError` if there is none.
  package func version(_ text: String) throws -> MarketSnapshot {
    if let named = all.last(where: { $0.labels.contains(text) }) { return named }
    guard let moment = PastDate(text, at: now) else {
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
    guard let version = moment.choice(of: all) else { throw noVersionFailure }
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

  /// Returns all products of a version.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func products(in version: MarketSnapshot) throws -> [Product] {
    do { return try store.products(of: place, in: version.number) } catch { throw MarketHistory.failure(error) }
  }

  /// Returns the given products of a version, by id.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func products(_ ids: [Product.ID], in version: MarketSnapshot) throws -> [Product.ID: Product] {
    do { return try store.products(ids, of: place, in: version.number) } catch { throw MarketHistory.failure(error) }
  }

  /// Returns the differences between two versions.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func changes(
    from early: MarketSnapshot, to late: MarketSnapshot
  ) throws -> [(before: Product?, after: Product?)] {
    do { return try store.changes(of: place, from: early.number, to: late.number) } catch {
      throw MarketHistory.failure(error)
    }
  }

  /// Updates the full-text index before texts are queried.
  ///
  /// - Throws: `CommandError` if versions can't be written.
  package func indexWords() throws {
    do { try store.updateFullTextIndex() } catch { throw MarketHistory.failure(error) }
  }

  /// Returns the states of a product since a time.
  ///
  /// - Throws: `CommandError` if versions can't be read.
  package func history(of id: Product.ID, since: Int64) throws -> [(taken: Int64, product: Product?)] {
    do { return try store.history(of: id, at: place, since: since) } catch { throw MarketHistory.failure(error) }
  }

  /// Prints the age of the newest version if it is more than an hour.
  package func warnIfStale(of version: MarketSnapshot, in scope: CommandScope) {
    let age = now - version.capturedAt
    guard age > 3_600 else { return }
    scope.say(
      .note(
        "The latest saved version is \(MarketHistory.words(age)[.english]) old. Run \(.command("snapshot")) to save the current state.",
        ko: "\(MarketHistory.words(age)[.korean]) 전에 읽은 내용입니다. \(.command("snapshot"), .toward) 새로 읽을 수 있습니다."))
  }

  private static func words(_ seconds: Int64) -> LocalizedText {
    let hours = seconds / 3_600
    return hours < 48
      ? LocalizedText("\(hours) h", ko: "\(hours)시간") : LocalizedText("\(hours / 24) d", ko: "\(hours / 24)일")
  }

  package var noVersionFailure: CommandError {
    CommandError(
      .refused,
      .failure("No version of this market has been saved yet.", ko: "이 마켓의 저장본이 아직 없습니다.")
        .next("Run \(.command("snapshot")) to save one.", ko: "\(.command("snapshot"), .toward) 읽어 저장할 수 있습니다."),
      code: .noSnapshot)
  }

  package static func failure(_ error: StoreError) -> CommandError {
    CommandError(
      .refused,
      .failure("Cannot read the saved versions.", ko: "저장본을 읽을 수 없습니다.").because(error.localizedDescription))
  }
}

extension PastDate {
  /// Returns the last version up to that time, or the first one if all are later.
  package func choice(of versions: [MarketSnapshot]) -> MarketSnapshot? {
    versions.last { $0.capturedAt <= seconds } ?? versions.first
  }
}
