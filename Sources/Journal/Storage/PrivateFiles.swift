import CFileSystem
import Catalog
import Foundation
import Glibc

/// Directories and files that only their owner can read, private from the moment they exist.
package enum PrivateFiles {
  /// Makes the directory with 0700 or takes one that is ours and closed to others.
  static func directory(_ path: String) throws(JournalFailure) {
    if mkdir(path, 0o700) == 0 {
      sync(directory: (path as NSString).deletingLastPathComponent)
      return
    }
    guard errno == EEXIST || errno == EROFS else { throw failure(path) }
    try check(path, isDirectory: true)
  }

  /// Makes an empty file with 0600 or takes one that is ours; never follows a link.
  static func file(_ path: String) throws(JournalFailure) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      sync(directory: (path as NSString).deletingLastPathComponent)
      return
    }
    guard errno == EEXIST || errno == EROFS || errno == EACCES, access(path, F_OK) == 0 else { throw failure(path) }
    try check(path, isDirectory: false)
  }

  static func check(_ path: String, isDirectory: Bool) throws(JournalFailure) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { throw failure(path) }
    let isRight = facts.st_mode & S_IFMT == (isDirectory ? S_IFDIR : S_IFREG)
    guard isRight, facts.st_uid == geteuid() else { throw .notOurs(path: path) }
    let mode = Int(facts.st_mode & 0o777)
    guard mode & 0o077 == 0 else { throw .tooOpen(path: path, mode: mode) }
  }

  /// A new name is only durable once its directory is.
  static func sync(directory: String) {
    let descriptor = open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// True for a path on a file system of another machine, or one that a program serves: write-ahead logging needs memory
  /// that processes share, which those do not give. False where the path does not exist.
  package static func isNetwork(_ path: String) -> Bool {
    var facts = statfs()
    return statfs(path, &facts) == 0 && isNetwork(kind: Int64(facts.f_type))
  }

  /// - Parameter kind: `f_type` of statfs(2), of which the kernel uses 32 bits.
  static func isNetwork(kind: Int64) -> Bool { network.contains(UInt32(truncatingIfNeeded: kind)) }

  /// NFS, SMB, CIFS, SMB2, 9P, FUSE (sshfs among others), AFS, Coda, NCP, Ceph.
  private static let network: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546, 0x5346_414F, 0x7375_7245, 0x564C, 0x00C3_6400,
  ]

  static func failure(_ path: String) -> JournalFailure {
    let code = errno
    if code == ENOSPC || code == EDQUOT { return .diskFull }
    return .unwritable(path: path, reason: String(cString: strerror(code)))
  }
}

/// The file that a path leads to: its device and its number there.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is none.
  init?(of path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}

/// Why the journal cannot be read or written; while it cannot be written, nothing is sent.
package enum JournalFailure: Error, Hashable, Sendable {
  /// The directory or a file in it could not be made, opened or written.
  case unwritable(path: String, reason: String)
  case diskFull
  /// The pictures of writes that are still open take all the bytes that pictures may.
  case quota(bytes: Int)
  /// Another shell has given the write up, or goes on with it.
  case takenOver(Int)
  /// The write is taken back already, or is just being taken back, by another.
  case takenBack(Int, by: Int)
  /// Others may read or write it; `mode` is its permissions.
  case tooOpen(path: String, mode: Int)
  /// Belongs to another user, or is a link or a special file.
  case notOurs(path: String)
  /// Written by a newer program: its log can be read here, nothing can be added.
  case newer(version: Int)
  /// Not a journal any more; the evidence.
  case damaged(String)
  /// An earlier commit failed, so what is on disk is not certain until the program starts again.
  case poisoned(String)
  /// Another shell kept it locked for too long.
  case busy
  /// None was opened.
  case absent
  /// The file is gone, and what else a journal has is still there: what was written before is not known any more.
  case missing(path: String)
  /// An SQLite file of another program; it is left as it is.
  case foreign(path: String)
}

/// Says that a shell is alive: the kernel lets go of it at any death, so no process number is ever guessed at.
final class SessionLock: Sendable {
  private let descriptor: Int32
  private let path: String

  init(directory: String, session: String) throws(JournalFailure) {
    path = directory + "/" + session + ".lock"
    descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(path) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw PrivateFiles.failure(path) }
  }

  /// True while some process, or another journal of this one, holds the lock, and where that cannot be found out.
  static func isHeld(directory: String, session: String) -> Bool {
    let descriptor = open(directory + "/" + session + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    // Only a lock that is gone is nobody's: out of descriptors, a shell must not take over what another one is sending.
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    // Shared, so that two who ask at once do not take each other for the owner.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}

/// Who keeps a product from being written: an earlier write, here or in another shell, that is not decided yet.
package struct Holder: Hashable, Sendable {
  /// The number of that write in the log.
  package var entry: Int
  package var process: Int
  package var host: String
  package var since: Timestamp
  /// True when nobody knows how it ended; false when it is being sent right now.
  package var isUnknown: Bool
}
