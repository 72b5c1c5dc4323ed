import CGlibc
import Foundation
import Glibc

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
