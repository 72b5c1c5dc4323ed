/// The actor that decided a change, and the person who approved it, as the journal records them.
package struct Attribution: Hashable, Sendable {
  package var actor: ChangeActor
  /// The signer of the plan, or the account that typed the number of products of an agent's plan; `nil` if the actor's
  /// own confirmation was enough.
  package var approver: String?

  package init(_ actor: ChangeActor = .person, approver: String? = nil) {
    self.actor = actor
    self.approver = approver
  }
}
