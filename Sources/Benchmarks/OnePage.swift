/// A whole `-c 'ls'` against a running `serve`, beside one `curl` of the same page.
struct OnePage {
  let program: String
  let home: String
  let runs: Int

  func measure(into report: inout Comparison.Report) throws {
    let market = try ServedMarket(program, in: home + "/served")
    defer { market.stop() }
    let ours = [program, "--home", home, "--url", market.url, "--api", "open", "-c", "ls"]
    let theirs = ["curl", "-s", "\(market.url)/api/products?page_no=1&items_per_page=20"]
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    _ = try TimedRun(ours)
    _ = try TimedRun(theirs)
    for _ in 0..<runs {
      times.ours.append(try TimedRun(ours).milliseconds)
      times.theirs.append(try TimedRun(theirs).milliseconds)
    }
    report.add(
      Comparison(what: "-c 'ls' against serve", unit: "ms", ours: times.ours, peer: "curl", peers: times.theirs))
  }
}
