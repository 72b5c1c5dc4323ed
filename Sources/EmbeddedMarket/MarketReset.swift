import Foundation
import GRDB
import Glibc

/// Sets a running market back to its beginning or to a checkpoint, with its faults, its report and its clock.
struct MarketReset: Sendable {
  let store: Store
  let folder: String
  let faults: FaultInjector
  let report: ClassReport?
  let clock: MarketClock
  /// The time of the machine.
  let machineClock: @Sendable () -> Date
  let gate = RequestGate()

  private var beginning: String { folder + "/beginning.sqlite" }
  private var checkpoint: String { folder + "/checkpoint.sqlite" }

  /// Copies a new market, unless a copy of an earlier start exists.
  ///
  /// `replacing` is true if the products of an earlier start were replaced.
  func copyBeginning(replacing: Bool) async throws {
    if replacing { unlink(checkpoint) }
    if !replacing, access(beginning, F_OK) == 0 { return }
    do {
      try await store.copy(to: beginning)
    } catch let error as DatabaseError {
      throw DatabaseErrorMapping.startError(error, path: beginning)
    }
  }

  func saveCheckpoint() async throws -> Int {
    try await stating {
      try await gate.exclusively { try await store.copy(to: checkpoint) }
    }
  }

  func returnToCheckpoint() async throws -> Int { try await setBack(to: checkpoint) {} }

  func returnToBeginning() async throws -> Int { try await setBack(to: beginning) { clock.restart() } }

  private func setBack(to copy: String, _ body: () -> Void) async throws -> Int {
    try await stating {
      try await gate.exclusively {
        try await store.replaceContents(byCopy: copy, at: MarketTime(machineClock()))
        faults.reset()
        // After the records of the requests before, which would be counted again.
        if let report { BackgroundThreads.records.submit { report.reset() } }
        body()
      }
    }
  }

  /// Returns the number of products after a change.
  private func stating(_ change: () async throws -> Void) async throws -> Int {
    do {
      try await change()
      return try await store.productCount()
    } catch let error as DatabaseError {
      throw MarketStateError(reason: error.resultCode == .SQLITE_CANTOPEN ? nil : error.message ?? "\(error)")
    }
  }
}
