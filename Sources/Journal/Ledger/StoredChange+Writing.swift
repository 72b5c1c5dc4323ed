import Catalog

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
