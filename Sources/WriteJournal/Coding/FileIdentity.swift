import CGlibc
import Foundation
import Glibc

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
