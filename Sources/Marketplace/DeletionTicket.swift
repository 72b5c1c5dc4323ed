import Networking

/// What the first call of a deletion gives for the second: as good as a key, so it is kept like a secret.
package struct DeletionTicket: Hashable, Sendable {
  package let secret: Secret
  package init(_ secret: Secret) { self.secret = secret }
}
