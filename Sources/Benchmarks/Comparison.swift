/// One figure of ours beside a peer's.
struct Comparison {
  var what: String
  var unit: String
  var ours: [Double]
  var peer: String
  var peers: [Double]

  /// Collects comparisons and lays them out.
  struct Report {
    private var rows: [[String]] = [["what", "ours", "peer", "theirs", "ratio"]]

    mutating func add(_ comparison: Comparison) {
      let ours = Comparison.median(comparison.ours)
      let theirs = Comparison.median(comparison.peers)
      rows.append([
        comparison.what, Comparison.text(ours) + " " + comparison.unit, comparison.peer,
        theirs > 0 ? Comparison.text(theirs) + " " + comparison.unit : "-",
        theirs > 0 ? Comparison.text(ours / theirs) + "x" : "-",
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
