/// The meaning of products and changes in the file that describes a market, as a log stores it with a write.
///
/// After a change of the file, a value that is read is compared with one that was written only if both mean the same.
package struct DescriptionMapping: Hashable, Sendable {
  /// The name of the file, as messages have it.
  package var file: String
  /// The checksum of the file's text.
  package var digest: String
  /// The places and notations by part: each field by its name, and what the cases of `Part` name.
  ///
  /// A part that the file doesn't describe is absent.
  package var parts: [String: String]

  package init(file: String, digest: String, parts: [String: String]) {
    (self.file, self.digest, self.parts) = (file, digest, parts)
  }

  /// The parts that are no fields, named as in the file.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    /// The place of the product's number.
    case id
    /// The member that contains the id of a create.
    case mark
    case read = "[read]"
    case create = "[create]"
    case update = "[update]"
    case delete = "[delete]"
  }

  /// The use of a recorded write, which decides the parts that must mean the same as then.
  package enum Use: Hashable, Sendable {
    /// The effect of the write is looked for.
    case reading
    /// The write is sent, again or for the first time.
    case sending
    /// The values before it are written.
    case undoing
  }

  /// Returns the parts that mean something else than when a write was recorded, in the order of data.
  ///
  /// - Parameters:
  ///   - recorded: The mapping with which the write was recorded.
  ///   - change: The change of the write.
  ///   - use: The use of the record.
  package func differences(from recorded: DescriptionMapping, for change: Change, _ use: Use) -> [String] {
    guard digest != recorded.digest else { return [] }
    return DescriptionMapping.parts(of: change, use).filter { parts[$0] != recorded.parts[$0] }
  }

  /// Returns the names of the parts that a change depends on.
  package static func parts(of change: Change, _ use: Use) -> [String] {
    var fields: Set<ProductField> = []
    var others: [Part] = [.id, .read]
    switch change {
    case .create(let draft):
      fields = Set(draft.document == nil ? ProductValues(of: draft).assignedFields : ProductField.allCases)
      if !draft.pictures.isEmpty { fields.insert(.images) }
      if use != .undoing { others.append(.mark) }
      if use == .sending { others.append(.create) }
    case .edit(_, _, let to):
      fields = Set(to.assignedFields)
      if to.pictures != nil { fields.insert(.images) }
      if use == .sending { others.append(.update) }
    case .delete:
      // A deleted product is created again with all that it had.
      if use == .undoing { fields = Set(ProductField.allCases) }
      if use == .sending { others.append(.delete) }
    }
    // Each of the three follows from the other two.
    let amounts: Set<ProductField> = [.price, .discount, .sale]
    if !fields.isDisjoint(with: amounts) { fields.formUnion(amounts) }
    let names = ProductField.allCases.filter { $0 != .id && fields.contains($0) }.map(\.rawValue)
    return names + Part.allCases.filter(others.contains).map(\.rawValue)
  }
}
