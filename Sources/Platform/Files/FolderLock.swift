import Glibc

/// An exclusive lock on a folder of this program, which ends with the process.
package final class FolderLock: Sendable {
  private let file: Int32

  /// Takes the lock, or returns `nil` if another process has it or the folder can't be opened.
  package init?(_ folder: String) {
    file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
  }

  deinit {
    // Closing alone would not release it while a program that is being started still has a copy of the descriptor.
    flock(file, LOCK_UN)
    close(file)
  }
}
