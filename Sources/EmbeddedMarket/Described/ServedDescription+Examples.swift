/// Bodies of requests to try, for the page of a market.
extension ServedDescription {
  /// The JSON text of the body that creates a product.
  package var exampleCreation: String {
    var product = WireJSON.object([])
    for field in Field.allCases {
      guard let rule = fields[field], rule.constant == nil, let value = example(of: field, rule) else {
        continue
      }
      product.set(value, at: rule.at)
    }
    for member in createValues where !DescribedProduct.hasPlaceholder(member.value) {
      guard let place = member.at.pointer, product.value(at: place) == nil else { continue }
      product.set(member.value, at: place)
    }
    return body(product, of: create)
  }

  /// The price of the product in an example, which is in the currency of the market.
  private var price: DecimalPrice { DecimalPrice(integer: (currency ?? "KRW") == "KRW" ? 9000 : 12) }

  private func example(of field: Field, _ rule: Rule) -> WireJSON? {
    switch field {
    case .name: .text("Paper lamp")
    case .description: .text("It folds into a card.")
    case .price: DescribedProduct.amount(price, rule)
    case .stock: .number(5)
    case .currency: .text("KRW")
    case .discount, .sale, .vendor, .vendorID, .created, .modified, .thumbnail, .images: nil
    }
  }

  /// Returns the JSON text of the body that changes a product, with the members that go with the change.
  package func exampleChange(of id: Int64) -> String {
    let template = DescribedProduct(self).template.filling(DescribedProduct.placeholders(of: id))
    var product = WireJSON.object([])
    if let rule = fields[.stock] {
      product.set(.number(7), at: rule.at)
    } else if let rule = fields[.price] {
      product.set(DescribedProduct.amount(price, rule), at: rule.at)
    } else if let rule = fields[.name] {
      product.set(.text("Paper lamp"), at: rule.at)
    }
    for place in update?.along ?? [] where product.value(at: place) == nil {
      guard let container = place.container, product.value(at: container) != nil else { continue }
      product.set(template.value(at: place) ?? .text(""), at: place)
    }
    return body(product, of: update)
  }

  private func body(_ product: WireJSON, of call: Call?) -> String {
    var body = WireJSON.null
    body.set(product, at: call?.body ?? .root)
    return body.minified
  }

  /// Returns whether a JSON text is an object that the server can read.
  package static func isObject(_ json: String) -> Bool {
    guard case .object? = try? WireJSONReader.read(json.utf8) else { return false }
    return true
  }
}
