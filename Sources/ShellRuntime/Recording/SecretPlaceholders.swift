import MarketAPI
import Networking

/// Placeholders for secrets in stored text: the variable between double underscores, `__OPENMARKET_SECRET__`.
///
/// Unlike dots they identify the secret, so that a stored request can be printed as a curl command.
package struct SecretPlaceholders: Sendable {
  private let masker: SecretRedactor

  package init(_ secrets: [NamedSecret]) { masker = SecretRedactor(secrets) }

  package func hide(_ text: String) -> String { masker.replacing(in: text, SecretPlaceholders.text) }

  package static func text(_ variable: String) -> String { "__\(variable)__" }

  /// The placeholders as if they were secrets, so that a `SecretRedactor` or a curl command finds them.
  package static let known: [NamedSecret] = [
    Credentials.secretVariable, Credentials.identifierVariable, Credentials.deletionTokenVariable,
  ].compactMap { variable in Secret(text(variable)).map { NamedSecret(variable, $0) } }

  /// Returns the placeholders of other secrets in some texts, such as `__OPENMARKET_AUTHORIZATION__`, so that a curl
  /// command uses their variables.
  package static func found(in texts: [String]) -> [NamedSecret] {
    let names = texts.flatMap { $0.matches(of: /__(OPENMARKET_[A-Z0-9_]*[A-Z0-9])__/).map { String($0.1) } }
    return Set(names).sorted().compactMap { name in Secret(text(name)).map { NamedSecret(name, $0) } }
  }

  /// Returns the text for display, with dots instead of secrets.
  package static func masked(_ text: String) -> String { SecretRedactor(known + found(in: [text])).mask(text) }
}
