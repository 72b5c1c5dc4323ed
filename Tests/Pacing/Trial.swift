import Foundation

/// How much is tried: little in every run, all of it with `OPENMARKET_LONG_TESTS=1`; `OPENMARKET_SEED` repeats a run.
package enum Trial {
  package static let isLong = ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == "1"

  /// A long run draws a seed of its own, and says which.
  package static let seed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["OPENMARKET_SEED"], let seed = UInt64(text) { return seed }
    guard isLong else { return 2022 }
    let seed = UInt64.random(in: 1...999_999)
    say("OPENMARKET_SEED=\(seed)")
    return seed
  }()

  /// - Parameter variable: names a number of its own for a long run, in the environment.
  package static func count(_ short: Int, long: Int, variable: String? = nil) -> Int {
    guard isLong else { return short }
    return variable.flatMap { ProcessInfo.processInfo.environment[$0] }.flatMap(Int.init) ?? long
  }

  /// A long run says what it has tried.
  package static func say(_ text: String) {
    guard isLong else { return }
    let line = text + "\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }

  /// The most memory that this process ever had, in KiB: what Linux calls VmHWM.
  package static var peakMemory: Int? {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}
