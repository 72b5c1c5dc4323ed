import Catalog
import Language
import Marketplace

extension Place {
  /// The edition's own field words, with the meaning it gives them (language.md section 3).
  package var fieldNames: FieldNames {
    switch edition?.value {
    case .camp1, .camp2: FieldNames(discountedPriceIs: .sale)
    case .training, .open, nil: FieldNames(discountedPriceIs: .discount)
    }
  }

  /// False where a product has a password of its own and nobody is a vendor.
  package var knowsVendors: Bool {
    switch edition?.value {
    case .camp1, .camp2: false
    case .training, .open, nil: true
    }
  }
}
