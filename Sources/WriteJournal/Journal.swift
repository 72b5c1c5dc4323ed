import CGlibc
import Catalog
import Foundation
import GRDB
import Glibc
import SQLiteSupport
import Synchronization
import Text

/// The durable log of writes.
///
/// Every write is on disk before its first byte is sent.
///
/// It is an SQLite database with a write-ahead log, shared by any number of shells, with one instance per process.
/// Records of what is about to be sent are committed with `synchronous=FULL`. Verdicts aren't, because a lost verdict
/// is determined again by reading the market.
package final class Journal: Sendable {
  /// The reason why nothing can be added while the log can be read, or `nil`.
  package let readOnly: JournalError?
  /// The unique identifier of this process in the journal.
  package let session: String
  let directory: String
  let clock: any JournalClock
  let mask: @Sendable (String) -> String
  let blobs: BlobStore
  let queue: DatabaseQueue
  /// The identity of the open database file, or `nil` for a copy.
  private let file: FileIdentity?
  private let lock: SessionLock?
  /// The reason why nothing is written any more, or `nil`.
  let poison = Mutex<JournalFault?>(nil)
  /// A batch is about to add more jobs after each transaction, so the queue waits for them for 2 ms.
  let commits = GroupCommitQueue(label: "journal.commits", commitDelay: 2_000) { $0 is JournalError }

  /// Opens or creates the journal in `directory`, whose permissions become 0700.
  ///
  /// - Parameters:
  ///   - clock: The clock. Its time of day is stored to be shown; what is recent is decided by `uptime`.
  ///   - quota: The maximum size of all pictures in bytes.
  ///   - busyTimeout: The time to wait for another program that writes.
  ///   - mask: Removes secrets from a text; applied to every evidence, detail and note.
  /// - Throws: `JournalError` if not even the log can be read.
  package init(
    at directory: String, clock: any JournalClock = SystemJournalClock(), quota: Int = 1 << 30,
    busyTimeout: Duration = .seconds(10),
    mask: @escaping @Sendable (String) -> String = { $0 }
  ) throws(JournalError) {
    self.directory = directory
    self.clock = clock
    self.mask = mask
    session = ULID.make()
    let path = directory + "/journal.sqlite"
    try PrivateFiles.ensureDirectory(directory)
    if Journal.isLost(in: directory) { throw .missing(path: path) }
    blobs = BlobStore(directory: directory + "/blobs", quota: quota)
    try PrivateFiles.ensureFile(path)
    guard access(directory, W_OK) == 0, access(path, W_OK) == 0 else {
      readOnly = .unwritable(path: directory, reason: .system(String(cString: strerror(errno))))
      lock = nil
      queue = try Journal.openCopy(of: path)
      file = nil
      return
    }
    try Journal.checkWholePages(of: path)
    queue = try Journal.open(path, isNetwork: PrivateFiles.isNetwork(directory), busyTimeout: busyTimeout)
    file = FileIdentity(of: path)
    let version = try Journal.prepare(queue)
    guard version <= Schema.journal.version else {
      readOnly = .newerSchema(version: version)
      lock = nil
      return
    }
    readOnly = nil
    do { try queue.writeWithoutTransaction(RowChecksum.installTriggers) } catch {
      throw Journal.failure(error, directory)
    }
    try PrivateFiles.ensureDirectory(directory + "/sessions")
    try PrivateFiles.ensureDirectory(directory + "/blobs")
    lock = try SessionLock(directory: directory + "/sessions", session: session)
    try insertSession()
  }

  /// Begins another session in an open journal.
  ///
  /// A simulation has many sessions in one process.
  init(sharing other: Journal, clock: any JournalClock) throws(JournalError) {
    (directory, mask, blobs, queue, file) = (other.directory, other.mask, other.blobs, other.queue, other.file)
    self.clock = clock
    session = ULID.make()
    readOnly = nil
    lock = try SessionLock(directory: directory + "/sessions", session: session)
    try insertSession()
  }

  /// Returns whether there is a journal in that folder.
  package static func exists(in directory: String) -> Bool { access(directory + "/journal.sqlite", F_OK) == 0 }

  /// Returns whether the database in that folder is missing or empty although its folders for sessions or pictures
  /// exist, so that earlier writes aren't known any more.
  ///
  /// If there never was a journal, it is false.
  package static func isLost(in directory: String) -> Bool {
    var facts = stat()
    let path = directory + "/journal.sqlite"
    guard lstat(path, &facts) != 0 ? errno == ENOENT : facts.st_size == 0 && access(path + "-wal", F_OK) != 0 else {
      return false
    }
    return ["sessions", "blobs"].contains { access(directory + "/" + $0, F_OK) == 0 }
  }

  /// Throws if the database file ends within a page: it was cut, and what a page contained is lost.
  ///
  /// SQLite reads zeros in place of the missing bytes, and notices them only in a page that it needs.
  private static func checkWholePages(of path: String) throws(JournalError) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_size % 4096 != 0 else { return }
    throw .damaged(.incompletePage)
  }

  /// Throws if the database file was deleted or replaced since it was opened.
  ///
  /// Writes to it would succeed but be lost with this process, and the next program would read another file.
  private func checkIsInPlace() throws(JournalError) {
    let path = directory + "/journal.sqlite"
    guard let file, FileIdentity(of: path) != file else { return }
    poison.withLock { $0 = .replaced }
    throw .missing(path: path)
  }

  /// Returns whether a session is alive.
  ///
  /// This one is.
  func isAlive(_ session: String) -> Bool {
    session == self.session || SessionLock.isHeld(directory: directory + "/sessions", session: session)
  }

  func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    do {
      return try queue.unsafeRead(body)
    } catch {
      throw Journal.failure(error, directory)
    }
  }

  /// Runs one `BEGIN IMMEDIATE` transaction.
  ///
  /// With `durable` it is on disk when this function returns.
  func write<Value>(durable: Bool, _ body: (Database) throws -> Value) throws(JournalError) -> Value {
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
      // After these errors the file may differ from SQLite's state until another process reads it.
      case .damaged(let reason), .unwritable(_, let reason): poison.withLock { $0 = reason }
      case .diskFull, .quota, .claimedByOtherShell, .interruptedRun, .sameKey, .alreadyUndone, .insecurePermissions,
        .wrongOwner, .newerSchema, .poisoned, .locked, .notOpen, .missing, .foreign:
        break
      }
      throw failure
    }
  }

  static func failure(_ error: any Error, _ path: String) -> JournalError {
    if let failure = error as? JournalError { return failure }
    guard let error = error as? DatabaseError else {
      return .damaged(ErrorDescription.text(of: error).map { .system($0) } ?? .unreadable)
    }
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .locked
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      return .unwritable(path: path, reason: .system(error.reason))
    default: return .damaged(.system(error.reason))
    }
  }

  private static func open(
    _ path: String, isNetwork: Bool, busyTimeout: Duration = .seconds(10)
  ) throws(JournalError) -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(busyTimeout.components.seconds))
    configuration.label = "journal"
    configuration.prepareDatabase { database in
      // This check comes first, because what follows writes to the file.
      if try Schema.journal.isForeign(database) { throw JournalError.foreign(path: path) }
      try database.setJournalMode(isNetwork: isNetwork, timeout: busyTimeout)
      RowChecksum.add(to: database)
      // Every write has a savepoint, whose old pages SQLite otherwise writes to a file in /var/tmp: 25 system calls for
      // each write of a batch, and an error if that file system is full.
      try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
    }
    // While the last connection of another program cleans up its write-ahead log, SQLite reports that the database is busy
    // without waiting (https://sqlite.org/wal.html, section 9).
    let end = ContinuousClock.now + busyTimeout
    while true {
      do {
        return try DatabaseQueue(path: path, configuration: configuration)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
        usleep(1_000)
      } catch {
        throw failure(error, path)
      }
    }
  }

  /// Opens a private copy of the database.
  ///
  /// If the file system is read-only, SQLite can't create the shared memory that reading the log requires.
  private static func openCopy(of path: String) throws(JournalError) -> DatabaseQueue {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("journal-" + ULID.make()).path
    guard mkdir(folder, 0o700) == 0 else { throw PrivateFiles.failure(folder) }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      for suffix in ["", "-wal"] where access(path + suffix, F_OK) == 0 {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/journal.sqlite" + suffix)
      }
    } catch {
      throw .unwritable(path: path, reason: .unreadable)
    }
    let queue = try open(folder + "/journal.sqlite", isNetwork: false)
    _ = try prepare(queue)
    return queue
  }

  /// Creates or upgrades the tables, checks a small database for damage, and returns the version found.
  private static func prepare(_ queue: DatabaseQueue) throws(JournalError) -> Int {
    do {
      return try queue.writeWithoutTransaction { database in
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        if pages < 2_048, let word = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), word != "ok" {
          throw JournalError.damaged(.system(word))
        }
        return try Schema.journal.migrate(database)
      }
    } catch {
      throw failure(error, "journal.sqlite")
    }
  }

  private func insertSession() throws(JournalError) {
    try write(durable: false) { database in
      try database.execute(
        sql: "INSERT INTO session(id, process, host, boot, started, place) VALUES(?, ?, ?, ?, ?, ?)",
        arguments: [
          session, Int(getpid()), SystemIdentity.current.host, SystemIdentity.current.boot, clock.now.description,
          Journal.place(in: directory),
        ])
    }
  }
}

/// A clock of the journal, with the time of day and a monotonic time.
///
/// A clock that is set forward or back changes `now` only. Waiting and what is recent are measured by `monotonicNow` in
/// one process and by `uptime` across processes.
package protocol JournalClock: Sendable {
  /// The monotonic time since a fixed instant of this process, including the time the system was suspended.
  var monotonicNow: Duration { get }
  /// The time since the system was started, including suspension: the same for all processes.
  var uptime: Duration { get }
  /// The part of it during which the system was suspended.
  var suspended: Duration { get }
  /// The current time in UTC.
  var now: Timestamp { get }
  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(_ duration: Duration) async throws
}

extension JournalClock {
  package var suspended: Duration { .zero }

  package var uptime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// The machine, and the start of its system from which `JournalClock.uptime` counts.
struct SystemIdentity: Sendable {
  let host: String
  let boot: String

  static let current = SystemIdentity()

  private init() {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    host = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    boot = id?.trimmingCharacters(in: .newlines) ?? ""
  }
}

/// The system's clocks.
package struct SystemJournalClock: JournalClock {
  private let start = ContinuousClock.now
  private let startWithoutSuspension = SuspendingClock.now

  package init() {}

  package var monotonicNow: Duration { ContinuousClock.now - start }

  package var suspended: Duration {
    (ContinuousClock.now - start) - (SuspendingClock.now - startWithoutSuspension)
  }

  package var now: Timestamp { Timestamp(Date()) }

  /// Waits for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func sleep(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }
}

/// Unique identifiers that sort by time: 48 bits of milliseconds and 80 random bits in Crockford's base 32.
package enum ULID {
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let now = Int64(exactly: (Date().timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    return make(milliseconds: now, using: &generator)
  }

  package static func make(milliseconds: Int64, using generator: inout some RandomNumberGenerator) -> String {
    var digits: [UInt8] = []
    let time = UInt64(bitPattern: max(milliseconds, 0))
    for shift in stride(from: 45, through: 0, by: -5) { digits.append(letters[Int(time >> UInt64(shift) & 31)]) }
    for random in [generator.next(), generator.next()] {
      for shift in stride(from: 35, through: 0, by: -5) { digits.append(letters[Int(random >> UInt64(shift) & 31)]) }
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

/// The reason why the journal can't be read or written.
///
/// If it can't be written, nothing is sent.
package enum JournalError: Error, Hashable, Sendable {
  /// The directory or a file in it couldn't be created, opened or written.
  case unwritable(path: String, reason: JournalFault)
  case diskFull
  /// The pictures of pending writes use all of the quota.
  case quota(bytes: Int)
  /// Another shell has dismissed the write or is executing it.
  case claimedByOtherShell(Int)
  /// A run that is open or interrupted holds one of the changes: it would be made twice.
  case interruptedRun(Int, isOpen: Bool)
  /// Another run with the same key of `once` was begun in the meantime.
  case sameKey(Int)
  /// The write is already undone, or another undo of it is in progress.
  case alreadyUndone(Int, by: Int)
  /// Other users can read or write the file; `mode` is its permissions.
  case insecurePermissions(path: String, mode: Int)
  /// The file belongs to another user, or is a link or a special file.
  case wrongOwner(path: String)
  /// A newer program wrote the journal: it can be read, but not written.
  case newerSchema(version: Int)
  /// The file isn't a valid journal any more.
  case damaged(JournalFault)
  /// An earlier commit failed, so the state on disk is uncertain until the program is restarted.
  case poisoned(JournalFault)
  /// Another shell held the lock for too long.
  case locked
  /// No journal was opened.
  case notOpen
  /// The database is missing while its folders exist, so earlier writes aren't known any more.
  case missing(path: String)
  /// The SQLite file belongs to another program; it is left unchanged.
  case foreign(path: String)
}

/// A fault of the journal's file.
package enum JournalFault: Hashable, Sendable {
  case incompletePage
  /// The file was deleted or replaced while it was open.
  case replaced
  case unreadable
  case cannotBeOpened
  /// The record that a deleted product was created again, with this number, doesn't match its checksum.
  case identityModified(Product.ID)
  /// A text of the system or of SQLite.
  case system(String)
}

/// The undecided write that prevents another write to the same product, in this or another shell.
package struct ConflictingWrite: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// A Boolean value that indicates an unknown outcome; otherwise the write is being sent right now.
  package var isUnknown: Bool
}
