import Foundation

/// Tells this machine from every other: the only place where plain `http` may carry a secret.
package enum Loopback {
  /// `localhost`, an address of 127.0.0.0/8 or `::1`; a name that merely looks like one is another machine.
  package static func contains(_ host: String) -> Bool {
    let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) } && UInt8(part) != nil
    }
  }
}
