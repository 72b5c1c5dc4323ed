import Language

/// What the line itself says about asking: `yes` answers the question beforehand, `outliers` the one about extremes.
package struct Consent: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  package var note: String?
  /// The preview shows every change, however many.
  package var showsAll: Bool

  package init(_ invocation: Invocation) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    note = invocation.text("note")
    showsAll = invocation.has("all")
  }
}
