import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Text

/// The products of one market that were copied from another one: the ids on both.
///
/// It is a file of JSON lines in the home folder, to which a copy appends each new product at once, so that a second copy
/// changes it instead of creating another one. A second file in a folder of products continues the copies on another
/// machine.
package struct ProductIDMap: Sendable {
  private static let head = JSON.object([("openmarket", .string("copies")), ("version", .int(1))]).serialized + "\n"
  private static let maximumBytes = 256 << 20

  private let files: [ConfinedPath]
  private var targets: [Product.ID: Product.ID] = [:]
  /// Both products as they were when the copy was made or updated last, by the id of the source.
  private var references: [Product.ID: (source: ProductReference?, copy: ProductReference?)] = [:]

  /// Reads the map of two markets.
  ///
  /// - Parameters:
  ///   - source: The address of the market that is copied, as in the journal.
  ///   - target: The address of the other market.
  ///   - home: The home folder.
  ///   - folder: A folder of products with a map of its own, whose pairs have priority.
  /// - Throws: `FileError`; `.malformed` if it isn't such a file.
  package init(
    from source: String, to target: String, in home: AppDirectories, and folder: ProductFolder? = nil
  ) throws(FileError) {
    let name = SHA256.hex(Data("\(source)\n\(target)".utf8)).prefix(32)
    var files: [ConfinedPath] = []
    for folder in [ConfinedPath(folder: home.copiesFolder)] + [folder?.copies].compactMap(\.self) {
      files.append(try ConfinedPath(stated: "\(name).jsonl", below: folder))
    }
    self.files = files
    for file in files { try read(file) }
  }

  private mutating func read(_ file: ConfinedPath) throws(FileError) {
    guard let bytes = try file.read(limit: ProductIDMap.maximumBytes) else { return }
    guard bytes.starts(with: ProductIDMap.head.utf8) else {
      throw .malformed(path: file.path, reason: FileError.otherProgram)
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
      guard let object = (try? JSON(parsing: line))?.object, let from = (try? object.int("from")) ?? nil else {
        continue
      }
      targets[from] = (try? object.int("to")) ?? nil
      references[from] = (
        ProductReference(from, object["source"]), targets[from].flatMap { ProductReference($0, object["copy"]) }
      )
    }
  }

  /// The ids on the other market, by the ids of the market that is copied.
  package var all: [Product.ID: Product.ID] { targets }

  package subscript(id: Product.ID) -> Product.ID? { targets[id] }

  /// Returns the mismatches of a product and its copy with what they were.
  package func mismatches(_ source: Product, _ copy: Product?) -> [ProductMismatch] {
    let known = references[source.id]
    return [known?.source?.mismatch(with: source), copy.flatMap { known?.copy?.mismatch(with: $0) }].compactMap(\.self)
  }

  /// Returns the map without the copies of these products, which are made again.
  package func forgetting(_ sources: Set<Product.ID>) -> ProductIDMap {
    var map = self
    for id in sources { (map.targets[id], map.references[id]) = (nil, nil) }
    return map
  }

  /// Adds a copy that is recorded already.
  package mutating func add(_ source: Product.ID, _ copy: Product.ID) { targets[source] = copy }

  /// Records a copied product.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ source: Product, _ copy: Product) throws(FileError) {
    let known: [(String, JSON?)] = [
      ("source", ProductReference(recording: source).json()), ("copy", ProductReference(recording: copy).json()),
    ]
    let line = JSON.object(
      [("from", .int(source.id)), ("to", .int(copy.id))] + known.compactMap { key, value in value.map { (key, $0) } }
    ).serialized
    for file in files {
      try Files.withExclusiveLock(at: file.path) { () throws(FileError) in
        if file.kind == .missing { try file.write(Data(ProductIDMap.head.utf8), mode: 0o600) }
        try file.append("\n" + line + "\n")
      }
    }
  }
}
