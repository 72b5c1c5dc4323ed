import Catalog
import Foundation
import Language
import Platform

/// A product's fields from a JSON file, as `show … as json` writes them; numbers keep their text, so that no price passes through a binary fraction.
package enum ProductFile {
  private struct Content: Decodable {
    var name: String?
    var description: String?
    var price: Amount?
    var discount: Amount?
    var currency: String?
    var stock: Int?
  }

  package static func read(_ path: String) throws -> [(name: String, value: String)] {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: data)
    } catch {
      throw FileError.malformed(path: path, reason: "not a JSON object of a product's fields")
    }
    let values: [(String, String?)] = [
      ("name", content.name), ("description", content.description), ("price", content.price?.description),
      ("discount", content.discount?.description), ("currency", content.currency),
      ("stock", content.stock.map { String($0) }),
    ]
    return values.compactMap { name, value in value.map { (name, $0) } }
  }
}
