import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Text

extension Dialect {
  /// A Boolean value that indicates that a new product is sent with the data of pictures.
  ///
  /// Pictures of a market that a file describes are addresses.
  package var createsPictures: Bool { capabilities.writableFields == nil }

  /// A Boolean value that indicates that pictures are set by their addresses.
  package var takesAddresses: Bool { capabilities.writableFields?.contains(.images) ?? false }

  /// Returns the pictures at the addresses that a user typed.
  ///
  /// - Throws: `ParseError` for anything but `http` and `https` URLs.
  package func pictures(at addresses: [String], range: Range<Int>? = nil) throws(ParseError) -> [PictureFile] {
    for address in addresses {
      guard let url = URLComponents(string: address), ["http", "https"].contains(url.scheme?.lowercased()),
        url.host?.isEmpty == false, address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
      else {
        throw ParseError(
          LocalizedText(
            "This market takes addresses of images, and \(.value(address)) is none.",
            ko: "이 마켓은 사진의 주소를 받습니다. \(.value(address), .topic) 주소가 아닙니다."),
          suggestion: LocalizedText(
            "For example: \(.command("images=https://shop.example/front.jpg"))",
            ko: "예: \(.command("images=https://shop.example/front.jpg"))"), at: range)
      }
    }
    return addresses.map { PictureFile(address: $0) }
  }

  /// Throws if the file that describes the market has no request for one of the changes, or no way to set one of its fields.
  ///
  /// - Throws: `MarketError.undescribed` with all missing requests and fields, `.unsupported` for the data of pictures where
  ///   addresses are sent, and the other way round.
  package func requireDescribed(_ changes: [Change]) throws(MarketError) {
    for change in changes {
      let pictures: [PictureFile] =
        switch change {
        case .create(let draft): draft.pictures
        case .edit(_, _, let to): to.pictures ?? []
        case .delete: []
        }
      guard pictures.allSatisfy({ ($0.address == nil) == createsPictures }) else {
        throw .unsupported(.replacePictures, self)
      }
    }
    guard capabilities.writableFields != nil else {
      // A plan for a market that a file describes may have been applied here.
      for case .create(let draft) in changes {
        let missing = capabilities.requiredFields.filter { draft.unset.contains($0) }
        if !missing.isEmpty { throw .undescribed(operations: [], fields: missing, self) }
      }
      return
    }
    var operations: [MarketAPI.Operation] = []
    var fields: [ProductField] = []
    for change in changes {
      switch change {
      case .create(let draft):
        operations.append(.create)
        fields += ProductValues(of: draft).assignedFields.filter { field in
          // Without a discount or stock, the default of the market applies.
          if field == .discount { return draft.discount != .zero }
          if field == .stock { return draft.stock != 0 }
          return draft.document == nil
        }
        if !draft.pictures.isEmpty { fields.append(.images) }
      case .edit(_, _, let to):
        operations.append(.edit)
        fields += to.assignedFields
        if to.pictures != nil { fields.append(.images) }
      case .delete: operations.append(.delete)
      }
    }
    try requireDescribed(operations, fields)
  }

  /// Throws if the file that describes the market lacks an operation, or a way to set a field.
  ///
  /// - Throws: `MarketError.undescribed`.
  package func requireDescribed(_ operations: [MarketAPI.Operation], _ fields: [ProductField]) throws(MarketError) {
    guard let writable = capabilities.writableFields else { return }
    let lacking = MarketAPI.Operation.allCases.filter { operations.contains($0) && !supports($0) }
    // A new product has the constants of the file.
    let unwritable = ProductField.allCases.filter { field in
      fields.contains(field) && !writable.contains(field)
        && !(operations == [.create] && marketDescription?.fields[field]?.constant != nil)
    }
    guard lacking.isEmpty, unwritable.isEmpty else {
      throw .undescribed(operations: lacking, fields: unwritable, self)
    }
  }
}

extension ProductField {
  /// The field that a change sets for an assignment to this one: the sale price is a discount.
  package var written: ProductField { self == .sale ? .discount : self }
}

/// The words with which the log stores that a product doesn't fit the description of its market.
enum DescriptionWording {
  static func unsuited(_ mismatch: DescriptionMismatch) -> String {
    switch mismatch.problem {
    case .elements(let count):
      "\(mismatch.position): \(count) elements at \(mismatch.location); the file describes the only one"
    default: "\(mismatch.position): nothing at \(mismatch.location)"
    }
  }
}
