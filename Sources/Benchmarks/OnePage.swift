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

  /// By posix_spawn and waitpid: Foundation's Process notices an end only every 50 ms.
  private func time(_ arguments: [String]) throws -> Double {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    let clock = ContinuousClock()
    let start = clock.now
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], &actions, nil, words, environ) == 0 else {
      throw BenchmarkError.cannotStart(arguments[0])
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchmarkError.didNotAnswer(arguments[0]) }
    return Milliseconds.of(clock.now - start)
  }
}
