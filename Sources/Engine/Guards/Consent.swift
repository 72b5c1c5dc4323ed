import Journal
import Language

/// What the line itself says about how to write: `yes` answers the question beforehand, `outliers` the one about extremes,
/// `note` is kept in the log, `jobs`, `rate` and `stop-after` say how fast and how stubbornly a batch goes.
package struct Consent: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  package var note: String?
  /// The preview shows every change, however many.
  package var showsAll: Bool
  package var pace: Pace

  package init(_ invocation: Invocation) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    note = invocation.text("note")
    showsAll = invocation.has("all")
    pace = Pace(
      jobs: invocation.number("jobs") ?? 4,
      spacing: invocation.number("rate").map { .seconds(1) / $0 }, stopAfter: invocation.number("stop-after") ?? 5)
  }
}
