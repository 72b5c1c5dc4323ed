import Foundation

/// How much is tried: little in every run, all of it with `OPENMARKET_LONG_TESTS=1`; `OPENMARKET_SEED` repeats a run.
///
/// Nothing in the tests is drawn without a seed: every run says which it has.
package enum Trial {
  package static let isLong = ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == "1"

  /// The same in every short run; a long run draws one of its own.
  package static let seed: UInt64 = {
    let wanted = ProcessInfo.processInfo.environment["OPENMARKET_SEED"].flatMap { UInt64($0) }
    let seed = wanted ?? (isLong ? UInt64.random(in: 1...999_999) : 2022)
    write("OPENMARKET_SEED=\(seed)")
    return seed
  }()

  /// - Parameter variable: names a number of its own for a long run, in the environment.
  package static func count(_ short: Int, long: Int, variable: String? = nil) -> Int {
    guard isLong else { return short }
    return variable.flatMap { ProcessInfo.processInfo.environment[$0] }.flatMap(Int.init) ?? long
  }

  /// A long run says what it has tried.
  package static func say(_ text: String) {
    if isLong { write(text) }
  }

  private static func write(_ text: String) {
    let line = text + "\n"
    _ = Foundation.write(STDERR_FILENO, line, line.utf8.count)
  }

  /// The most memory that this process ever had, in KiB: what Linux calls VmHWM.
  package static var peakMemory: Int? {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}
