import Catalog
import Foundation
import GRDB
import Glibc
import Synchronization

/// What was written, what is being written and what became of it, on disk before a byte leaves.
///
/// SQLite with a write-ahead log, shared by any number of shells; one instance a process. What is about to be sent is
/// committed with `synchronous=FULL`; verdicts are not, because a lost one is found again by reading back.
package final class Journal: Sendable {
  /// Why nothing can be added, while the log can still be read; nil for a journal that works.
  package let readOnly: JournalFailure?
  /// This process's name in the journal.
  package let session: String
  let directory: String
  let clock: any JournalClock
  let mask: @Sendable (String) -> String
  let blobs: Blobs
  let queue: DatabaseQueue
  /// The file that `queue` has open; nil for a copy.
  private let file: FileIdentity?
  private let lock: SessionLock?
  private let poison = Mutex<String?>(nil)
  /// Writes of this process that the user has not been shown the outcome of: creates and undos.
  let unshown = Mutex<[Int]>([])
  let commits = Commits()

  /// Opens or makes the journal in `directory`, which becomes 0700.
  ///
  /// - Parameters:
  ///   - clock: only `wall` is used, for times that are shown.
  ///   - mask: takes secrets out of a text; every evidence, detail and note goes through it.
  ///   - quota: bytes that pictures may take.
  /// - Throws: `JournalFailure` when not even the log can be read.
  package init(
    at directory: String, clock: any JournalClock = SystemJournalClock(), quota: Int = 1 << 30,
    mask: @escaping @Sendable (String) -> String = { $0 }
  ) throws(JournalFailure) {
    self.directory = directory
    self.clock = clock
    self.mask = mask
    session = ULID.make()
    let path = directory + "/journal.sqlite"
    try PrivateFiles.directory(directory)
    if Journal.isLost(in: directory) { throw .missing(path: path) }
    blobs = Blobs(directory: directory + "/blobs", quota: quota)
    try PrivateFiles.file(path)
    guard access(directory, W_OK) == 0, access(path, W_OK) == 0 else {
      readOnly = .unwritable(path: directory, reason: String(cString: strerror(errno)))
      lock = nil
      queue = try Journal.copy(of: path)
      file = nil
      return
    }
    queue = try Journal.open(path, isNetwork: PrivateFiles.isNetwork(directory))
    file = FileIdentity(of: path)
    let version = try Journal.prepare(queue)
    guard version <= Schema.version else {
      readOnly = .newer(version: version)
      lock = nil
      return
    }
    readOnly = nil
    do { try queue.writeWithoutTransaction(Seal.follow) } catch { throw Journal.failure(error, directory) }
    try PrivateFiles.directory(directory + "/sessions")
    try PrivateFiles.directory(directory + "/blobs")
    lock = try SessionLock(directory: directory + "/sessions", session: session)
    try enlist()
  }

  /// Returns true if there is a journal in that folder; false where nothing was ever written.
  package static func exists(in directory: String) -> Bool { access(directory + "/journal.sqlite", F_OK) == 0 }

  /// True where the journal in that folder is gone or empty while its folders for sessions or pictures are still there: what
  /// was written before is not known any more. False where none ever was.
  package static func isLost(in directory: String) -> Bool {
    var facts = stat()
    let path = directory + "/journal.sqlite"
    guard lstat(path, &facts) != 0 ? errno == ENOENT : facts.st_size == 0 && access(path + "-wal", F_OK) != 0 else {
      return false
    }
    return ["sessions", "blobs"].contains { access(directory + "/" + $0, F_OK) == 0 }
  }

  /// What is about to be sent is written into the file that the next program will find: one that was deleted or replaced
  /// meanwhile takes writes without an error, and they are lost with this process.
  private func checkIsInPlace() throws(JournalFailure) {
    let path = directory + "/journal.sqlite"
    guard let file, FileIdentity(of: path) != file else { return }
    poison.withLock { $0 = "journal.sqlite was deleted or replaced" }
    throw .missing(path: path)
  }

  /// Which of a batch's or another shell's sessions still lives; this one does.
  func isAlive(_ session: String) -> Bool {
    session == self.session || SessionLock.isHeld(directory: directory + "/sessions", session: session)
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(JournalFailure) -> Value {
    do {
      return try queue.unsafeRead(body)
    } catch {
      throw Journal.failure(error, directory)
    }
  }

  /// One `BEGIN IMMEDIATE` transaction; `durable` ones are on disk when this returns.
  func write<Value>(durable: Bool, _ body: (Database) throws -> Value) throws(JournalFailure) -> Value {
    if let readOnly { throw readOnly }
    if let reason = poison.withLock({ $0 }) { throw .poisoned(reason) }
    if durable { try checkIsInPlace() }
    do {
      return try queue.writeWithoutTransaction { database in
        try database.execute(sql: durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        try database.beginTransaction(.immediate)
        do {
          let value = try body(database)
          try database.commit()
          return value
        } catch {
          if database.isInsideTransaction { try? database.rollback() }
          throw error
        }
      }
    } catch {
      let failure = Journal.failure(error, directory)
      switch failure {
      // After these what is on disk may differ from what SQLite believes, until a new process reads it again.
      case .damaged(let reason), .unwritable(_, let reason): poison.withLock { $0 = reason }
      case .diskFull, .quota, .takenOver, .takenBack, .tooOpen, .notOurs, .newer, .poisoned, .busy, .absent, .missing,
        .foreign:
        break
      }
      throw failure
    }
  }

  static func failure(_ error: any Error, _ path: String) -> JournalFailure {
    if let failure = error as? JournalFailure { return failure }
    guard let error = error as? DatabaseError else { return .damaged(String(describing: error)) }
    let reason = "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      return .unwritable(path: path, reason: reason)
    default: return .damaged(reason)
    }
  }

  private static func open(_ path: String, isNetwork: Bool) throws(JournalFailure) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.label = "journal"
    configuration.prepareDatabase { database in
      // First of all: what follows writes to the file.
      if try Schema.isForeign(database) { throw JournalFailure.foreign(path: path) }
      try database.execute(sql: "PRAGMA journal_mode = \(isNetwork ? "DELETE" : "WAL")")
      Seal.add(to: database)
      try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
    }
    do {
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw failure(error, path)
    }
  }

  /// Where nothing can be written SQLite cannot even share its log, so the log is read from a private copy.
  private static func copy(of path: String) throws(JournalFailure) -> DatabaseQueue {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("journal-" + ULID.make()).path
    guard mkdir(place, 0o700) == 0 else { throw PrivateFiles.failure(place) }
    defer { try? FileManager.default.removeItem(atPath: place) }
    do {
      for suffix in ["", "-wal"] where access(path + suffix, F_OK) == 0 {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: place + "/journal.sqlite" + suffix)
      }
    } catch {
      throw .unwritable(path: path, reason: "cannot be read")
    }
    let queue = try open(place + "/journal.sqlite", isNetwork: false)
    _ = try prepare(queue)
    return queue
  }

  /// Answers with the version found; makes the tables of a new journal, looks through a small one for damage.
  private static func prepare(_ queue: DatabaseQueue) throws(JournalFailure) -> Int {
    do {
      return try queue.writeWithoutTransaction { database in
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        if pages < 2_048, let word = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), word != "ok" {
          throw JournalFailure.damaged(word)
        }
        try database.inTransaction(.immediate) {
          try Schema.prepare(database)
          return .commit
        }
        return try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      }
    } catch {
      throw failure(error, "journal.sqlite")
    }
  }

  private func enlist() throws(JournalFailure) {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    let host = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT INTO session VALUES(?, ?, ?, ?, ?)",
        arguments: [
          session, Int(getpid()), host, boot.trimmingCharacters(in: .newlines), clock.wall.description,
        ])
    }
  }
}
