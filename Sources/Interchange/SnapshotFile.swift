import Catalog
import Foundation
import Marketplace
import Networking
import Platform

/// The products of a market as read by a scan, and their file format: JSON Lines that begin with a header.
package struct Snapshot: Hashable, Sendable {
  /// The first line of the file.
  package struct Head: Hashable, Sendable {
    package var taken: Timestamp
    /// The base URL, or `nil` for the embedded market, whose port changes with every start.
    package var url: String?
    package var edition: String
    package var products: Int
    /// A Boolean value that is false if the scan may have missed products.
    package var complete: Bool

    package init(taken: Timestamp, url: String?, edition: String, products: Int, complete: Bool) {
      self.taken = taken
      self.url = url
      self.edition = edition
      self.products = products
      self.complete = complete
    }
  }

  package static let version = 1

  /// The name, or `nil` for the current state of the market.
  package var name: String?
  package var head: Head
  /// The products in the order of the list, with the fields that its rows contain.
  ///
  /// Some editions provide descriptions and pictures only for single products.
  package var products: [Product]

  package init(name: String? = nil, head: Head, products: [Product]) {
    self.name = name
    self.head = head
    self.products = products
  }
}

extension Snapshot {
  /// Decodes a file of any version up to the current one.
  ///
  /// `path` is used in error messages.
  ///
  /// - Throws: `FileError.malformed` for a file that isn't a snapshot, ends too early, or has a newer version.
  package init(_ data: Data, named name: String?, at path: String) throws(FileError) {
    var products: [Product] = []
    var head: Head?
    var number = 0
    for line in data.split(separator: UInt8(ascii: "\n")) {
      number += 1
      guard let object = (try? JSON(parsing: Data(line)))?.object else { throw Snapshot.unreadable(number, path) }
      do {
        if number == 1 { head = try Head(object) } else { products.append(try Product(snapshot: object)) }
      } catch let error as NewerVersion {
        throw .malformed(
          path: path, reason: "Unsupported format \(error.version) (supported: \(Snapshot.version)).")
      } catch {
        throw Snapshot.unreadable(number, path)
      }
    }
    guard let head else { throw .malformed(path: path, reason: "It is empty.") }
    // The header's count is only compared at the end, because the file may come from anywhere.
    guard products.count == head.products else { throw .malformed(path: path, reason: "It is incomplete.") }
    self.init(name: name, head: head, products: products)
  }

  /// The complete file.
  package var data: Data {
    var data = Data((head.json.text + "\n").utf8)
    for product in products { data += Data((product.snapshotJSON.text + "\n").utf8) }
    return data
  }

  private static func unreadable(_ line: Int, _ path: String) -> FileError {
    .malformed(path: path, reason: "Cannot read line \(line).")
  }
}

private struct NewerVersion: Error { let version: Int }
private struct Missing: Error {}

extension Snapshot.Head {
  /// Decodes the first line, or returns `nil` if it isn't the header of a supported snapshot.
  package init?(_ line: Data) {
    guard let object = (try? JSON(parsing: line))?.object, let head = try? Snapshot.Head(object) else { return nil }
    self = head
  }

  fileprivate init(_ object: JSONObject) throws {
    guard let version = try object.int("version") else { throw Missing() }
    guard version <= Snapshot.version else { throw NewerVersion(version: version) }
    guard let taken = try object.string("taken").flatMap({ Timestamp($0) }), let edition = try object.string("edition"),
      let products = try object.int("products"), let complete = try object.bool("complete")
    else { throw Missing() }
    self.init(
      taken: taken, url: try object.string("url"), edition: edition, products: products, complete: complete)
  }

  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("complete", .bool(complete)), ("edition", .string(edition)), ("products", .int(products)),
      ("taken", .string(taken.description)),
    ]
    if let url { members.append(("url", .string(url))) }
    return .object(members + [("version", .int(Snapshot.version))])
  }
}

extension Product {
  fileprivate init(snapshot object: JSONObject) throws {
    guard let id = try object.int("id") else { throw Missing() }
    func time(_ key: String) throws -> Timestamp? {
      guard let text = try object.string(key) else { return nil }
      guard let time = Timestamp(text) else { throw Missing() }
      return time
    }
    self.init(
      id: id, name: try object.string("name"), description: try object.string("description"),
      price: try object.amount("price"),
      discount: try object.amount("discount"),
      sale: try object.amount("sale"),
      currency: try object.string("currency").map { Currency($0) }, stock: try object.int("stock"),
      vendor: try object.string("vendor"), vendorID: try object.int("vendorID"), created: try time("created"),
      modified: try time("modified"), thumbnail: try object.string("thumbnail"),
      images: try object.array("images")?.map { try Picture(snapshot: $0) })
  }

  /// The product with its members in alphabetical order.
  ///
  /// Unknown values are omitted.
  fileprivate var snapshotJSON: JSON {
    var members: [(String, JSON)] = []
    func add(_ name: String, _ value: JSON?) { if let value { members.append((name, value)) } }
    func number(_ amount: Amount?) -> JSON? { amount.flatMap { JSONNumber($0.description) }.map { .number($0) } }
    add("created", created.map { .string($0.description) })
    add("currency", currency.map { .string($0.code) })
    add("description", description.map { .string($0) })
    add("discount", number(discount))
    add("id", .int(id))
    add("images", images.map { .array($0.map(\.snapshotJSON)) })
    add("modified", modified.map { .string($0.description) })
    add("name", name.map { .string($0) })
    add("price", number(price))
    add("sale", number(sale))
    add("stock", stock.map { .int($0) })
    add("thumbnail", thumbnail.map { .string($0) })
    add("vendor", vendor.map { .string($0) })
    add("vendorID", vendorID.map { .int($0) })
    return .object(members)
  }
}

extension Picture {
  fileprivate init(snapshot json: JSON) throws {
    guard let object = json.object, let url = try object.string("url") else { throw Missing() }
    self.init(id: try object.int("id"), url: url, thumbnail: try object.string("thumbnail"))
  }

  fileprivate var snapshotJSON: JSON {
    var members: [(String, JSON)] = []
    if let id { members.append(("id", .int(id))) }
    if let thumbnail { members.append(("thumbnail", .string(thumbnail))) }
    return .object(members + [("url", .string(url))])
  }
}
