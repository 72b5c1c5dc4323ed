import Foundation

/// The extent of randomized tests: small by default, complete with `OPENMARKET_LONG_TESTS=1`; `OPENMARKET_SEED` repeats
/// a run.
///
/// All random numbers of the tests depend on the seed, which every run prints.
package enum Trial {
  package static let isLong = ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == "1"

  /// The seed, the same in every short run and random in a long one.
  package static let seed: UInt64 = {
    let wanted = ProcessInfo.processInfo.environment["OPENMARKET_SEED"].flatMap { UInt64($0) }
    let seed = wanted ?? (isLong ? UInt64.random(in: 1...999_999) : 2022)
    write("OPENMARKET_SEED=\(seed)")
    return seed
  }()

  /// Returns the number of trials.
  ///
  /// In a long run the environment variable `variable` may set it.
  package static func count(_ short: Int, long: Int, variable: String? = nil) -> Int {
    guard isLong else { return short }
    return variable.flatMap { ProcessInfo.processInfo.environment[$0] }.flatMap(Int.init) ?? long
  }

  /// Returns whether tests that need this program of the system run.
  ///
  /// Without it they are skipped, but not in CI, where its absence is a failure.
  package static func runs(with program: String) -> Bool {
    ProcessInfo.processInfo.environment["CI"] != nil
      || ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
  }

  /// Prints the extent of a long run.
  package static func printInLongRun(_ text: String) {
    if isLong { write(text) }
  }

  private static func write(_ text: String) {
    let line = text + "\n"
    _ = Foundation.write(STDERR_FILENO, line, line.utf8.count)
  }

  /// The peak resident memory of this process in KiB (VmHWM of Linux).
  package static var peakMemory: Int? {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}
