import Foundation
import Glibc

/// No child gets what is open here: a server's connection that a child holds too stays open when the server closes it.
package func keepDescriptorsToOurselves() {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
    if let number = Int32(name), number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }
}
