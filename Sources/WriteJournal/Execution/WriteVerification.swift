import Catalog

/// The verification of one write by reading its product after the write was sent.
///
/// A single write and a write of a batch are read back by it, so that the same reads lead to the same verdict. When to
/// read is decided by `WriteStateMachine`.
struct WriteVerification: Sendable {
  /// The product in a complete response, which shows the form in which the server stores a value.
  var replied: Product?
  /// The product as it was read last, or `nil` if it didn't exist.
  private(set) var product: Product?
  /// The interpretation of the last read, or `nil` if no read has shown anything.
  private(set) var reading: EffectReading?
  /// The values of someone else that were read after the write was sent; see `EffectReading.foreign`.
  private(set) var foreign: [ProductField: FieldValue] = [:]

  init(replied: Product? = nil) { self.replied = replied }

  /// Returns the interpretation of a product for a write.
  func reading(of now: Product?, for write: PendingWrite) -> EffectReading {
    EffectReading(of: write.change, before: write.before, replied: replied, now: now, seen: foreign)
  }

  /// Reads the product of a write, and returns the finding.
  ///
  /// A read that may be older than an earlier write of this home is `unreadable` and changes nothing.
  ///
  /// - Parameters:
  ///   - id: The product.
  ///   - write: The write, with the product directly before it.
  ///   - isConfirmed: Whether the server confirmed the write.
  ///   - runner: The runner, whose market is read.
  ///   - journal: The log of this home's writes.
  /// - Throws: The error of the market, or `JournalError` if the log can't be read.
  mutating func read(
    _ id: Product.ID, for write: PendingWrite, isConfirmed: Bool, with runner: PlanRunner, in journal: Journal
  ) async throws -> WriteStateMachine.ReadBack {
    let now = try await runner.market.read(id)
    let reading = reading(of: now, for: write)
    if try isOutdated(reading, now, for: write, isConfirmed: isConfirmed, with: runner, in: journal) {
      return .unreadable
    }
    return take(reading, of: now, for: write)
  }

  /// Interprets a product that was read after a write was sent, and returns the finding.
  mutating func show(_ now: Product?, for write: PendingWrite) -> WriteStateMachine.ReadBack {
    take(reading(of: now, for: write), of: now, for: write)
  }

  private mutating func take(
    _ reading: EffectReading, of now: Product?, for write: PendingWrite
  ) -> WriteStateMachine.ReadBack {
    (product, self.reading) = (now, reading)
    if case .edit = write.change { foreign.merge(reading.foreign) { $1 } }
    return reading.finding
  }

  /// Returns whether a product that was read after a write may show what an earlier write of ours replaced, instead of
  /// another client's value or the effect of the write.
  ///
  /// A wanted value that was there before the earlier write, as after an undo, is trusted if the server confirmed the
  /// write.
  private func isOutdated(
    _ reading: EffectReading, _ now: Product?, for write: PendingWrite, isConfirmed: Bool, with runner: PlanRunner,
    in journal: Journal
  ) throws(JournalError) -> Bool {
    guard let now, case .edit(_, _, let to) = write.change else { return false }
    let fields = isConfirmed ? Array(reading.foreign.keys) : to.assignedFields
    guard !fields.isEmpty else { return false }
    return try journal.recentWrites(to: now.id, except: write.entryID, within: runner.rules.window, runner.binding)
      .isOutdated(now, in: fields)
  }
}

extension WriteVerification {
  /// Returns the outcome of a write that is done, from the product that was read last or is in the response.
  ///
  /// - Parameters:
  ///   - write: The write, with the product directly before it.
  ///   - now: The product, or `nil` if it doesn't exist or nothing was read.
  ///   - isConfirmed: Whether the server confirmed the write, so that a product that doesn't exist is gone since.
  func done(_ write: PendingWrite, _ now: Product?, isConfirmed: Bool) -> Outcome {
    if case .delete(let planned) = write.change { return .done(write.before ?? now ?? planned, differences: []) }
    let isGone = now == nil && isConfirmed && write.change.kind == .patch
    return .done(now, differences: now != nil || isGone ? reading(of: now, for: write).differences : [])
  }

  /// Returns the values that a write left, which an undo compares, or `nil` if it left none.
  func afterImage(of write: PendingWrite, _ outcome: Outcome) -> ProductValues? {
    switch outcome {
    case .done(let now, _): return reading(of: now, for: write).after
    case .notStored(let now?, _, _):
      guard case .edit(_, _, let to) = write.change else { return nil }
      return ProductValues(of: now, like: to)
    default: return nil
    }
  }
}
