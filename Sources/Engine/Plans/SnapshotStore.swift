import Catalog
import Failures
import Foundation
import Interchange
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

extension Snapshot {
  /// Reads the whole market, with progress, and says what was read and what is doubtful about it.
  ///
  /// - Throws: what kept it from being read to its end.
  package static func take(
    from market: Client<Market>, _ session: Session, pages: Int?, in context: Context
  ) async throws -> Snapshot {
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let (products, result) = try await Scan(market, pages: pages) { progress.tell($0) }.all()
    progress.clear()
    for doubt in result.doubts { context.say(doubt, session) }
    context.say(result.listed.sentence, session)
    let head = Head(
      taken: Timestamp(context.now()),
      url: session.server.url?.value.absoluteString,
      edition: market.service.edition.rawValue, products: products.count, complete: result.complete)
    return Snapshot(name: nil, head: head, products: products)
  }
}

/// The snapshots kept in the home: a folder for each place and edition, a file of JSON lines for each name.
package struct SnapshotStore {
  private static let ending = ".jsonl"
  /// A million products and their words.
  private static let limit = 1 << 30
  /// Bytes of a first line, with an address as long as addresses get.
  private static let longestHead = 16_384

  private let folder: String

  package init(_ session: Session, _ context: Context) { self.init(session, context.home) }

  package init(_ session: Session, _ home: Home) {
    let place = session.server
    let name = place.profile?.value ?? place.url?.value.absoluteString ?? ServerContext.demo
    let edition = place.edition?.value ?? .open
    folder = home.snapshotsFolder + "/" + SnapshotStore.fileName(name) + "/" + edition.rawValue
  }

  /// The snapshots in a folder.
  package init(folder: String) { self.folder = folder }

  /// True for what can be the name of a snapshot, and of a file.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-" && fileName(name) == name
  }

  /// Every letter and digit as it is, everything else spelled as `%2F`: one part of a path, whatever the text.
  private static func fileName(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
      if isPlain || (scalar == "." && !result.isEmpty) {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 { result += "%" + String(byte, radix: 16, uppercase: true) }
      }
    }
    return result
  }

  package func has(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

  /// Names with what their first lines say, the oldest first; files that do not begin as snapshots do are passed over. Only
  /// those lines are read: what a file holds is looked at when it is used.
  package func list() throws(FileError) -> [(name: String, head: Snapshot.Head)] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var found: [(name: String, head: Snapshot.Head)] = []
    for file in files where file.hasSuffix(SnapshotStore.ending) {
      let name = String(file.dropLast(SnapshotStore.ending.count))
      guard SnapshotStore.canBeName(name), let head = try? head(name) else { continue }
      found.append((name, head))
    }
    return found.sorted { ($0.head.taken, $0.name) < ($1.head.taken, $1.name) }
  }

  /// Keeps a snapshot under a name, in place of one that has it.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func save(_ snapshot: Snapshot, as name: String) throws {
    try Files.makeFolder(folder)
    try Files.write(snapshot.data, to: path(name), mode: 0o600)
  }

  /// Nil when there is none of that name, or its first line says nothing.
  private func head(_ name: String) throws -> Snapshot.Head? {
    guard let line = try Files.firstLine(path(name), limit: SnapshotStore.longestHead) else { return nil }
    return Snapshot.Head(line)
  }

  /// Nil when there is none of that name.
  ///
  /// - Throws: `FileError`, `.malformed` for what is no snapshot.
  package func load(_ name: String) throws(FileError) -> Snapshot? {
    let path = path(name)
    guard let data = try Files.read(path, limit: SnapshotStore.limit) else { return nil }
    return try Snapshot(data, named: name, at: path)
  }

  /// Forgets the snapshot of that name.
  ///
  /// - Throws: `FileError.cannotWrite` where there is none, or it cannot be removed.
  package func remove(_ name: String) throws(FileError) {
    guard unlink(path(name)) == 0 else { throw .cannotWrite(path: path(name), errno: errno) }
  }

  /// The snapshot of that name, or the newest one; throws `Failure` when there is none.
  package func required(_ name: String?) throws -> Snapshot {
    let names = try list().map(\.name)
    if let name = name ?? names.last, SnapshotStore.canBeName(name), let snapshot = try load(name) { return snapshot }
    guard let name else {
      throw Failure(
        .refused,
        .failure("There is no snapshot of this market yet.", ko: "이 마켓의 스냅샷이 아직 없습니다.")
          .next("\(.command("snapshot")) takes one.", ko: "\(.command("snapshot"))으로 저장할 수 있습니다."))
    }
    throw SnapshotStore.unknown(name, names)
  }

  package static func unknown(_ name: String, _ names: [String]) -> Failure {
    let failure = Message.failure("There is no snapshot \(.value(name)).", ko: "스냅샷 \(.value(name), .topic) 없습니다.")
    let list = names.suffix(8).joined(separator: ", ")
    return Failure(
      .refused,
      names.isEmpty
        ? failure.next(
          "\(.command("snapshot \(name)")) takes one.", ko: "\(.command("snapshot \(name)"), .toward) 저장할 수 있습니다.")
        : failure.next("There are \(.value(list)).", ko: "저장된 스냅샷: \(.value(list))"))
  }

  private func path(_ name: String) -> String { folder + "/" + name + SnapshotStore.ending }
}
