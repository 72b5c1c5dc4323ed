import Networking

/// The token that `RequestDeletion` returns for the deletion itself.
///
/// It is a credential and is treated as a secret.
package struct DeletionToken: Hashable, Sendable {
  package let secret: Secret
  package init(_ secret: Secret) { self.secret = secret }
}
