extension Refusal {
  static func noProduct(_ id: Int64) -> Refusal { Refusal(404, "Product \(id) does not exist") }
  static let noIdentifier = Refusal(
    400, "Required request header 'identifier' for method parameter type String is not present")
  static let unknownVendor = Refusal(400, "Unknown identifier")
  static let wrongSecret = Refusal(400, "The secret does not match the identifier")
  static let foreignProduct = Refusal(403, "The product belongs to another vendor")
}
