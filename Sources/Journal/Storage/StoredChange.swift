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

extension StoredChange {
  var object: ObjectText {
    var object = ObjectText()
    object.add("change", bare.object)
    object.add("pictures", pictures)
    object.add("relative", relative)
    return object
  }
}

extension Change {
  /// `{"create":{"_0":…}}`, `{"edit":{"_0":…,"from":…,"to":…}}` or `{"delete":{"_0":…}}`.
  fileprivate var object: ObjectText {
    var (values, object) = (ObjectText(), ObjectText())
    switch self {
    case .create(let draft):
      values.add("_0", draft.object)
      object.add("create", values)
    case .edit(let product, let from, let to):
      values.add("_0", product.object)
      values.add("from", from.object)
      values.add("to", to.object)
      object.add("edit", values)
    case .delete(let product):
      values.add("_0", product.object)
      object.add("delete", values)
    }
    return object
  }
}

extension Draft {
  fileprivate var object: ObjectText {
    var object = ObjectText()
    object.add("currency", currency.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("name", name)
    object.add("pictures", pictures.map(\.object))
    object.add("price", price)
    object.add("stock", stock)
    return object
  }
}

extension Fields {
  /// As the journal keeps it; absent fields are left out.
  var object: ObjectText {
    var object = ObjectText()
    object.add("currency", currency?.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("name", name)
    if let pictures { object.add("pictures", pictures.map(\.object)) }
    object.add("price", price)
    object.add("stock", stock)
    object.add("thumbnail", thumbnail)
    return object
  }
}

extension Product {
  /// As the journal keeps it; what is not known is left out.
  var object: ObjectText {
    var object = ObjectText()
    object.add("created", created?.description)
    object.add("currency", currency?.code)
    object.add("description", description)
    object.add("discount", discount)
    object.add("id", id)
    if let images { object.add("images", images.map(\.object)) }
    object.add("modified", modified?.description)
    object.add("name", name)
    object.add("price", price)
    object.add("sale", sale)
    object.add("stock", stock)
    object.add("thumbnail", thumbnail)
    object.add("vendor", vendor)
    object.add("vendorID", vendorID)
    return object
  }
}

extension Picture {
  fileprivate var object: ObjectText {
    var object = ObjectText()
    object.add("id", id)
    object.add("thumbnail", thumbnail)
    object.add("url", url)
    return object
  }
}
