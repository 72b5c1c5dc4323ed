import Catalog

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
