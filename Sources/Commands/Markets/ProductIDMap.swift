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
///
/// After a reset, the ids of a market name other products: earlier copies are stored separately and don't count as copies.
package struct ProductIDMap: Sendable {
  /// One of the two markets: its name in the journal, and its identity.
  package struct Side: Sendable {
    package var name: String
    package var market: MarketIdentity

    package init(_ name: String, _ market: MarketIdentity) { (self.name, self.market) = (name, market) }
  }

  /// A copy from or to a market that isn't there any more.
  package struct FormerCopy: Sendable {
    package var isOfSource: Bool
    /// The market of the copy.
    package var record: MarketIdentity
    /// The market in its place.
    package var here: MarketIdentity
  }

  private static let head = JSON.object([("openmarket", .string("copies")), ("version", .int(1))]).serialized + "\n"
  private static let maximumBytes = 256 << 20

  private let files: [ConfinedPath]
  private let source: Side
  private let target: Side
  private var targets: [Product.ID: Product.ID] = [:]
  /// Both products as they were when the copy was made or updated last, by the id of the source.
  private var references: [Product.ID: (source: ProductReference?, copy: ProductReference?)] = [:]

  /// The copies from or to markets that aren't there any more, by the id of the source.
  private var former: [Product.ID: FormerCopy] = [:]

  /// Reads the map of two markets.
  ///
  /// - Parameters:
  ///   - source: The market that is copied.
  ///   - target: The other market.
  ///   - others: The other markets that were at their addresses.
  ///   - home: The home folder.
  ///   - folder: A folder of products with a map of its own, whose pairs have priority.
  /// - Throws: `FileError`; `.malformed` if it isn't such a file.
  package init(
    from source: Side, to target: Side, others: (sources: [Side], targets: [Side]) = ([], []),
    in home: AppDirectories, and folder: ProductFolder? = nil
  ) throws(FileError) {
    (self.source, self.target) = (source, target)
    let folders = [ConfinedPath(folder: home.copiesFolder)] + [folder?.copies].compactMap(\.self)
    func files(_ source: Side, _ target: Side) throws(FileError) -> [ConfinedPath] {
      let name = SHA256.hex(Data("\(source.name)\n\(target.name)".utf8)).prefix(32)
      var files: [ConfinedPath] = []
      for folder in folders { files.append(try ConfinedPath(stated: "\(name).jsonl", below: folder)) }
      return files
    }
    self.files = try files(source, target)
    for one in [source] + others.sources {
      for other in [target] + others.targets where one.name != source.name || other.name != target.name {
        for file in try files(one, other) { try read(file, from: one.market, to: other.market) }
      }
    }
    for file in self.files { try read(file, from: source.market, to: target.market) }
  }

  /// Reads a file of copies between two markets; a line may name another generation of them.
  private mutating func read(
    _ file: ConfinedPath, from oldSource: MarketIdentity, to oldTarget: MarketIdentity
  ) throws(FileError) {
    guard let bytes = try file.read(limit: ProductIDMap.maximumBytes) else { return }
    guard bytes.starts(with: ProductIDMap.head.utf8) else {
      throw .malformed(path: file.path, reason: FileError.otherProgram)
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
      guard let object = (try? JSON(parsing: line))?.object, let from = (try? object.int("from")) ?? nil else {
        continue
      }
      var markets = (source: oldSource, target: oldTarget)
      if let text = (try? object.string("from_generation")) ?? nil {
        markets.source.generation = MarketGeneration(text)
      }
      if let text = (try? object.string("to_generation")) ?? nil { markets.target.generation = MarketGeneration(text) }
      if !target.market.isSame(as: markets.target) {
        former[from] = FormerCopy(isOfSource: false, record: markets.target, here: target.market)
        continue
      }
      if !source.market.isSame(as: markets.source) {
        former[from] = FormerCopy(isOfSource: true, record: markets.source, here: source.market)
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

  /// Returns the copy of a product from or to a market that isn't there any more, or `nil` if
  /// there is none, or if a newer copy exists.
  package func formerCopy(of id: Product.ID) -> FormerCopy? { targets[id] == nil ? former[id] : nil }

  /// Returns how a product and its copy differ from the products that were recorded under the same ids.
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
      ("from_generation", self.source.market.generation.map { .string($0.description) }),
      ("to_generation", target.market.generation.map { .string($0.description) }),
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
