import Catalog
import FileFormats
import Platform
import Synchronization
import WriteJournal

/// Records the ids of new copies as soon as they are known.
final class CopyRecord: Sendable {
  private let map: ProductIDMap
  private let failure = Mutex<FileError?>(nil)

  init(_ map: ProductIDMap) { self.map = map }

  /// The error of the map if it couldn't be written.
  var error: FileError? { failure.withLock { $0 } }

  /// Records a copy if the change created one, and returns whether that succeeded.
  func write(_ source: Product.ID, _ change: Change, _ outcome: Outcome) -> Bool {
    guard change.product == nil, outcome.isSuccess, let copy = outcome.product?.id else { return true }
    do throws(FileError) {
      try map.append(source, copy)
      return true
    } catch {
      failure.withLock { $0 = error }
      return false
    }
  }
}
