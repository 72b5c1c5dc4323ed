import Foundation
import Glibc

/// The number of files and sockets that this process may have open (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
  /// The current limit.
  static var current: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit, as far as the system allows, so that a server can accept all its connections.
  ///
  /// For a process that serves only: programs that it starts inherit the limit, and `select` of an older one fails
  /// beyond 1,024.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(ServerLimits().connections + 512)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
