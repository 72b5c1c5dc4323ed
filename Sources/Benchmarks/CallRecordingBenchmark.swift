import Foundation

/// The cost of recording every exchange: a script of reads with `calls` on and off, and the number of `fsync` calls of
/// each.
struct CallRecordingBenchmark {
  let program: String
  let folder: String
  let runs: Int

  private static let reads = 1_000

  func measure(into report: inout BenchmarkResult.Report) throws {
    let market = try ServeProcess(program, in: folder + "/read")
    defer { market.stop() }
    for state in ["on", "off"] {
      let lines =
        ["set calls \(state) here"] + Array(repeating: "ls size 20 as jsonl", count: CallRecordingBenchmark.reads)
      try lines.map { $0 + "\n" }.joined().write(toFile: script(state), atomically: true, encoding: .utf8)
    }
    var times: (on: [Double], off: [Double]) = ([], [])
    for _ in 0..<max(5, runs / 3) {
      times.on.append(try TimedRun(ours("on", market)).milliseconds / Double(CallRecordingBenchmark.reads))
      times.off.append(try TimedRun(ours("off", market)).milliseconds / Double(CallRecordingBenchmark.reads))
    }
    report.add(
      BenchmarkResult(
        name: "a page read, calls on", unit: "ms", samples: times.on, peer: "the same, calls off",
        peerSamples: times.off))
    let costs = zip(times.on.sorted(), times.off.sorted()).map { $0 - $1 }
    report.add(BenchmarkResult(name: "  what keeping it costs", unit: "ms", samples: costs, peer: "-", peerSamples: []))
    report.add(
      BenchmarkResult(
        name: "  fsyncs for \(CallRecordingBenchmark.reads) reads", unit: "", samples: [try syncs("on", market)],
        peer: "the same, calls off", peerSamples: [try syncs("off", market)]))
  }

  private func syncs(_ state: String, _ market: ServeProcess) throws -> Double {
    let list = folder + "/syncs-" + state
    _ = try TimedRun(
      ["strace", "-f", "-qqq", "-o", list, "--seccomp-bpf", "-e", "trace=fsync,fdatasync"] + ours(state, market))
    return Double(
      try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").filter { $0.contains("sync(") }.count)
  }

  private func script(_ state: String) -> String { folder + "/reads-\(state).market" }

  private func ours(_ state: String, _ market: ServeProcess) -> [String] {
    [program, "--home", folder + "/calls", "--url", market.url, "--api", "open", "-f", script(state)]
  }
}
