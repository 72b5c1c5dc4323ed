import Foundation

/// A program run to its end with its output thrown away: how long it took and how much memory it held at most.
struct Spawned {
  var milliseconds: Double
  var peakMegabytes: Double

  /// By posix_spawn and wait4: Foundation's Process notices an end only every 50 ms and tells no memory.
  static func run(_ arguments: [String]) throws -> Spawned {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    let clock = ContinuousClock()
    let start = clock.now
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], &actions, nil, words, environ) == 0 else {
      throw BenchmarkError.cannotStart(arguments[0])
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchmarkError.didNotAnswer(arguments.joined(separator: " ")) }
    return Spawned(
      milliseconds: Milliseconds.of(clock.now - start), peakMegabytes: Double(usage.ru_maxrss) / 1024)
  }

  /// The first line a program says about itself.
  static func version(_ command: String) -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command + " 2>&1"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return command + ": not there" }
    process.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }
}
