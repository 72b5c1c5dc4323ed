import Catalog
import Foundation
import GRDB

/// A product as it lies in the archive: texts and numbers, money as exact text. What changes often stands apart from
/// what is long.
struct KeptRow: Hashable {
  /// What a row of `product` holds beside its number.
  struct Figures: Hashable {
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

  /// What a row of `wording` holds: most changes leave it as it is.
  struct Wording: Hashable {
    var name: String?
    var description: String?
    var thumbnail: String?
    /// A picture a line, its id, address and small address apart by tabs; nil where the list does not tell.
    var images: String?
  }

  let id: Product.ID
  var figures: Figures
  var wording: Wording

  /// The columns of figures and of texts, in their order.
  static let figures = ["price", "discount", "sale", "currency", "stock", "vendor", "vendor_id", "created", "modified"]
  static let texts = ["name", "description", "thumbnail", "images"]

  /// What `init(_:)` reads of `product p JOIN wording w`, before any other column: thousands of rows are read by place.
  static let columns = figureColumns + texts.map { ", w." + $0 }.joined()

  /// What `init(_:wording:)` reads.
  static let figureColumns = (["id"] + figures).map { "p." + $0 }.joined(separator: ", ")

  init(_ row: Row) {
    self.init(row, wording: Wording(name: row[10], description: row[11], thumbnail: row[12], images: row[13]))
  }

  init(_ row: Row, wording: Wording) {
    id = row[0]
    figures = Figures(
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
      thumbnail: wording.thumbnail, images: wording.images.map(KeptRow.pictures))
  }

  /// A picture a line, as `Wording.images` has it.
  static func text(of pictures: [Picture]) -> String {
    pictures.map { "\($0.id.map { String($0) } ?? "")\t\($0.url)\t\($0.thumbnail ?? "")" }.joined(separator: "\n")
  }

  private static func pictures(_ text: String) -> [Picture] {
    text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Picture(
        id: Int(parts[0]), url: parts.count > 1 ? parts[1] : "",
        thumbnail: parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil)
    }
  }
}

extension KeptRow.Wording {
  /// Of a row of `wording`: its name, description, thumbnail and images.
  init(_ row: Row) { self.init(name: row[0], description: row[1], thumbnail: row[2], images: row[3]) }

  /// The same pictures on a server that moved are no change: addresses are compared by their paths. Takes thumbnail and
  /// images of one and of another.
  static let samePictures = DatabaseFunction("same_pictures", argumentCount: 4, pure: true) { values in
    let paths = values.map { String.fromDatabaseValue($0).map(PictureAddresses.paths(in:)) }
    return paths[0] == paths[2] && paths[1] == paths[3]
  }
}
