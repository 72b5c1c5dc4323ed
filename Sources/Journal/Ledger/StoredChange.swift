import Catalog
import Foundation

/// A change as the journal keeps it: pictures by the hash of their bytes.
struct StoredChange: Codable {
  private var change: Change
  let pictures: [String]

  init(_ change: Change, in blobs: Blobs) throws(JournalFailure) {
    guard case .create(var draft) = change else {
      self.change = change
      pictures = []
      return
    }
    var names: [String] = []
    for index in draft.pictures.indices {
      names.append(try blobs.keep(draft.pictures[index].bytes))
      draft.pictures[index].bytes = Data()
    }
    self.change = .create(draft)
    pictures = names
  }

  /// Without the pictures' bytes.
  var bare: Change { change }

  /// Nil when a picture is no longer there.
  func restored(from blobs: Blobs) -> Change? {
    guard case .create(var draft) = change else { return change }
    guard draft.pictures.count == pictures.count else { return nil }
    for index in draft.pictures.indices {
      guard let bytes = blobs.bytes(pictures[index]) else { return nil }
      draft.pictures[index].bytes = bytes
    }
    return .create(draft)
  }
}
