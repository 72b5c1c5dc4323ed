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
