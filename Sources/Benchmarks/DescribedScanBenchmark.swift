import Foundation

/// Ten thousand products read as a file describes them, compared with the codec of the edition on the same pages.
///
/// The descriptions of fields by pointers need a tree of each row, which the reader of an edition avoids.
struct DescribedScanBenchmark {
  let program: String
  let home: String
  let runs: Int

  private static let count = 10_000

  /// The edition `open` as a file describes it, with as many requests at once as a scan of an edition has.
  private static let description = """
    format = 1
    name = "described"
    base = "/api"
    id = "/id"
    concurrency = 8

    [list]
    path = "/products"
    records = "/pages"
    order = "newest-first"

    [list.page]
    type = "page"
    page = "page_no"
    limit = "items_per_page"
    size = 100
    total = "/totalCount"

    [read]
    path = "/products/{id}"

    [fields]
    name = "/name"
    description = "/description"
    price = "/price"
    discount = "/discounted_price"
    currency = "/currency"
    stock = "/stock"
    vendor = "/vendorName"
    vendor_id = "/vendor_id"
    created = "/created_at"
    modified = "/issued_at"
    thumbnail = "/thumbnail"

    """

  func measure(into report: inout BenchmarkResult.Report) throws {
    let server = try StubMarketServer(DescribedScanBenchmark.count)
    server.start()
    let file = home + "/described.toml"
    try DescribedScanBenchmark.description.write(toFile: file, atomically: true, encoding: .utf8)
    for line in ["ls all where stock<5 as jsonl", "ls all as csv", "export to \(home)/described.csv replace"] {
      var times: (described: [TimedRun], edition: [TimedRun]) = ([], [])
      for _ in 0..<runs {
        times.described.append(try TimedRun(command(line, api: file, url: server.url)))
        times.edition.append(try TimedRun(command(line, api: "open", url: server.url)))
      }
      func add(_ name: String, _ value: KeyPath<TimedRun, Double>, unit: String = "ms") {
        report.add(
          BenchmarkResult(
            name: name, unit: unit, samples: times.described.map { $0[keyPath: value] }, peer: "the edition",
            peerSamples: times.edition.map { $0[keyPath: value] }))
      }
      add("10,000 described products: " + line.replacingOccurrences(of: home + "/", with: ""), \.milliseconds)
      add("  processor time", \.processorMilliseconds)
      add("  peak", \.peakMegabytes, unit: "MB")
    }
  }

  private func command(_ line: String, api: String, url: String) -> [String] {
    [program, "--home", home + "/described", "--url", url, "--api", api, "-c", line]
  }
}
