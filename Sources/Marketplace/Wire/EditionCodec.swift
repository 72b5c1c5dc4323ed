import Catalog
import Foundation
import Networking
import Text

/// How one edition spells requests and answers; the only place that knows its names.
protocol EditionCodec: Sendable {
  var traits: EditionTraits { get }
  /// True for a page of a list as this edition writes it and no other does that is asked alike.
  func isPage(_ object: JSONObject) -> Bool
  /// What of that tells it, for the person who named no edition.
  var evidence: LocalizedText { get }
  func list(_ asked: ListProducts) -> Request
  func show(_ id: Product.ID) -> Request
  func create(_ draft: Draft, boundary: String, as who: Credentials?) throws(MarketError) -> Request
  func edit(_ edit: EditProduct, as who: Credentials?) throws(MarketError) -> Request
  func requestDeletion(of id: Product.ID, as who: Credentials?) throws(MarketError) -> Request
  /// True when the answer to `requestDeletion` is one that may be sent back.
  func accepts(ticket: String) -> Bool
  func delete(_ id: Product.ID, ticket: DeletionTicket?, as who: Credentials?) throws(MarketError) -> Request
  /// True for a request that is answered with a ticket, whoever spelled it.
  func asksForTicket(_ request: Request) -> Bool
  /// The key in the path of a request that deletes; nil where none is.
  func ticket(in request: Request) -> Secret?

  /// The page in a body that is plain throughout; nil leaves it to `page(from:asked:)`, which reads everything.
  func plainPage(_ body: Data, asked: ListProducts) -> Page?
  /// The product by itself in a body that is plain throughout; nil leaves it to `product(from:)`.
  func plainProduct(_ body: Data) -> Product?
  /// Nil when the object is no page at all.
  func page(from object: JSONObject, asked: ListProducts) -> Page?
  func product(from object: JSONObject) throws(JSONFault) -> Product
  /// The sale price of a product as the server itself tells it, where it tells list price and discount as well.
  func toldSale(in object: JSONObject) -> Amount?
}

extension EditionCodec {
  func asksForTicket(_ request: Request) -> Bool { false }
  func ticket(in request: Request) -> Secret? { nil }
  func plainPage(_ body: Data, asked: ListProducts) -> Page? { nil }
  func plainProduct(_ body: Data) -> Product? { nil }
  func toldSale(in object: JSONObject) -> Amount? { nil }
}

/// Reads a listing row by row: one that cannot be read is named, the others are kept; an id that comes again is dropped.
enum Rows {
  static func read(
    _ rows: [JSON], with product: (JSONObject) throws(JSONFault) -> Product
  ) -> (products: [Product], broken: [BrokenRow]) {
    var products: [Product] = []
    var broken: [BrokenRow] = []
    var seen: Set<Product.ID> = []
    for (index, row) in rows.enumerated() {
      guard let object = row.object else {
        broken.append(
          BrokenRow(position: index + 1, id: nil, field: nil, reason: JSONFault(field: "", found: row).found))
        continue
      }
      do throws(JSONFault) {
        let product = try product(object)
        if seen.insert(product.id).inserted { products.append(product) }
      } catch {
        broken.append(
          BrokenRow(position: index + 1, id: try? object.id(), field: error.field, reason: error.found))
      }
    }
    return (products, broken)
  }
}

/// The numbers a server tells of a page, as far as one can reckon with them: what no list has, a negative total or
/// `9223372036854775807` pages, counts as not told, for the next sum with it would end the program.
enum PageCounts {
  /// A page's number, the last page's, or how many products there are.
  static func count(_ told: Int?) -> Int? { within(0...Limits.page.upperBound, told) }

  /// Rows a page.
  static func size(_ told: Int?) -> Int? { within(1...10_000, told) }

  private static func within(_ bounds: ClosedRange<Int>, _ told: Int?) -> Int? {
    told.flatMap { bounds.contains($0) ? $0 : nil }
  }
}

extension JSONObject {
  /// The product's number, which a row cannot do without.
  func id() throws(JSONFault) -> Product.ID {
    guard let id = try int("id") else { throw JSONFault(field: "id", found: .null) }
    return id
  }

  /// An exact amount in any spelling of a number.
  ///
  /// - Throws: `JSONFault` with the key, and what stood there instead.
  package func amount(_ key: String) throws(JSONFault) -> Amount? {
    guard let number = try number(key) else { return nil }
    if let (units, exponent) = number.scaled { return Amount(units: units, exponent: exponent) }
    guard let value = number.decimal else { throw JSONFault(field: key, found: number.literal) }
    return Amount(value)
  }

  /// A date in one of the markets' patterns. Another is left out: no decision hangs on it, and the product is worth more.
  func moment(_ key: String) -> Timestamp? { (try? string(key)).flatMap { Timestamp($0) } }
}

extension JSON {
  /// The exact digits of an amount.
  static func amount(_ amount: Amount) -> JSON {
    JSONNumber(amount.description).map { .number($0) } ?? .string(amount.description)
  }
}
