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
