import Foundation

/// One run of a program and the resources it used.
struct TimedRun {
  var milliseconds: Double
  /// The processor time of the program and its children, which varies less than the elapsed time on a busy machine.
  var processorMilliseconds: Double
  var peakMegabytes: Double

  /// Runs a program with posix_spawn and wait4: Foundation's Process notices the end only every 50 ms and reports
  /// neither processor time nor memory.
  ///
  /// Standard output goes to the file `output`, and standard error to a file next to it; without it both are discarded.
  init(_ arguments: [String], environment: [String: String] = [:], output: String? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let errors = output.map { $0 + ".err" } ?? "/dev/null"
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let variables: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for word in words + variables { free(word) } }
    let clock = ContinuousClock()
    let start = clock.now
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], &actions, nil, words, variables) == 0 else {
      throw BenchmarkError.cannotStart(arguments[0])
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchmarkError.failed(arguments.joined(separator: " ")) }
    milliseconds = Milliseconds.of(clock.now - start)
    processorMilliseconds = TimedRun.milliseconds(usage.ru_utime) + TimedRun.milliseconds(usage.ru_stime)
    peakMegabytes = Double(usage.ru_maxrss) / 1024
  }

  /// Returns the output of a program without the final newline.
  static func output(_ arguments: [String]) throws -> String {
    let file = NSTemporaryDirectory() + "openmarket-output-\(getpid())"
    defer {
      unlink(file)
      unlink(file + ".err")
    }
    _ = try TimedRun(arguments, output: file)
    return try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }
}
