import Foundation

/// `serve` with as many products of the demo vendor as a benchmark wants, put straight into its file by `sqlite3`.
struct FilledMarket {
  let url: String
  /// The ids of the vendor's products, one after the other.
  let ids: ClosedRange<Int>
  private let server: Process

  /// Starts the market once to make its file, fills it, and starts it again.
  init(_ program: String, in folder: String, products: Int) throws {
    let first = try FilledMarket.serve(program, folder)
    FilledMarket.stop(first.server)
    let file = folder + "/market.sqlite"
    let last = try Int(TimedRun.output(["sqlite3", file, "SELECT max(id) FROM products"])) ?? 0
    _ = try TimedRun.output([
      "sqlite3", file,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(products))
      INSERT INTO products(vendor, name, fold, description, price, discount, currency, stock, created, issued)
      SELECT 15, 'Good ' || i, 'good ' || i, 'something to be counted', '1000', '0', 'KRW', 3, 1, 1 FROM n
      """,
    ])
    (server, url) = try FilledMarket.serve(program, folder)
    ids = last + 1...last + products
  }

  func stop() { FilledMarket.stop(server) }

  private static func stop(_ server: Process) {
    server.terminate()
    server.waitUntilExit()
  }

  private static func serve(_ program: String, _ folder: String) throws -> (server: Process, url: String) {
    let server = Process()
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: program)
    server.arguments = ["serve", "--port", "0", "--data", folder]
    server.standardOutput = output
    try server.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = line.split(whereSeparator: \.isWhitespace).last(where: { $0.hasPrefix("http") }) else {
      stop(server)
      throw BenchmarkError.didNotAnswer("serve")
    }
    return (server, String(url))
  }
}
