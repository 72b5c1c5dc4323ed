/// A measurement of ours and of a peer.
struct BenchmarkResult {
  var name: String
  var unit: String
  var samples: [Double]
  var peer: String
  var peerSamples: [Double]

  /// Collects comparisons and formats them.
  struct Report {
    private var rows: [[String]] = [["what", "ours", "peer", "theirs", "ratio"]]

    mutating func add(_ comparison: BenchmarkResult) {
      let ours = BenchmarkResult.median(comparison.samples)
      let theirs = BenchmarkResult.median(comparison.peerSamples)
      rows.append([
        comparison.name, BenchmarkResult.text(ours) + " " + comparison.unit, comparison.peer,
        theirs > 0 ? BenchmarkResult.text(theirs) + " " + comparison.unit : "-",
        theirs > 0 ? BenchmarkResult.text(ours / theirs) + "x" : "-",
      ])
    }

    var text: String {
      let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
      return rows.map { row in
        zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ") + "\n"
      }.joined()
    }
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func text(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return "\(hundredths)"
  }
}

enum BenchmarkError: Error {
  case noTerminal
  case cannotStart(String)
  case failed(String)
}

/// Durations as numbers to print.
enum Milliseconds {
  static func of(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
  }
}
