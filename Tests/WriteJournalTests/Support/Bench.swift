import Catalog
import Foundation

@testable import WriteJournal

/// A journal in a temporary directory, with a clock and a binding.
///
/// The directory is deleted with the object.
final class Bench: Sendable {
  let directory: String
  let clock = VirtualClock()
  static let binding = MarketLogin(profile: "demo", baseURL: "http://127.0.0.1:1", vendor: "demo")
  static let product = Product(
    id: 1, name: "cup", description: "a cup for tea", price: Amount(10), discount: .zero, sale: Amount(10),
    currency: .krw, stock: 3, vendorID: 7, thumbnailURL: "http://m/1.jpg?thumb",
    images: [Picture(id: 11, url: "http://m/1.jpg", thumbnailURL: "http://m/1.jpg?thumb")])
  static let draft = ProductDraft(
    name: "mug", description: "a mug for coffee", price: Amount(5), currency: .krw, stock: 1,
    pictures: [PictureFile(name: "a.jpg", type: "image/jpeg", bytes: Data("picture".utf8))])

  /// Creates the directory.
  ///
  /// If `isShortLived` is true it is in memory where possible, for tests that open hundreds of journals.
  init(isShortLived: Bool = false) {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isThere = isShortLived && access(memory.path, W_OK) == 0
    let folder = isThere ? memory : FileManager.default.temporaryDirectory
    directory = folder.appendingPathComponent("journal-test-" + ULID.make()).path
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func journal() throws -> Journal { try Journal(at: directory, clock: clock) }

  func market(_ products: [Product] = [Bench.product], _ faults: [ScriptedMarket.Fault] = []) -> ScriptedMarket {
    ScriptedMarket(products, faults: faults, clock: clock)
  }

  func runner(_ journal: Journal?, _ market: any MarketAccess) -> PlanRunner {
    PlanRunner(journal: journal, market: market, binding: Bench.binding, window: .loopback)
  }

  static func price(_ from: Int, _ to: Int, of product: Product = Bench.product) -> Change {
    .edit(product, from: ProductValues(price: Amount(from)), to: ProductValues(price: Amount(to)))
  }

  func copy(of other: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
      let from = other + "/" + name
      guard FileManager.default.fileExists(atPath: from) else { continue }
      try FileManager.default.copyItem(atPath: from, toPath: directory + "/" + name)
    }
    try FileManager.default.copyItem(atPath: other + "/blobs", toPath: directory + "/blobs")
  }
}

extension PlanRunner {
  /// Executes a plan, whose rows have these origins if they are given, and returns the outcomes of its rows.
  func outcomes(
    of plan: Plan, origins: [WriteOrigin] = [], note: String? = nil, pace: BatchOptions = BatchOptions()
  ) async -> [Outcome] {
    var plan = plan
    for (index, origin) in origins.enumerated() { plan.rows[index].origin = origin }
    return await run(plan, note: note, pace: pace).rows.map(\.result)
  }

  func outcomes(of undo: UndoPlan) async -> [Outcome] { await outcomes(of: undo.plan) }
}

extension UndoPlan {
  /// The entries that the changes undo.
  var entries: [Int] { plan.rows.compactMap(\.origin.undoes?.entry) }
}
