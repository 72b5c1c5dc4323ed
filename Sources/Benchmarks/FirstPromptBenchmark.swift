import Foundation

/// The time from start to the first prompt and the memory used then, compared with `sqlite3 -interactive`.
struct FirstPromptBenchmark {
  let program: String
  let home: String
  let runs: Int

  func measure(into report: inout BenchmarkResult.Report) throws {
    let ours = [program, "--home", home, "--no-color"]
    let theirs = ["sqlite3", "-interactive", ":memory:"]
    _ = try time(ours, until: "> ")
    _ = try time(theirs, until: "sqlite> ")
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    var sizes: (ours: [Double], theirs: [Double]) = ([], [])
    for _ in 0..<runs {
      let a = try time(ours, until: "> ")
      let b = try time(theirs, until: "sqlite> ")
      times.ours.append(a.milliseconds)
      times.theirs.append(b.milliseconds)
      sizes.ours.append(a.megabytes)
      sizes.theirs.append(b.megabytes)
    }
    report.add(
      BenchmarkResult(
        name: "first prompt", unit: "ms", samples: times.ours, peer: "sqlite3 -interactive", peerSamples: times.theirs))
    report.add(
      BenchmarkResult(
        name: "resident at the prompt", unit: "MB", samples: sizes.ours, peer: "sqlite3 -interactive",
        peerSamples: sizes.theirs)
    )
  }

  private func time(_ arguments: [String], until prompt: String) throws -> (milliseconds: Double, megabytes: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let process = try TerminalProcess(arguments)
    defer { process.end() }
    guard process.wait(for: prompt) else { throw BenchmarkError.failed(arguments[0]) }
    let elapsed = clock.now - start
    // The embedded market is still starting after the prompt; memory is measured when it is ready.
    usleep(500_000)
    return (Milliseconds.of(elapsed), process.residentMegabytes)
  }
}
