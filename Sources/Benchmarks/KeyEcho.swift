import Foundation

/// The time from a key press to its echo, with 20,000 seen products, 10,000 lines of history, colors and suggestions,
/// compared with bash's readline with the same history; and the processor time of an idle prompt.
struct KeyEcho {
  let program: String
  let home: String
  let keys: Int
  /// The maximum number of products in a list that is remembered.
  private static let products = 20_000
  private static let lines = 10_000

  func measure(into report: inout BenchmarkResult.Report) throws {
    try writeHistory()
    let market = try StubMarketServer(Self.products)
    market.start()
    let ours = try TerminalProcess([program, "--home", home + "/keys", "--url", market.url, "--api", "open"])
    defer { ours.end() }
    guard ours.wait(for: "> ") else { throw BenchmarkError.failed(program) }
    // All products are listed once; the prompt to wait for is the second one.
    ours.type("ls all to \(home)/seen.csv\r")
    guard ours.wait(for: "seen.csv", within: 120), ours.wait(for: "> ", within: 120) else {
      throw BenchmarkError.failed("ls all")
    }
    let theirs = try TerminalProcess(
      ["bash", "--norc", "-i"], environment: ["HISTFILE": home + "/bash_history", "PS1": "> "])
    defer { theirs.end() }
    guard theirs.wait(for: "> ") else { throw BenchmarkError.failed("bash") }
    usleep(500_000)

    let typed = try (echoes(ours), echoes(theirs))
    for (name, percent) in [("key to echo, median", 50), ("key to echo, 95th percentile", 95)] {
      report.add(
        BenchmarkResult(
          name: name, unit: "ms", samples: [percentile(typed.0, percent)], peer: "bash readline",
          peerSamples: [percentile(typed.1, percent)]))
    }
    let tabs = try tabs(ours)
    report.add(
      BenchmarkResult(
        name: "Tab among 20,000 products, 95th percentile", unit: "ms", samples: [percentile(tabs, 95)],
        peer: "bash key", peerSamples: [percentile(typed.1, 95)]))
    let start = (ours.cpuMilliseconds, theirs.cpuMilliseconds)
    sleep(3)
    report.add(
      BenchmarkResult(
        name: "CPU of 3 s at the prompt", unit: "ms", samples: [ours.cpuMilliseconds - start.0], peer: "bash",
        peerSamples: [theirs.cpuMilliseconds - start.1]))
  }

  /// Types realistic lines and measures each character; the line is deleted at its end.
  private func echoes(_ process: TerminalProcess) throws -> [Double] {
    let line = "ls where price>10000 and name~lamp sort price"
    var times: [Double] = []
    while times.count < keys {
      for character in line { times.append(try time(String(character), process)) }
      _ = try time("\u{15}", process)
    }
    return times
  }

  private func tabs(_ process: TerminalProcess) throws -> [Double] {
    var times: [Double] = []
    for word in ["1", "9", "99", "텀블러", "lamp", "99999", "등잔 🔥", "nothing of the kind", "shirt 41"] {
      for _ in 0..<5 {
        process.type("show '\(word)")
        process.drain()
        times.append(try time("\t", process))
        process.type("\u{15}")
        process.drain()
      }
    }
    return times
  }

  private func time(_ key: String, _ process: TerminalProcess) throws -> Double {
    process.drain()
    let clock = ContinuousClock()
    let start = clock.now
    process.type(key)
    guard process.waitForAnything() else { throw BenchmarkError.failed("a key") }
    return Milliseconds.of(clock.now - start)
  }

  private func percentile(_ values: [Double], _ percent: Int) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }

  private func writeHistory() throws {
    let lines = (0..<Self.lines).map { "ls where price>\($0 * 10) and name~thing\($0 % 97) page \($0 % 50)\n" }.joined()
    try FileManager.default.createDirectory(atPath: home + "/keys/state", withIntermediateDirectories: true)
    for path in [home + "/keys/state/history", home + "/bash_history"] {
      try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
    }
  }
}
