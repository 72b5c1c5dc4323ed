/// Numbers as a row of bars, the minimum lowest: `▁▁▃█▅`, or `__-^=` in ASCII.
struct Sparkline {
  let text: String

  /// Creates the bars.
  ///
  /// The text is empty if no number is known.
  init(_ values: [Double?], ascii: Bool) {
    let known = values.compactMap(\.self)
    guard let least = known.min(), let most = known.max() else {
      text = ""
      return
    }
    let marks = Array(ascii ? "_.-=+*#@" : "▁▂▃▄▅▆▇█")
    text = String(
      values.map { value -> Character in
        guard let value else { return " " }
        guard most > least else { return marks[3] }
        let share = (value - least) / (most - least) * Double(marks.count - 1)
        return marks[Int(share.rounded())]
      })
  }
}
