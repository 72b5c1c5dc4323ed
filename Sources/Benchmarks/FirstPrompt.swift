import Foundation

/// From start to the first prompt, and what it then weighs, beside `sqlite3 -interactive`.
struct FirstPrompt {
  let program: String
  let home: String
  let runs: Int

  func measure(into report: inout Comparison.Report) throws {
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
      Comparison(
        what: "first prompt", unit: "ms", ours: times.ours, peer: "sqlite3 -interactive", peers: times.theirs))
    report.add(
      Comparison(
        what: "resident at the prompt", unit: "MB", ours: sizes.ours, peer: "sqlite3 -interactive", peers: sizes.theirs)
    )
  }

  private func time(_ arguments: [String], until prompt: String) throws -> (milliseconds: Double, megabytes: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let process = try TerminalProcess(arguments)
    defer { process.end() }
    guard process.wait(for: prompt) else { throw BenchmarkError.didNotAnswer(arguments[0]) }
    let elapsed = clock.now - start
    // The embedded market is still starting behind the prompt; it is weighed when it stands.
    usleep(500_000)
    return (Milliseconds.of(elapsed), process.residentMegabytes)
  }
}
