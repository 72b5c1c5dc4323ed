import Foundation

/// A whole `-c 'ls'` against a running `serve`, beside one `curl` of the same page.
struct OnePage {
  let program: String
  let home: String
  let runs: Int

  func measure(into report: inout Comparison.Report) throws {
    let server = Process()
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: program)
    server.arguments = ["serve", "--port", "0", "--data", home + "/served"]
    server.standardOutput = output
    try server.run()
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = line.split(whereSeparator: \.isWhitespace).last(where: { $0.hasPrefix("http") }) else {
      throw BenchmarkError.didNotAnswer("serve")
    }
    let ours = [program, "--home", home, "--url", String(url), "--api", "open", "-c", "ls"]
    let theirs = ["curl", "-s", "\(url)/api/products?page_no=1&items_per_page=20"]
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    _ = try time(ours)
    _ = try time(theirs)
    for _ in 0..<runs {
      times.ours.append(try time(ours))
      times.theirs.append(try time(theirs))
    }
    report.add(
      Comparison(what: "-c 'ls' against serve", unit: "ms", ours: times.ours, peer: "curl", peers: times.theirs))
  }

  private func time(_ arguments: [String]) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    let clock = ContinuousClock()
    let start = clock.now
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkError.didNotAnswer(arguments[0]) }
    return Milliseconds.of(clock.now - start)
  }
}
