/// A difference between two states of a product, or between a product and its counterpart in another market.
package struct ProductDifference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case added
    case removed
    case changed(ProductField)

    /// The changed field, or `nil` for a product that was added or removed.
    package var field: ProductField? { if case .changed(let field) = self { field } else { nil } }
  }

  package var kind: Kind
  /// The first state, or `nil` for a product that was added.
  package var before: Product?
  /// The second state, or `nil` for a product that was removed.
  package var after: Product?
  /// The first value of the changed field, or `nil` for a product that was added or removed.
  package private(set) var valueBefore: FieldValue?
  /// The second value of the changed field.
  package private(set) var valueAfter: FieldValue?

  /// Creates the difference of a field, whose values may be other ones than those of the products, such as digests.
  package init(_ field: ProductField, from before: (Product, FieldValue?), to after: (Product, FieldValue?)) {
    kind = .changed(field)
    (self.before, valueBefore) = before
    (self.after, valueAfter) = after
  }

  private init(_ kind: Kind, before: Product?, after: Product?) {
    self.kind = kind
    self.before = before
    self.after = after
  }

  /// Returns the differences of a product in fields that both states provide.
  package static func of(
    _ before: Product?, _ after: Product?, in fields: [ProductField]
  ) -> [ProductDifference] {
    switch (before, after) {
    case (nil, nil): []
    case (nil, let after?): [ProductDifference(.added, before: nil, after: after)]
    case (let before?, nil): [ProductDifference(.removed, before: before, after: nil)]
    case (let before?, let after?):
      fields.filter { differs($0, old: before, new: after) }.map { field in
        ProductDifference(field, from: (before, before[field]), to: (after, after[field]))
      }
    }
  }

  private static func differs(_ field: ProductField, old: Product, new: Product) -> Bool {
    guard let before = old[field], let after = new[field], before != after else { return false }
    // The same image on a moved server isn't a change.
    guard field == .thumbnail || field == .images else { return before.description != after.description }
    return PictureAddresses.removingOrigins(in: before.description)
      != PictureAddresses.removingOrigins(in: after.description)
  }

  /// The changed field, or `nil` for a product that was added or removed.
  package var field: ProductField? { kind.field }

  /// The word for the kind, in data.
  package var word: String {
    switch kind {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    }
  }

  /// The word in data for sellers, who compare two times of one market: `new`, `gone`, `back`, `sold-out`, or the field.
  package var wordForSellers: String {
    switch kind {
    case .added: "new"
    case .removed: "gone"
    case .changed(.stock) where before?.stock == 0: "back"
    case .changed(.stock) where after?.stock == 0: "sold-out"
    case .changed(let field): field.rawValue
    }
  }
}
