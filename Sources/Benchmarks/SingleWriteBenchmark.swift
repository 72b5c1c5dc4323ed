import Foundation

/// The cost of a single write: a session of patches that are each read twice, journaled, sent, read back and reported,
/// compared with one curl that reads twice and sends over one connection without verifying or storing anything.
struct SingleWriteBenchmark {
  let program: String
  let folder: String
  let runs: Int

  func measure(into report: inout BenchmarkResult.Report) throws {
    let count = 200
    let market = try SeededServeProcess(program, in: folder + "/single", products: count)
    defer { market.stop() }
    let script = folder + "/single.market"
    let config = folder + "/single.curl"
    var ours: [Double] = []
    var theirs: [Double] = []
    for run in 0..<max(3, runs / 3) {
      try lines(market, stock: run * 2 + 11).write(toFile: script, atomically: true, encoding: .utf8)
      try requests(market, stock: run * 2 + 12).write(toFile: config, atomically: true, encoding: .utf8)
      let a = try TimedRun(
        [program, "--home", folder + "/writer", "--url", market.url, "--api", "open", "--yes", "-f", script],
        environment: DemoVendor.environment, output: folder + "/single.out")
      let b = try TimedRun(["curl", "-sf", "-K", config])
      ours.append(a.milliseconds / Double(count))
      theirs.append(b.milliseconds / Double(count))
    }
    report.add(
      BenchmarkResult(
        name: "one write of 200, journal and read-back", unit: "ms", samples: ours, peer: "one curl, neither",
        peerSamples: theirs))
    let added = zip(ours, theirs).map { $0 - $1 }
    report.add(BenchmarkResult(name: "  what that adds", unit: "ms", samples: added, peer: "-", peerSamples: []))
  }

  private func lines(_ market: SeededServeProcess, stock: Int) -> String {
    market.ids.map { "patch \($0) stock=\(stock) as json\n" }.joined()
  }

  private func requests(_ market: SeededServeProcess, stock: Int) -> String {
    market.ids.map { id in
      let url = "url = \"\(market.url)/api/products/\(id)\"\noutput = \"/dev/null\"\n"
      return url + "next\n" + url + "next\n" + url + """
        request = "PATCH"
        header = "identifier: \(DemoVendor.identifier)"
        header = "Content-Type: application/json"
        data = "{\\"stock\\":\(stock),\\"secret\\":\\"\(DemoVendor.secret)\\"}"

        """
    }.joined(separator: "next\n")
  }
}
