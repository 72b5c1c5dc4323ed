import Catalog
import Foundation

/// A change in its stored form, with pictures by the hash of their data.
///
/// Its text outlives the program that wrote it, so the names and structure are defined here independently of any type.
/// Tests read journals of every version.
struct StoredChange {
  private var change: Change
  let pictures: [String]
  /// The value of `Plan.isRelative`, absent if it is false.
  let relative: Bool?

  init(_ change: Change, isRelative: Bool = false, in blobs: BlobStore) throws(JournalError) {
    var files = change.files
    var names: [String] = []
    for index in files.indices {
      names.append(try blobs.store(files[index].bytes))
      files[index].bytes = Data()
    }
    self.change = files.isEmpty ? change : change.with(files)
    pictures = names
    relative = isRelative ? true : nil
  }

  /// The change without picture data.
  var bare: Change { change }

  /// Returns the change with its pictures, or `nil` if one is no longer stored.
  func restored(from blobs: BlobStore) -> Change? {
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
  /// The total size of the change's pictures in bytes.
  var pictureBytes: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// The pictures that a create or an update sends.
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

extension StoredChange: Decodable {
  private enum Key: String, CodingKey { case change, pictures, relative }
  private enum Kind: String, CodingKey { case create, edit, delete }
  private enum Part: String, CodingKey {
    case subject = "_0"
    case from, to
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    pictures = try box.decode([String].self, forKey: .pictures)
    relative = try box.decodeIfPresent(Bool.self, forKey: .relative)
    let kinds = try box.nestedContainer(keyedBy: Kind.self, forKey: .change)
    if kinds.contains(.create) {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .create)
      change = .create(try parts.decode(StoredDraft.self, forKey: .subject).draft)
    } else if kinds.contains(.edit) {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .edit)
      change = .edit(
        try parts.decode(StoredProduct.self, forKey: .subject).product,
        from: try parts.decode(StoredFields.self, forKey: .from).fields,
        to: try parts.decode(StoredFields.self, forKey: .to).fields)
    } else {
      let parts = try kinds.nestedContainer(keyedBy: Part.self, forKey: .delete)
      change = .delete(try parts.decode(StoredProduct.self, forKey: .subject).product)
    }
  }
}

extension StoredChange: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("change", bare)
    object.add("pictures", pictures)
    object.add("relative", relative)
  }
}

extension Change: JSONObjectEncodable {
  /// Writes `{"create":{"_0":…}}`, `{"edit":{"_0":…,"from":…,"to":…}}` or `{"delete":{"_0":…}}`.
  func encode(to object: inout JSONObjectWriter) {
    switch self {
    case .create(let draft): object.add("create") { $0.add("_0", draft) }
    case .edit(let product, let from, let to):
      object.add("edit") { parts in
        parts.add("_0", product)
        parts.add("from", from)
        parts.add("to", to)
      }
    case .delete(let product): object.add("delete") { $0.add("_0", product) }
    }
  }
}
