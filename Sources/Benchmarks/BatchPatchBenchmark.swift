import Foundation

/// A batch of patches against a running `serve`, with each write durable in the journal before it is sent, compared
/// with `xargs -P8 curl` that sends the same.
struct BatchPatchBenchmark {
  let program: String
  let folder: String
  var count = 10_000
  /// The number of products that one line changes to measure memory; 0 skips that.
  let batchSize: Int

  func measure(into report: inout BenchmarkResult.Report) throws {
    let market = try SeededServeProcess(program, in: folder + "/patched", products: count)
    defer { market.stop() }
    let curl = try TimedRun.output(["curl", "--version"]).split(separator: " ").prefix(2).joined(separator: " ")
    let ours = try TimedRun(
      batch(market, market.ids, stock: 9, home: "/batch"), environment: DemoVendor.environment,
      output: folder + "/batch.out")
    let theirs = try TimedRun(["/bin/sh", "-c", script(market, stock: 7)])
    add(
      "\(count) patches", unit: "s", ours: ours.milliseconds, peer: "xargs -P8 \(curl)", theirs: theirs.milliseconds,
      report: &report)
    add(
      "  processor time", unit: "s", ours: ours.processorMilliseconds, peer: "xargs -P8 \(curl)",
      theirs: theirs.processorMilliseconds, report: &report)
    try countSyncs(market, into: &report)
    if batchSize > 0 { try measurePeakMemory(into: &report) }
  }

  /// Measures the memory of one line for very many products: planned and shown, then also executed and read back.
  private func measurePeakMemory(into report: inout BenchmarkResult.Report) throws {
    let market = try SeededServeProcess(program, in: folder + "/batched", products: batchSize)
    defer { market.stop() }
    let line = "patch where id>=\(market.ids.lowerBound) stock=9"
    for (what, line) in [("planned", "dry " + line), ("made", line + " jobs 8 as csv")] {
      let run = try TimedRun(
        ours(line, market, home: "/weighed"), environment: DemoVendor.environment, output: folder + "/weighed.out")
      report.add(
        BenchmarkResult(
          name: "\(batchSize) products: patch where, \(what)", unit: "s", samples: [run.milliseconds / 1000],
          peer: "-",
          peerSamples: []))
      report.add(BenchmarkResult(name: "  peak", unit: "MB", samples: [run.peakMegabytes], peer: "-", peerSamples: []))
    }
  }

  /// Counts the `fsync` calls of a thousand writes; curl makes none.
  private func countSyncs(_ market: SeededServeProcess, into report: inout BenchmarkResult.Report) throws {
    let some = market.ids.lowerBound...min(market.ids.upperBound, market.ids.lowerBound + 999)
    let list = folder + "/syncs"
    _ = try TimedRun(
      ["strace", "-f", "-qqq", "-o", list, "--seccomp-bpf", "-e", "trace=fsync,fdatasync"]
        + batch(market, some, stock: 5, home: "/counted"), environment: DemoVendor.environment,
      output: folder + "/counted.out")
    let calls = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("sync(") }.count
    report.add(
      BenchmarkResult(
        name: "  fsyncs for \(some.count) of them", unit: "", samples: [Double(calls)], peer: "-", peerSamples: []))
  }

  private func batch(_ market: SeededServeProcess, _ ids: ClosedRange<Int>, stock: Int, home: String) -> [String] {
    ours("patch \(ids.lowerBound)-\(ids.upperBound) stock=\(stock) jobs 8 as csv", market, home: home)
  }

  private func ours(_ line: String, _ market: SeededServeProcess, home: String) -> [String] {
    [program, "--home", folder + home, "--url", market.url, "--api", "open", "--yes", "-c", line]
  }

  private func script(_ market: SeededServeProcess, stock: Int) -> String {
    """
    seq \(market.ids.lowerBound) \(market.ids.upperBound) | xargs -P8 -I{} curl -sf -o /dev/null -X PATCH \
    '\(market.url)/api/products/{}' -H 'identifier: \(DemoVendor.identifier)' -H 'Content-Type: application/json' \
    -d '{"stock":\(stock),"secret":"\(DemoVendor.secret)"}'
    """
  }

  private func add(
    _ what: String, unit: String, ours: Double, peer: String, theirs: Double,
    report: inout BenchmarkResult.Report
  ) {
    report.add(
      BenchmarkResult(name: what, unit: unit, samples: [ours / 1000], peer: peer, peerSamples: [theirs / 1000]))
  }
}
