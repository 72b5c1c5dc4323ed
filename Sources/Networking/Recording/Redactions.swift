import Synchronization

/// What stands in a recording where a secret stood: its variable between double underscores, `__OPENMARKET_SECRET__`,
/// numbered when there was a second one of that name. A stand-in can be sent back, and stands for itself.
package final class Redactions: Sendable {
  private let names = Mutex<[NamedSecret: String]>([:])

  package init() {}

  package func hide(_ text: String, _ secrets: [NamedSecret]) -> String {
    Masker(secrets).pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .secret(let variable, _): secrets.first { $0.variable == variable }.map(name) ?? Secret.mask
      }
    }.joined()
  }

  private func name(of secret: NamedSecret) -> String {
    let value = secret.secret.reveal()
    if value.hasPrefix("__"), value.hasSuffix("__") { return value }
    return names.withLock { names in
      if let known = names[secret] { return known }
      let twins = names.keys.count { $0.variable == secret.variable }
      let name = "__\(secret.variable)\(twins == 0 ? "" : "_\(twins + 1)")__"
      names[secret] = name
      return name
    }
  }
}
