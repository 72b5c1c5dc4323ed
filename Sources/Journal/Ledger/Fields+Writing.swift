import Catalog

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
