/// A row of numbers as bars.
package enum Sparkline {
  /// Returns the numbers as bars, the minimum lowest: `▁▁▃█▅`, or `__-^=` in ASCII.
  ///
  /// The text is empty if no number is known.
  package static func text(_ values: [Double?], ascii: Bool) -> String {
    let levels = levels(values)
    guard levels.contains(where: { $0 != nil }) else { return "" }
    let marks = Array(ascii ? "_.-=+*#@" : "▁▂▃▄▅▆▇█")
    return String(levels.map { $0.map { marks[$0] } ?? " " })
  }

  /// Returns levels from 0 to `steps - 1`.
  ///
  /// Equal values get the middle level, and missing ones remain missing.
  package static func levels(_ values: [Double?], steps: Int = 8) -> [Int?] {
    let known = values.compactMap(\.self).filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return values.map { _ in nil } }
    return values.map { value in
      guard let value, value.isFinite else { return nil }
      guard high > low else { return (steps - 1) / 2 }
      return level((value - low) / (high - low), steps)
    }
  }

  /// Returns levels above zero; `nil` for zero, so that a dry slot stays empty.
  package static func amounts(_ values: [Double], steps: Int = 8) -> [Int?] {
    let high = values.filter(\.isFinite).max() ?? 0
    return values.map { $0 > 0 && $0.isFinite && high > 0 ? level($0 / high, steps) : nil }
  }

  private static func level(_ share: Double, _ steps: Int) -> Int {
    min(steps - 1, max(0, Int(exactly: (share * Double(steps - 1)).rounded()) ?? 0))
  }
}
