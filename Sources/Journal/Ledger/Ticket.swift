import Catalog

/// A write that is in the journal: its number in the log and its name on the wire.
struct Ticket: Hashable, Sendable {
  var entry: Int
  var operation: String
  var change: Change
  /// See `Plan.isRelative`.
  var isRelative = false
  var state: StateMachine.State
  /// A send of it was in doubt, and no verdict has ended that doubt.
  var isDoubtful = false
  /// Of a create: an earlier send of it may have left whole.
  var mayHaveLeft = false
  /// A person has looked for it and wants it sent again.
  var isPermitted = false
  var attempt: Int
  var known: [Product.ID]
  var before: Product?
  var detail: String
}
