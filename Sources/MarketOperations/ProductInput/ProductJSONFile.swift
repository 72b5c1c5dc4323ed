import Catalog
import Foundation
import MarketAPI
import Networking
import Platform

/// The fields of a product from a JSON file in the format of `show … as json`.
///
/// Numbers keep their text, so that prices aren't converted to binary fractions.
package enum ProductJSONFile {
  /// Returns the fields of the file as they would be typed.
  ///
  /// - Throws: `FileError`, which is `.malformed` for a file that isn't a JSON object or has an invalid field.
  package static func read(_ path: String) throws -> [(name: String, value: String)] {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    let malformed = FileError.malformed(path: path, reason: "not a JSON object with product fields")
    guard let object = (try? JSON(parsing: data))?.object else { throw malformed }
    do {
      let values: [(ProductField, String?)] = [
        (.name, try object.string("name")), (.description, try object.string("description")),
        (.price, try object.amount("price")?.description),
        (.discount, try object.amount("discount")?.description),
        (.currency, try object.string("currency")), (.stock, try object.int("stock").map { String($0) }),
      ]
      return values.compactMap { field, value in value.map { (field.rawValue, $0) } }
    } catch {
      throw malformed
    }
  }
}
