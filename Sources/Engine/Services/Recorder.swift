import Catalog
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// Writes every exchange of the session into a file, a line each, from the moment it is asked to; made once.
package final class Recorder: Sendable {
  private struct Tape {
    var descriptor: Int32
    var path: String
    let standIns = Redactions()
    var count = 0
  }

  private let tape = Mutex<Tape?>(nil)
  private let isSealed: Bool

  /// - Parameter isSealed: of a replay: what is asked is answered from a recording, and makes no new one.
  package init(isSealed: Bool = false) { self.isSealed = isSealed }

  /// Where it writes, and how many exchanges so far; nil while it does not.
  package var state: (path: String, count: Int)? { tape.withLock { $0.map { ($0.path, $0.count) } } }

  /// Begins a file anew, readable by this user alone, also where there was one that others could read.
  package func start(_ path: String, head: JSON) throws {
    guard !isSealed else {
      throw Failure(
        .misread, .failure("Nothing is recorded during a replay.", ko: "다시 보는 동안에는 남기지 않습니다."))
    }
    guard FilePlace(path).isWritable else { throw FileError.notAFile(path: path) }
    stop()
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError.cannotWrite(path: path, errno: errno) }
    do {
      try Recorder.clear(file, path)
      try Descriptor.write(head.text + "\n", to: file, path: path)
    } catch {
      close(file)
      throw error
    }
    tape.withLock { $0 = Tape(descriptor: file, path: path) }
  }

  /// An old file keeps its mode when it is opened; one that cannot be closed to others keeps its text too.
  private static func clear(_ file: Int32, _ path: String) throws {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw FileError.notAFile(path: path) }
    guard fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 else {
      throw FileError.cannotWrite(path: path, errno: errno)
    }
  }

  package func stop() {
    tape.withLock { tape in
      if let tape { close(tape.descriptor) }
      tape = nil
    }
  }

  /// A line that cannot be written ends the recording: half a file would replay something else.
  package func note(_ exchange: Exchange) {
    if case .failure(let failure) = exchange.outcome, failure.reason == .cancelled { return }
    tape.withLock { tape in
      guard var open = tape else { return }
      let line = RecordedExchange(exchange, open.standIns).json.text + "\n"
      guard (try? Descriptor.write(line, to: open.descriptor)) != nil else {
        close(open.descriptor)
        unlink(open.path)
        tape = nil
        return
      }
      open.count += 1
      tape = open
    }
  }
}

/// A file of exchanges: where they were had, by whom and when, and each of them.
package struct Recording: Sendable {
  package static let version = 1

  /// Of the market, also when that was the embedded one.
  package var base: URL
  package var isEmbedded: Bool
  package var edition: Edition?
  package var vendorID: Int?
  /// When the recording began; a replay stands at that moment.
  package var began: Date
  package var exchanges: [RecordedExchange]

  /// Throws a `Failure` that says which line is no recording.
  package init(_ path: String) throws {
    guard let text = try Files.text(path, limit: 256 << 20) else {
      throw FileError.cannotRead(path: path, errno: ENOENT)
    }
    let lines = text.split(separator: "\n")
    guard let head = (lines.first.flatMap { try? JSON(parsing: Data($0.utf8)) })?.object,
      (try? head.string("openmarket")) == "recording", (try? head.int("version")) == Recording.version,
      let base = (try? head.string("base")).flatMap({ URL(string: $0) })
    else { throw Recording.unreadable(path, line: 1) }
    let began = (try? head.int("began")) ?? 0
    // A replay shows this time, and its days are counted from it.
    guard Timestamp.countable.contains(Int64(began)) else { throw Recording.unreadable(path, line: 1) }
    self.base = base
    isEmbedded = (try? head.bool("embedded")) ?? false
    edition = (try? head.string("edition")).flatMap { Edition(rawValue: $0) }
    vendorID = try? head.int("vendor_id")
    self.began = Date(timeIntervalSince1970: TimeInterval(began))
    exchanges = []
    for (index, line) in lines.enumerated().dropFirst() {
      guard let json = try? JSON(parsing: Data(line.utf8)), let exchange = RecordedExchange(json) else {
        throw Recording.unreadable(path, line: index + 1)
      }
      exchanges.append(exchange)
    }
  }

  /// The first line of a recording that begins now.
  package static func head(_ session: Session, base: URL, now: Date) -> JSON {
    var members: [(String, JSON)] = [
      ("openmarket", .string("recording")), ("version", .int(version)), ("base", .string(base.absoluteString)),
      ("embedded", .bool(session.server.isEmbedded)),
      ("began", .int(Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0)),
    ]
    if let edition = session.server.edition?.value { members.append(("edition", .string(edition.rawValue))) }
    if let vendor = session.credentials.vendorID { members.append(("vendor_id", .int(vendor))) }
    return .object(members)
  }

  private static func unreadable(_ path: String, line: Int) -> Failure {
    Failure(
      .misread,
      .failure("\(.value(path)) is no recording.", ko: "\(.value(path)), 기록 파일이 아닙니다.")
        .because("Line \(line) cannot be read.", ko: "\(line)번째 줄을 읽을 수 없습니다.")
        .next("\(.command("record FILE")) makes one.", ko: "\(.command("record 파일"))로 만듭니다."))
  }
}
