import Networking

extension RequestDeletion {
  /// A ticket as this edition's server would give it, for showing the second call before the first was made.
  package func placeholder(for edition: Edition, token: String) -> DeletionTicket? {
    Secret(prefix(for: edition) + token).map { DeletionTicket($0) }
  }

  /// What stands before the token in the server's answer.
  package func prefix(for edition: Edition) -> String { edition.traits.ticketPrefix }
}
