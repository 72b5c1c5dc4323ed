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
    /// Compares also with fetching only.
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
    for work in works { try measure(work, server.url, folder, &report) }
    guard exported > 0 else { return }
    try FileManager.default.removeItem(atPath: folder + "/pages")
    try GeneratedPages(folder: folder + "/pages", count: exported / GeneratedPages.rows).write()
    try weigh(server.url, &report)
  }

  private func measure(_ work: Case, _ url: String, _ folder: String, _ report: inout BenchmarkResult.Report) throws {
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
    func add(_ what: String, _ peer: String, _ theirs: [Double], of ours: KeyPath<TimedRun, Double> = \.milliseconds) {
      report.add(
        BenchmarkResult(name: what, unit: "ms", samples: times.ours.map { $0[keyPath: ours] }, peer: peer, peerSamples: theirs))
    }
    add(what, "curl | jq", times.pipe.map(\.milliseconds))
    add("  processor time", "curl | jq", times.pipe.map(\.processorMilliseconds), of: \.processorMilliseconds)
    if work.comparesWithPlainFetch { add("  beside fetching", "curl -Z --parallel-max 8", times.fetch.map(\.milliseconds)) }
    if let query = work.duck, let duck = try duck(query, folder) { add("  beside a database", duck.name, duck.times) }
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

/// Pages of a hundred products in the format of edition `open`, in numbered files.
struct GeneratedPages {
  let folder: String
  let count: Int
  static let rows = 100

  func write() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 1...count {
      let path = folder + "/\(number).json"
      guard FileManager.default.createFile(atPath: path, contents: Data(page(number).utf8)) else {
        throw BenchmarkError.cannotStart(path)
      }
    }
  }

  private func page(_ number: Int) -> String {
    let total = count * GeneratedPages.rows
    let rows = (0..<GeneratedPages.rows).map { row(total - (number - 1) * GeneratedPages.rows - $0) }
    return """
      {"pageNo":\(number),"itemsPerPage":\(GeneratedPages.rows),"totalCount":\(total),\
      "offset":\((number - 1) * GeneratedPages.rows),"limit":\(number * GeneratedPages.rows),"lastPage":\(count),\
      "hasNext":\(number < count),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
      """
  }

  /// Returns a row.
  ///
  /// Every fortieth has a stock below 5.
  private func row(_ id: Int) -> String {
    let names = ["우유병 텀블러", "Ukulele, Sand", "먹색 게이밍 노트북", "Cotton T-shirt, Sage", "하늘 장우산"]
    let prices = ["3500.0", "47.9", "1665000.0", "17.9", "6.0E7"]
    let (name, price) = (names[id % names.count], prices[id % prices.count])
    return """
      {"id":\(id),"vendor_id":\(id % 40),"vendorName":"vendor\(id % 40)","name":"\(name) \(id)",\
      "description":"사계절 반찬 백 가지. 사진이 좋습니다. Sent in a box within two days.",\
      "thumbnail":"https://s3.ap-northeast-2.amazonaws.com/media.yagom-academy.kr/training-resources/\(id % 40)/20221126/\
      951468784f1a11eda200131c6925\(id)_thumb.jpg","currency":"KRW","price":\(price),"bargain_price":\(price),\
      "discounted_price":0.0,"stock":\(id % 40 == 0 ? id % 5 : 5 + id % 1000),"created_at":"2022-11-26T00:00:00",\
      "issued_at":"2022-11-26T00:00:00"}
      """
  }
}

/// nginx serving recorded pages: the fastest possible market.
final class PageServer {
  let url: String
  private let process = Process()

  /// Starts nginx.
  ///
  /// `folder` contains `pages` and receives nginx's own files.
  init(folder: String, port: Int) throws {
    url = "http://127.0.0.1:\(port)"
    let configuration = """
      daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log \(folder)/error.log crit;
      events { worker_connections 256; }
      http {
        access_log off; sendfile on; keepalive_requests 1000000;
        client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2; fastcgi_temp_path \(folder)/t3;
        uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
        server {
          listen 127.0.0.1:\(port);
          location = /api/products {
            default_type application/json;
            root \(folder);
            try_files /pages/$arg_page_no.json =404;
          }
        }
      }
      """
    try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = ["-p", folder, "-c", folder + "/nginx.conf"]
    try process.run()
    for _ in 0..<100 {
      if (try? TimedRun(["curl", "-sf", "-o", "/dev/null", url + "/api/products?page_no=1"])) != nil { return }
      usleep(50_000)
    }
    stop()
    throw BenchmarkError.failed("nginx")
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
