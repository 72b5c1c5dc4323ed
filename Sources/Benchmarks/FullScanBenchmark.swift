import Foundation

/// A hundred thousand products searched, sorted, written and stored, compared with `curl` into `jq`, with `curl` only
/// fetching, and with DuckDB on the same pages as files; and the memory of exporting a million.
struct FullScanBenchmark {
  let program: String
  let home: String
  let runs: Int
  let exported: Int

  private static let pages = 1000
  private static let fields =
    ".id,.name,.description,.price,.discounted_price,.bargain_price,.currency,.stock,.vendorName,.vendor_id,.created_at"
    + ",.issued_at,.thumbnail"

  /// A command line of ours and its equivalents: a filter of `jq` after `curl`, a query of DuckDB.
  private struct Case {
    var line: String
    var jq: String
    var usesJqSlurp = false
    var duck: String?
    /// Indicates whether a peer that only fetches the pages is measured too.
    var comparesWithPlainFetch = false
  }

  func measure(into report: inout BenchmarkResult.Report) throws {
    let folder = home + "/whole"
    try GeneratedPages(folder: folder + "/pages", count: FullScanBenchmark.pages).write()
    let server = try PageServer(folder: folder, port: 18_431)
    defer { server.stop() }
    let csv = ".pages[] | [\(FullScanBenchmark.fields)] | @csv"
    let works = [
      Case(
        line: "ls all where stock<5 as jsonl", jq: "-c '.pages[] | select(.stock < 5)'",
        duck: "select * from rows where stock < 5", comparesWithPlainFetch: true),
      Case(line: "ls where name~텀블러 as jsonl", jq: "-c '.pages[] | select(.name | test(\"텀블러\"; \"i\"))'"),
      Case(
        line: "ls sort price desc limit 10 as jsonl", jq: "-c '[.[].pages[]] | sort_by(-.price) | .[:10]'",
        usesJqSlurp: true,
        duck: "select * from rows order by price desc limit 10"),
      Case(line: "ls all as csv", jq: "-r '\(csv)'", duck: "copy (select * from rows) to 'FOLDER/duck.csv' (header)"),
      Case(line: "ls all as jsonl", jq: "-r '\(csv)'", duck: "copy (select * from rows) to 'FOLDER/duck.jsonl'"),
      Case(
        line: "export to \(home)/all.csv replace", jq: "-r '\(csv)'",
        duck: "copy (select * from rows) to 'FOLDER/export.csv' (header)"),
      Case(line: "snapshot one replace", jq: "-r '\(csv)'"),
    ]
    for work in works { try measure(work, url: server.url, folder: folder, report: &report) }
    guard exported > 0 else { return }
    try FileManager.default.removeItem(atPath: folder + "/pages")
    try GeneratedPages(folder: folder + "/pages", count: exported / GeneratedPages.rows).write()
    try weigh(server.url, &report)
  }

  private func measure(_ work: Case, url: String, folder: String, report: inout BenchmarkResult.Report) throws {
    let all = "\(url)/api/products?page_no=[1-\(FullScanBenchmark.pages)]&items_per_page=100"
    let pipe = ["/bin/sh", "-c", "curl -s '\(all)' | jq \(work.usesJqSlurp ? "-s " : "")\(work.jq)"]
    let fetch = ["curl", "-s", "-Z", "--parallel-max", "8", "-o", "/dev/null", all]
    var times: (ours: [TimedRun], pipe: [TimedRun], fetch: [TimedRun]) = ([], [], [])
    for _ in 0..<runs {
      times.ours.append(try TimedRun(ours(url, work.line)))
      times.pipe.append(try TimedRun(pipe))
      if work.comparesWithPlainFetch { times.fetch.append(try TimedRun(fetch)) }
    }
    let what = "100,000 products: " + work.line.replacingOccurrences(of: home + "/", with: "")
    func add(_ what: String, peer: String, theirs: [Double], of ours: KeyPath<TimedRun, Double> = \.milliseconds) {
      report.add(
        BenchmarkResult(
          name: what, unit: "ms", samples: times.ours.map { $0[keyPath: ours] }, peer: peer, peerSamples: theirs))
    }
    add(what, peer: "curl | jq", theirs: times.pipe.map(\.milliseconds))
    add(
      "  processor time", peer: "curl | jq", theirs: times.pipe.map(\.processorMilliseconds),
      of: \.processorMilliseconds)
    if work.comparesWithPlainFetch {
      add("  beside fetching", peer: "curl -Z --parallel-max 8", theirs: times.fetch.map(\.milliseconds))
    }
    if let query = work.duck, let duck = try duck(query, folder) {
      add("  beside a database", peer: duck.name, theirs: duck.times)
    }
    let peak = times.ours.map(\.peakMegabytes)
    report.add(BenchmarkResult(name: "  peak", unit: "MB", samples: peak, peer: "-", peerSamples: []))
  }

  /// Runs the query with DuckDB, which reads the pages as files with two threads within a running process.
  private func duck(_ query: String, _ folder: String) throws -> (name: String, times: [Double])? {
    guard let version = try? TimedRun.output(["python3", "-c", "import duckdb; print(duckdb.__version__)"]) else {
      return nil
    }
    let rows = "(select unnest(pages, recursive := true) from read_json('\(folder)/pages/*.json'))"
    let text = query.replacingOccurrences(of: "from rows", with: "from \(rows)")
      .replacingOccurrences(of: "FOLDER", with: folder)
    let script = """
      import duckdb, time
      for _ in range(\(runs)):
          c = duckdb.connect()
          c.execute("set threads = 2")
          start = time.perf_counter()
          c.execute(\"\"\"\(text)\"\"\").fetchall()
          print((time.perf_counter() - start) * 1000)
      """
    let printed = try TimedRun.output(["python3", "-c", script])
    return ("duckdb \(version) over files", printed.split(separator: "\n").compactMap { Double($0) })
  }

  private func weigh(_ url: String, _ report: inout BenchmarkResult.Report) throws {
    for line in ["export to \(home)/all.csv replace", "ls all as csv", "ls sort price desc limit 10"] {
      let run = try TimedRun(ours(url, line))
      let what = "\(exported) products: " + line.replacingOccurrences(of: home + "/", with: "")
      report.add(BenchmarkResult(name: what, unit: "ms", samples: [run.milliseconds], peer: "-", peerSamples: []))
      report.add(BenchmarkResult(name: "  peak", unit: "MB", samples: [run.peakMegabytes], peer: "-", peerSamples: []))
    }
  }

  private func ours(_ url: String, _ line: String) -> [String] {
    [program, "--home", home + "/ours", "--url", url, "--api", "open", "-c", line]
  }
}
