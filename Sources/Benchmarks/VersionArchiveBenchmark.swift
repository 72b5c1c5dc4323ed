import Catalog
import Foundation
import History

/// The version archive: the disk space of a year of daily versions and the time to list changes, and a grouping of
/// 100,000 products by vendor compared with DuckDB on the same rows.
struct VersionArchiveBenchmark {
  let program: String
  let folder: String
  let runs: Int

  private static let address = "http://127.0.0.1:9"
  private static let identity = SnapshotMarket(
    name: address, edition: "open", market: MarketIdentity(address: address))
  private static let day: Int64 = 86_400
  private static let days = 365
  private static let query = "select vendor, count(*), avg(price) from products group by 1 order by 1"
  private static let words = ["우유병", "텀블러", "Ukulele", "가죽", "Sand", "장우산", "크림", "노트북", "요리책", "손목시계"]

  func measure(into report: inout BenchmarkResult.Report) throws {
    try year(&report)
    try grouping(&report)
  }

  /// Measures ten thousand products, of which 200 change their price every day.
  private func year(_ report: inout BenchmarkResult.Report) throws {
    let file = try file(in: folder + "/year")
    let store = try MarketSnapshotStore(at: file)
    let first = Int64(Date().timeIntervalSince1970) - Int64(VersionArchiveBenchmark.days) * VersionArchiveBenchmark.day
    var market = (1...10_000).map { VersionArchiveBenchmark.product($0, price: 1000) }
    for day in 0..<VersionArchiveBenchmark.days {
      if day > 0 {
        for change in 0..<200 {
          let index = (day * 7919 + change * 4999) % market.count
          market[index].price = Amount(100 + (day * 37 + change * 101) % 99_000)
        }
      }
      let taken = first + Int64(day + 1) * VersionArchiveBenchmark.day - 7_200
      _ = try store.add(market, of: VersionArchiveBenchmark.identity, taken: taken, isComplete: true)
    }
    let bytes = ["", "-wal"].map { size(of: file + $0) }.reduce(0, +)
    let what = "\(VersionArchiveBenchmark.days) days of 10,000 products, 2 % changing"
    report.add(BenchmarkResult(name: what, unit: "MB", samples: [bytes / 1_000_000], peer: "-", peerSamples: []))
    for since in ["1d", "30d", "364d"] {
      var times: [Double] = []
      for _ in 0..<runs { times.append(try TimedRun(ours("changes since \(since) as csv", "/year")).milliseconds) }
      report.add(
        BenchmarkResult(
          name: "  changes since \(since), whole program", unit: "ms", samples: times, peer: "-", peerSamples: []))
    }
  }

  /// Measures a grouping.
  ///
  /// Both open a file, group the products and fetch the rows within a running process.
  private func grouping(_ report: inout BenchmarkResult.Report) throws {
    let file = try file(in: folder + "/grouped")
    let products = (1...100_000).map { VersionArchiveBenchmark.product($0, price: 100 + $0 * 7 % 90_000) }
    let store = try MarketSnapshotStore(at: file)
    _ = try store.add(products, of: VersionArchiveBenchmark.identity, taken: 1, isComplete: true)
    let query = HistoryQuery(
      versions: file, calls: nil, market: try store.number(of: VersionArchiveBenchmark.identity), log: [])
    var ours: [Double] = []
    for _ in 0..<runs {
      let start = ContinuousClock.now
      guard try query.run(VersionArchiveBenchmark.query, seconds: 60).rows.count == 50 else {
        throw BenchmarkError.failed("sql")
      }
      ours.append(Milliseconds.of(.now - start))
    }
    let peer = try duck(products)
    report.add(
      BenchmarkResult(
        name: "group by over 100,000 products", unit: "ms", samples: ours, peer: peer?.name ?? "duckdb is not here",
        peerSamples: peer?.times ?? []))
  }

  /// Runs the query with DuckDB's module for `python3`; returns `nil` if it is not installed.
  private func duck(_ products: [Product]) throws -> (name: String, times: [Double])? {
    guard let version = try? TimedRun.output(["python3", "-c", "import duckdb; print(duckdb.__version__)"]) else {
      return nil
    }
    let rows = products.map {
      "\($0.id),\($0.name ?? ""),\($0.price?.description ?? ""),\($0.stock ?? 0),\($0.vendor ?? "")\n"
    }
    let table = folder + "/products.csv"
    try ("id,name,price,stock,vendor\n" + rows.joined()).write(toFile: table, atomically: true, encoding: .utf8)
    let script = """
      import duckdb, time
      c = duckdb.connect("\(folder)/products.duckdb")
      c.execute("create table products as select * from read_csv('\(table)')")
      c.close()
      for _ in range(\(runs)):
          start = time.perf_counter()
          c = duckdb.connect("\(folder)/products.duckdb", read_only=True)
          rows = c.execute("\(VersionArchiveBenchmark.query)").fetchall()
          print((time.perf_counter() - start) * 1000)
          assert len(rows) == 50
          c.close()
      """
    let printed = try TimedRun.output(["python3", "-c", script])
    return ("duckdb \(version)", printed.split(separator: "\n").compactMap { Double($0) })
  }

  private static func product(_ id: Int, price: Int) -> Product {
    Product(
      id: id, name: "\(words[id % 10]) \(words[id / 10 % 10]) \(id)",
      description: (0..<25).map { words[(id * 7 + $0 * id) % 10] }.joined(separator: " "), price: Amount(price),
      discount: Amount(100), sale: Amount(price - 100), currency: .krw, stock: id % 40, vendor: "shop \(id % 50)",
      vendorID: id % 50, created: Timestamp("2022-11-01T00:00:00"), modified: Timestamp("2022-11-02T10:00:00"),
      thumbnailURL: "http://127.0.0.1:9/\(id).jpg")
  }

  private func file(in home: String) throws -> String {
    try FileManager.default.createDirectory(atPath: home + "/data", withIntermediateDirectories: true)
    return home + "/data/versions.sqlite"
  }

  private func size(of path: String) -> Double {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return Double(size ?? 0)
  }

  private func ours(_ line: String, _ home: String) -> [String] {
    [program, "--home", folder + home, "--url", VersionArchiveBenchmark.address, "--api", "open", "-c", line]
  }
}
