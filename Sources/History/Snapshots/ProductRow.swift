import Catalog
import Foundation
import GRDB

/// A product as stored in the archive: texts and numbers, with prices as exact text.
///
/// Values that change often are separate from long texts.
struct ProductRow: Hashable {
  /// The values of a row of `product` other than its id.
  struct ScalarColumns: Hashable {
    var price: String?
    var discount: String?
    var sale: String?
    var currency: String?
    var stock: Int?
    var vendor: String?
    var vendorID: Int?
    var created: String?
    var modified: String?
  }

  /// The values of a row of `wording`, which most changes don't affect.
  struct TextColumns: Hashable {
    var name: String?
    var description: String?
    var thumbnail: String?
    /// The pictures, one line each with id, URL and thumbnail URL separated by tabs, or `nil` if the list doesn't
    /// contain pictures.
    var images: String?
  }

  let id: Product.ID
  var figures: ScalarColumns
  var wording: TextColumns

  // The columns of figures and of texts, in their order.
  static let figures = ["price", "discount", "sale", "currency", "stock", "vendor", "vendor_id", "created", "modified"]
  static let texts = ["name", "description", "thumbnail", "images"]

  /// The columns that `init(_:)` expects from `product p JOIN wording w`, before any others.
  ///
  /// Rows are read by column index because there are many.
  static let columns = figureColumns + texts.map { ", w." + $0 }.joined()

  /// The columns that `init(_:wording:)` expects.
  static let figureColumns = (["id"] + figures).map { "p." + $0 }.joined(separator: ", ")

  init(_ row: Row) {
    self.init(row, wording: TextColumns(name: row[10], description: row[11], thumbnail: row[12], images: row[13]))
  }

  init(_ row: Row, wording: TextColumns) {
    id = row[0]
    figures = ScalarColumns(
      price: row[1], discount: row[2], sale: row[3], currency: row[4], stock: row[5], vendor: row[6], vendorID: row[7],
      created: row[8], modified: row[9])
    self.wording = wording
  }

  var product: Product {
    func amount(_ text: String?) -> Amount? { text.flatMap { Amount(plain: $0) } }
    return Product(
      id: id, name: wording.name, description: wording.description, price: amount(figures.price),
      discount: amount(figures.discount), sale: amount(figures.sale), currency: figures.currency.map { Currency($0) },
      stock: figures.stock, vendor: figures.vendor, vendorID: figures.vendorID,
      created: figures.created.flatMap { Timestamp($0) }, modified: figures.modified.flatMap { Timestamp($0) },
      thumbnailURL: wording.thumbnail, images: wording.images.map(ProductRow.pictures))
  }

  /// Returns the pictures in the format of `TextColumns.images`.
  static func text(of pictures: [Picture]) -> String {
    pictures.map { "\($0.id.map { String($0) } ?? "")\t\($0.url)\t\($0.thumbnailURL ?? "")" }.joined(separator: "\n")
  }

  private static func pictures(_ text: String) -> [Picture] {
    text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Picture(
        id: Int(parts[0]), url: parts.count > 1 ? parts[1] : "",
        thumbnailURL: parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil)
    }
  }
}

extension ProductRow.TextColumns {
  /// Creates a value from a row with name, description, thumbnail and images.
  init(_ row: Row) { self.init(name: row[0], description: row[1], thumbnail: row[2], images: row[3]) }

  /// An SQL function that compares the thumbnail and images of two rows by the paths of their URLs, because the same
  /// pictures on a server that moved aren't a change.
  static let picturesMatch = DatabaseFunction("same_pictures", argumentCount: 4, pure: true) { values in
    let paths = values.map { String.fromDatabaseValue($0).map(PictureAddresses.removingOrigins(in:)) }
    return paths[0] == paths[2] && paths[1] == paths[3]
  }
}
