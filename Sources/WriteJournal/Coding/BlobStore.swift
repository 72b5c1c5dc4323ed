import CGlibc
import Catalog
import Foundation
import Glibc
import Synchronization
import Text

/// A content-addressed store for picture data.
///
/// It contains the pictures of pending writes, which may be sent again, and backups of pictures that a delete removes.
struct BlobStore: Sendable {
  let directory: String
  /// The maximum total size in bytes.
  let quota: Int
  /// The maximum size of one picture in bytes.
  static let largest = 20 << 20
  private let tally = Tally()

  init(directory: String, quota: Int) {
    self.directory = directory
    self.quota = quota
  }

  /// Stores data durably and returns its name.
  ///
  /// - Throws: `JournalError.quota` if the quota is exhausted.
  func store(_ data: Data) throws(JournalError) -> String {
    let name = SHA256.hex(data)
    let path = directory + "/" + name
    // Its age is reset, so that a `prune` of another shell doesn't remove it before its write is planned.
    if renew(name) { return name }
    if used() + data.count > quota { tally.invalidate() }
    guard data.count <= BlobStore.largest, used() + data.count <= quota else { throw .quota(bytes: quota) }
    let draft = path + "." + ULID.make()
    let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(draft) }
    defer { close(descriptor) }
    let code = data.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
    guard code == 0, fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let failure = PrivateFiles.failure(draft)
      unlink(draft)
      throw failure
    }
    PrivateFiles.sync(directory: directory)
    tally.add(data.count)
    return name
  }

  /// Returns the data, or `nil` if it is missing or doesn't match its hash.
  func bytes(_ name: String) -> Data? {
    guard name.utf8.count == 64, name.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      let data = FileManager.default.contents(atPath: directory + "/" + name), SHA256.hex(data) == name
    else { return nil }
    return data
  }

  /// Resets the age of the data, and returns false if it is missing.
  func renew(_ name: String) -> Bool { utimensat(AT_FDCWD, directory + "/" + name, nil, 0) == 0 }

  func remove(_ name: String) {
    let bytes = size(name)
    if unlink(directory + "/" + name) == 0 { tally.add(-bytes) }
  }

  func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }

  func size(_ name: String) -> Int {
    var facts = stat()
    return lstat(directory + "/" + name, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Returns the modification time in nanoseconds.
  ///
  /// If it is equal, the data wasn't stored again in between.
  func mark(_ name: String) -> String {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return "" }
    return "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
  }

  /// Returns the age in seconds, or the smallest value if the data is missing.
  func age(_ name: String, _ clock: any JournalClock) -> Int64 {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return .min }
    return clock.now.seconds - Int64(facts.st_mtim.tv_sec)
  }

  /// Returns the total size as far as this process knows.
  ///
  /// Data added by other shells since the first call isn't counted.
  func used() -> Int { tally.value { names().reduce(0) { $0 + size($1) } } }
}

/// A sum that is computed once and then updated.
final class Tally: Sendable {
  private let sum = Mutex<Int?>(nil)

  func value(counting: () -> Int) -> Int {
    sum.withLock { sum in
      let value = sum ?? counting()
      sum = value
      return value
    }
  }

  /// Discards the sum, so that it is computed again when needed.
  func invalidate() { sum.withLock { $0 = nil } }

  /// Updates the sum if it has been computed.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}

/// Directories and files that only their owner can access, from their creation on.
package enum PrivateFiles {
  /// Creates the directory with permissions 0700, or accepts an existing one that belongs to us and is closed to
  /// others.
  static func ensureDirectory(_ path: String) throws(JournalError) {
    if mkdir(path, 0o700) == 0 {
      sync(directory: (path as NSString).deletingLastPathComponent)
      return
    }
    guard errno == EEXIST || errno == EROFS else { throw failure(path) }
    try check(path, isDirectory: true)
  }

  /// Creates an empty file with permissions 0600, or accepts an existing one that belongs to us.
  ///
  /// Links aren't followed.
  static func ensureFile(_ path: String) throws(JournalError) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      sync(directory: (path as NSString).deletingLastPathComponent)
      return
    }
    guard errno == EEXIST || errno == EROFS || errno == EACCES, access(path, F_OK) == 0 else { throw failure(path) }
    try check(path, isDirectory: false)
  }

  static func check(_ path: String, isDirectory: Bool) throws(JournalError) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw failure(path) }
    let isRight = facts.st_mode & S_IFMT == (isDirectory ? S_IFDIR : S_IFREG)
    guard isRight, facts.st_uid == geteuid() else { throw .wrongOwner(path: path) }
    let mode = Int(facts.st_mode & 0o777)
    guard mode & 0o077 == 0 else { throw .insecurePermissions(path: path, mode: mode) }
  }

  /// Syncs a directory, because a new name is durable only once its directory is.
  static func sync(directory: String) {
    let descriptor = open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Returns whether a path is on a network or user-space file system.
  ///
  /// They don't provide the shared memory that write-ahead logging requires. It is false if the path doesn't exist.
  package static func isNetwork(_ path: String) -> Bool {
    var facts = statfs()
    return statfs(path, &facts) == 0 && isNetwork(kind: Int64(facts.f_type))
  }

  /// Returns whether a type of file system is a network file system.
  ///
  /// `kind` is `f_type` of statfs(2), of which the kernel uses 32 bits.
  static func isNetwork(kind: Int64) -> Bool { network.contains(UInt32(truncatingIfNeeded: kind)) }

  /// The types NFS, SMB, CIFS, SMB2, 9P, FUSE (such as sshfs), AFS, Coda, NCP, Ceph.
  private static let network: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546, 0x5346_414F, 0x7375_7245, 0x564C, 0x00C3_6400,
  ]

  static func failure(_ path: String) -> JournalError {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .unwritable(path: path, reason: .system(String(cString: strerror(code))))
  }
}

/// The identity of a file: its device and inode.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Returns `nil` if there is no file.
  init?(of path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}

/// An advisory file lock held for the lifetime of a session.
///
/// The kernel releases it when the process ends in any way, so liveness doesn't depend on process ids.
final class SessionLock: Sendable {
  private let descriptor: Int32
  private let path: String

  init(directory: String, session: String) throws(JournalError) {
    path = directory + "/" + session + ".lock"
    descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(path) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw PrivateFiles.failure(path) }
  }

  /// Returns whether a process, or another journal of this one, holds the lock.
  ///
  /// If that can't be determined, it is true.
  static func isHeld(directory: String, session: String) -> Bool {
    let descriptor = open(directory + "/" + session + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    // Only a missing lock file has no owner: a shell without free descriptors must not claim what another one is
    // sending.
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    // The lock is shared, so that two concurrent checks don't mistake each other for the owner.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}
