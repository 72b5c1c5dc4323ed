import Glibc

/// The account of the system under which the process runs.
package enum Account {
  private static let bufferSize = 1 << 14

  /// The name of the real user, or `nil` if the database of users has none (getpwuid_r(3)).
  package static var name: String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: bufferSize)
    let code = getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found)
    guard code == 0, found != nil, let name = entry.pw_name else { return nil }
    return withExtendedLifetime(buffer) { String(validatingCString: name) }
  }
}
