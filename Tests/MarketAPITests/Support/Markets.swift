import Catalog
import Foundation
import MarketAPI
import Networking
import Text

let base = URL(string: "http://127.0.0.1:8080")!
let secret = Secret("s3cr3t")!
let credentials = Credentials(identifier: "c64b3c9e-0000-11ec-9676-d3cd1a738d6f", secret: secret)

func market(_ edition: Edition, _ who: Credentials? = credentials) -> MarketService {
  MarketService(base, dialect: Dialect(edition), credentials: who)
}

func reply(_ text: String, _ status: Int = 200, _ headers: [HeaderField] = []) -> Response {
  Response(status: status, headers: headers, body: Data(text.utf8))
}

/// Returns all fields of a product in one line.
func line(_ product: Product) -> String {
  let cells: [String?] = [
    String(product.id), product.name, product.description?.replacingOccurrences(of: "\n", with: "⏎"),
    product.price?.description, product.discount?.description, product.sale?.description, product.currency?.code,
    product.stock.map(String.init), product.vendor, product.vendorID.map(String.init), product.created?.description,
    product.modified?.description, product.thumbnailURL?.split(separator: "/").last.map(String.init),
    product.images.map { images in
      images.map { "\($0.id.map(String.init) ?? "-"):\($0.url.split(separator: "/").last ?? "")" }
        .joined(separator: " ")
    },
  ]
  return cells.map { $0 ?? "-" }.joined(separator: " | ")
}

func error(_ body: () throws -> some Any) -> MarketError? {
  do {
    _ = try body()
    return nil
  } catch { return error as? MarketError }
}
