import Catalog
import Foundation

/// A change as the journal keeps it: pictures by the hash of their bytes.
struct StoredChange: Decodable {
  private var change: Change
  let pictures: [String]
  /// See `Plan.isRelative`; absent for a change that is not.
  let relative: Bool?

  init(_ change: Change, isRelative: Bool = false, in blobs: Blobs) throws(JournalFailure) {
    var files = change.files
    var names: [String] = []
    for index in files.indices {
      names.append(try blobs.keep(files[index].bytes))
      files[index].bytes = Data()
    }
    self.change = files.isEmpty ? change : change.with(files)
    pictures = names
    relative = isRelative ? true : nil
  }

  /// Without the pictures' bytes.
  var bare: Change { change }

  /// Nil when a picture is no longer there.
  func restored(from blobs: Blobs) -> Change? {
    var files = change.files
    guard files.count == pictures.count else { return nil }
    for index in files.indices {
      guard let bytes = blobs.bytes(pictures[index]) else { return nil }
      files[index].bytes = bytes
    }
    return change.with(files)
  }
}

extension Change {
  /// Of the pictures that it brings, all together.
  var pictureBytes: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The pictures that a create or a change brings.
  fileprivate var files: [PictureFile] {
    switch self {
    case .create(let draft): draft.pictures
    case .edit(_, _, let to): to.pictures ?? []
    case .delete: []
    }
  }

  fileprivate func with(_ files: [PictureFile]) -> Change {
    switch self {
    case .create(var draft):
      draft.pictures = files
      return .create(draft)
    case .edit(let product, let from, var to):
      if to.pictures != nil { to.pictures = files }
      return .edit(product, from: from, to: to)
    case .delete: return self
    }
  }
}
