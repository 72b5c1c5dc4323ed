import EmbeddedMarket
import Foundation
import GRDB

/// The file of a new sample market, which is filled once in a run of tests and copied for each sandbox.
///
/// Filling it takes longer than most lines of a test. Each copy is a market of its own, with a generation of its own.
enum NewMarket {
  /// The time of the market in every sandbox.
  static let date = Date(timeIntervalSince1970: 1_669_852_800)

  private static let file = Task<Data, any Error> {
    let folder = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let market = EmbeddedMarket(MarketOptions(dataDirectory: folder, clock: { date }))
    _ = try await market.start()
    await market.stop()
    return try Data(contentsOf: URL(filePath: path(in: folder)))
  }

  /// Writes the file that a market with these options would create, unless it would be another one.
  static func copy(for options: MarketOptions, in folder: String) async throws {
    guard case .sample = options.products, options.dataDirectory == folder, options.api.edition != nil,
      options.seed == MarketOptions(dataDirectory: folder).seed, options.clockStart == nil, options.clock() == date
    else { return }
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard
      FileManager.default.createFile(
        atPath: path(in: folder), contents: try await file.value, attributes: attributes)
    else { throw CocoaError(.fileWriteUnknown) }
    try await DatabaseQueue(path: path(in: folder)).write { database in
      try database.execute(
        sql: "UPDATE generation SET database = lower(hex(randomblob(8))), mark = lower(hex(randomblob(4)))")
    }
  }

  private static func path(in folder: String) -> String { folder + "/market.sqlite" }
}
