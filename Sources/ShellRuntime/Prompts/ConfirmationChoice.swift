/// The choice about a plan that was shown.
package enum ConfirmationChoice: Hashable, Sendable {
  case write
  /// Show all rows and ask again.
  case showAll
  /// Exclude these rows, by index.
  case leaveOut(Set<Int>)
}
