/// Durations as numbers to print.
enum Milliseconds {
  static func of(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
  }
}
