import Catalog
import Networking

extension ProductReference {
  /// Reads the stored form, or returns `nil` if it has no value.
  ///
  /// - Parameters:
  ///   - id: The id, which the record stores itself.
  ///   - name: The name, if the record stores it itself.
  ///   - json: The stored form.
  package init?(_ id: Product.ID, name: String? = nil, _ json: JSON?) {
    guard let object = json?.object else { return nil }
    let picture = (try? object.string("picture")) ?? nil
    self.init(
      id: id, name: name ?? (try? object.string("name")) ?? nil,
      created: ((try? object.string("created")) ?? nil).flatMap { Timestamp($0) },
      vendorID: (try? object.int("vendor_id")) ?? nil, pictures: [picture].compactMap(\.self))
  }

  /// Returns the stored form of what is known besides the id, or `nil` if nothing is.
  ///
  /// - Parameter isNamed: Whether it has the name, which a record may store itself.
  package func json(isNamed: Bool = true) -> JSON? {
    let members: [(String, JSON?)] = [
      ("name", isNamed ? names.first.map { .string($0) } : nil),
      ("created", created.map { .string($0.description) }), ("vendor_id", vendorID.map { .int($0) }),
      ("picture", pictures.min().map { .string($0) }),
    ]
    let known = members.compactMap { key, value in value.map { (key, $0) } }
    return known.isEmpty ? nil : .object(known)
  }
}

extension Product {
  /// Assigns what a record says of a product besides its id, so that it can be compared with the one that is read later.
  package mutating func assign(_ reference: ProductReference?) {
    guard let reference else { return }
    name = name ?? reference.names.first
    (created, vendorID, thumbnailURL) = (reference.created, reference.vendorID, reference.pictures.first)
  }
}
