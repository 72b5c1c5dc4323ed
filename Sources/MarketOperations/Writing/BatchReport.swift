import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import WriteJournal

extension Outcome {
  var isUnchanged: Bool { if case .unchanged(_, nil) = self { true } else { false } }

  /// The write of an earlier run that stands for the change, or `nil` if there is none.
  var earlierWrite: EarlierWrite? { if case .unchanged(_, let write) = self { write } else { nil } }

  var isPartial: Bool {
    if case .done(_, let differences) = self { differences.isPartial } else { false }
  }

  var isDrifted: Bool { kind == .drifted }

  var isNotStored: Bool { if case .notStored = self { true } else { false } }

  /// A Boolean value that indicates that the write was sent and applied.
  var isDone: Bool { kind == .done }
}

extension [Outcome] {
  /// The exit status of a batch: that of an unknown outcome comes first, which needs `resume` before anything else.
  var batchStatus: ExitStatus {
    if contains(where: \.isUnknown) { return .outcomeUnknown }
    return allSatisfy(\.isSuccess) ? .success : .partialFailure
  }
}
