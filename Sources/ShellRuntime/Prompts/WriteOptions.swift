import Catalog
import CommandLanguage
import WriteJournal

/// The write options of a command line: `yes` and `outliers` approve in advance, `note` is stored in the log, and
/// `jobs`, `rate` and `stop-after` are the limits for a batch.
package struct WriteOptions: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  /// A Boolean value that indicates whether a change that was applied before is applied again.
  package var again: Bool
  package var note: String?
  /// A Boolean value that indicates whether the preview shows all changes.
  package var showsAll: Bool
  package var pace: BatchOptions
  /// The changes that end a dry run with exit status 8.
  package var failOn: FailOnCondition?

  package init(_ invocation: ParsedCommand) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    again = invocation.has("again")
    note = invocation.text("note")
    showsAll = invocation.has("all")
    failOn = invocation.text(FailOnCondition.option).flatMap { FailOnCondition(rawValue: $0) }
    pace = BatchOptions(
      concurrency: invocation.number("jobs") ?? 4,
      minimumInterval: invocation.number("rate").map { .seconds(1) / $0 },
      failureLimit: invocation.number("stop-after") ?? 5)
  }
}

/// The changes that end a dry run or a comparison with exit status 8, for checks in CI.
package enum FailOnCondition: String, Hashable, Sendable, CaseIterable {
  case any
  case deletes

  /// The name of the option.
  package static let option = "fail-on"

  /// Returns whether a plan contains such a change.
  package func isMet(by plan: Plan) -> Bool {
    switch self {
    case .any: !plan.changes.isEmpty
    case .deletes:
      plan.changes.contains { change in
        if case .delete = change { true } else { false }
      }
    }
  }

  /// Returns whether the differences contain such a change.
  package func isMet(by differences: [ProductDifference]) -> Bool {
    switch self {
    case .any: !differences.isEmpty
    case .deletes: differences.contains { $0.kind == .removed }
    }
  }
}
