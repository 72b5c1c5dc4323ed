import Foundation

/// A `serve` process on a free port.
struct ServeProcess {
  let url: String
  private let process = Process()

  /// Starts `serve` with its data in `folder`.
  init(_ program: String, in folder: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--data", folder]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let address = line.split(whereSeparator: \.isWhitespace).first(where: { $0.hasPrefix("http") }) else {
      process.terminate()
      process.waitUntilExit()
      throw BenchmarkError.failed("serve")
    }
    url = String(address)
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// A `serve` process with many products of the demo vendor, inserted directly into its file by `sqlite3`.
struct SeededServeProcess {
  /// The ids of the vendor's products, which are consecutive.
  let ids: ClosedRange<Int>
  private let market: ServeProcess

  var url: String { market.url }

  /// Starts the market to create its file, inserts the products, and starts it again.
  init(_ program: String, in folder: String, products: Int) throws {
    try ServeProcess(program, in: folder).stop()
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
    market = try ServeProcess(program, in: folder)
    ids = last + 1...last + products
  }

  func stop() { market.stop() }
}

/// The demo vendor of `serve`, whose products the benchmarks change.
enum DemoVendor {
  static let identifier = "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31"
  static let secret = "open-the-market"

  /// The environment for running our program without a profile.
  static let environment = [
    "OPENMARKET_IDENTIFIER": identifier, "OPENMARKET_SECRET": secret, "OPENMARKET_VENDOR_ID": "15",
  ]
}
