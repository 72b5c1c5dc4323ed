import Foundation
import GRDB
import Images

/// Fills a new market with the sample vendors and the products that a lesson lists.
struct ListedMarket: Sendable {
  /// A product with its number and the name of its vendor.
  private struct Entry: Sendable {
    var id: Int64?
    var vendor: String?
    var product: NewProduct
  }

  private let sample: SampleMarket
  private let vendors: [VendorRequest]
  private var entries: [Entry] = []

  /// Prepares the products, of which the last is a minute old and each other a minute older than the next.
  ///
  /// Throws `MarketStartError` for a product without a readable price.
  init(
    _ products: [InitialProduct], sample: SampleMarket, vendors: [VendorRequest], renderer studio: PictureRenderer
  ) async throws {
    self.sample = sample
    self.vendors = vendors
    var random = SeededGenerator(seed: sample.seed)
    for (index, product) in products.enumerated() {
      guard let price = DecimalPrice(product.price), let discount = DecimalPrice(product.discount) else {
        throw MarketStartError.unusableProduct(name: product.name, reason: "its price is not a number")
      }
      let created = sample.now.adding(seconds: Int64(index - products.count) * 60)
      var pictures: [NewPicture] = []
      for bytes in product.pictures {
        let thumbnail = try await BackgroundThreads.uploads.run { studio.thumbnail(of: bytes) }
        pictures.append(
          picture(.sent(bytes, thumbnail: thumbnail), of: bytes, created: created, random: &random))
      }
      if pictures.isEmpty {
        let motif = Subject.allCases[Int(random.next() % UInt64(Subject.allCases.count))].rawValue
        pictures = [picture(.drawn(motif: motif, palette: random.next()), of: nil, created: created, random: &random)]
      }
      entries.append(
        Entry(
          id: product.id, vendor: product.vendor,
          product: NewProduct(
            vendor: 0, name: product.name, description: product.description, price: price, discount: discount,
            currency: product.currency, stock: product.stock, created: created, issued: created, pictures: pictures)))
    }
  }

  /// Inserts everything.
  ///
  /// Throws `MarketStartError` for a product of a vendor that does not exist.
  func fill(_ database: Database) throws {
    try sample.seed(database)
    for vendor in vendors { _ = try VendorRow.findOrCreate(vendor, at: sample.now, in: database) }
    var numbers = [EmbeddedMarket.demoVendor.name: Int64(EmbeddedMarket.demoVendor.vendorID)]
    for entry in entries {
      let name = entry.vendor ?? EmbeddedMarket.demoVendor.name
      guard let vendor = try numbers[name] ?? VendorRow.find(name: name, in: database)?.id else {
        throw MarketStartError.unusableProduct(
          name: entry.product.name, reason: "there is no vendor named \(name)")
      }
      numbers[name] = vendor
      var product = entry.product
      product.vendor = vendor
      _ = try product.insert(id: entry.id, in: database)
    }
  }

  private func picture(
    _ content: NewPicture.Content, of bytes: Data?, created: MarketTime, random: inout SeededGenerator
  ) -> NewPicture {
    let isPNG = bytes?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true
    return NewPicture(
      origin: UUIDv1(at: created, random: random.next()).hexString,
      thumb: UUIDv1(at: created, random: random.next()).hexString, fileExtension: isPNG ? ".png" : ".jpg",
      content: content)
  }
}
