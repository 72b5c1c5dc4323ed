import Foundation

/// A hundred thousand products searched for those that run out, beside `curl` into `jq` and `curl` merely fetching; and a
/// million exported, weighed.
struct WholeMarket {
  let program: String
  let home: String
  let runs: Int
  let exported: Int

  private static let pages = 1000

  func measure(into report: inout Comparison.Report) throws {
    let folder = home + "/whole"
    try RecordedPages(folder: folder + "/pages", count: WholeMarket.pages).write()
    let server = try PageServer(folder: folder, port: 18_431)
    defer { server.stop() }
    try search(server.url, &report)
    guard exported > 0 else { return }
    try FileManager.default.removeItem(atPath: folder + "/pages")
    try RecordedPages(folder: folder + "/pages", count: exported / RecordedPages.rows).write()
    try export(server.url, &report)
  }

  private func search(_ url: String, _ report: inout Comparison.Report) throws {
    let all = "\(url)/api/products?page_no=[1-\(WholeMarket.pages)]&items_per_page=100"
    let ours = ours(url, "ls all where stock<5 as jsonl")
    let pipe = ["/bin/sh", "-c", "curl -s '\(all)' | jq -c '.pages[] | select(.stock < 5)'"]
    let fetch = ["curl", "-s", "-Z", "--parallel-max", "8", "-o", "/dev/null", all]
    var times: (ours: [TimedRun], pipe: [TimedRun], fetch: [TimedRun]) = ([], [], [])
    for _ in 0..<runs {
      times.ours.append(try TimedRun(ours))
      times.pipe.append(try TimedRun(pipe))
      times.fetch.append(try TimedRun(fetch))
    }
    let curl = try TimedRun.output(["curl", "--version"]).prefix { $0 != "(" }
    let jq = try TimedRun.output(["jq", "--version"])
    for (peer, theirs) in [("\(curl)| \(jq)", times.pipe), ("\(curl)-Z --parallel-max 8", times.fetch)] {
      let what = "ls all where stock<5, 100,000 products"
      report.add(
        Comparison(
          what: what, unit: "ms", ours: times.ours.map(\.milliseconds), peer: peer, peers: theirs.map(\.milliseconds)))
      report.add(
        Comparison(
          what: what + ", CPU", unit: "ms", ours: times.ours.map(\.processorMilliseconds), peer: peer,
          peers: theirs.map(\.processorMilliseconds)))
    }
  }

  private func export(_ url: String, _ report: inout Comparison.Report) throws {
    let run = try TimedRun(ours(url, "export to \(home)/all.csv"))
    report.add(
      Comparison(
        what: "export of \(exported) products, peak", unit: "MB", ours: [run.peakMegabytes], peer: "-", peers: []))
    report.add(
      Comparison(what: "export of \(exported) products", unit: "ms", ours: [run.milliseconds], peer: "-", peers: []))
  }

  private func ours(_ url: String, _ line: String) -> [String] {
    [program, "--home", home + "/ours", "--url", url, "--api", "open", "-c", line]
  }
}

/// Pages of a hundred products each, as edition `open` spells them, in files named by their number.
struct RecordedPages {
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
    let total = count * RecordedPages.rows
    let rows = (0..<RecordedPages.rows).map { row(total - (number - 1) * RecordedPages.rows - $0) }
    return """
      {"pageNo":\(number),"itemsPerPage":\(RecordedPages.rows),"totalCount":\(total),\
      "offset":\((number - 1) * RecordedPages.rows),"limit":\(number * RecordedPages.rows),"lastPage":\(count),\
      "hasNext":\(number < count),"hasPrev":\(number > 1),"pages":[\(rows.joined(separator: ","))]}
      """
  }

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

/// nginx in front of recorded pages: the fastest market there is.
final class PageServer {
  let url: String
  private let process = Process()

  /// - Parameter folder: holds `pages`, and takes what nginx writes.
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
    throw BenchmarkError.didNotAnswer("nginx")
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
