import Catalog
import Language
import Marketplace

extension Place {
  /// The edition's own field words, with the meaning it gives them (see Language).
  package var fieldNames: FieldNames {
    FieldNames(discountedPriceIs: traits.namesSalePrice ? .sale : .discount)
  }

  /// False where a product has a password of its own and nobody is a vendor.
  package var knowsVendors: Bool { traits.knowsVendors }

  /// Of the edition, or of the one that is likeliest while it is not known.
  private var traits: EditionTraits { (edition?.value ?? .open).traits }
}
