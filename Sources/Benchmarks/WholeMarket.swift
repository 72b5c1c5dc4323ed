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
    var times: (ours: [Double], pipe: [Double], fetch: [Double]) = ([], [], [])
    for _ in 0..<runs {
      times.ours.append(try Spawned.run(ours).milliseconds)
      times.pipe.append(try Spawned.run(pipe).milliseconds)
      times.fetch.append(try Spawned.run(fetch).milliseconds)
    }
    let what = "ls all where stock<5, 100,000 products"
    let (curl, jq) = (Spawned.version("curl --version").prefix { $0 != "(" }, Spawned.version("jq --version"))
    report.add(Comparison(what: what, unit: "ms", ours: times.ours, peer: "\(curl)| \(jq)", peers: times.pipe))
    report.add(
      Comparison(what: what, unit: "ms", ours: times.ours, peer: "\(curl)-Z --parallel-max 8", peers: times.fetch))
  }

  private func export(_ url: String, _ report: inout Comparison.Report) throws {
    let run = try Spawned.run(ours(url, "export to \(home)/all.csv"))
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
