import Foundation

/// Draws the same numbers for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// How much is tried: little in every run, all of it with `OPENMARKET_LONG_TESTS=1`; `OPENMARKET_SEED` repeats a run.
enum Trial {
  static let isLong = ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == "1"

  /// A long run draws a seed of its own, and says which.
  static let seed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["OPENMARKET_SEED"], let seed = UInt64(text) { return seed }
    guard isLong else { return 2022 }
    let seed = UInt64.random(in: 1...999_999)
    let line = "OPENMARKET_SEED=\(seed)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    return seed
  }()

  static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
