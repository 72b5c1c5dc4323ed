/// The approval that a profile asks for before a plan file is applied.
package enum ApplyPolicy: String, Hashable, Sendable, CaseIterable {
  /// The confirmation of every change.
  case anyone
  /// A plan that an agent made is confirmed at a terminal, where the number of products is typed.
  case person
  /// Changes are made by `apply` alone, of plans with a valid signature.
  case signed
}
