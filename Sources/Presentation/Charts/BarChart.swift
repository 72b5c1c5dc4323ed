import Text

/// A horizontal bar chart with a label, a bar and a number per line, drawn with eighths of a cell if the terminal
/// supports them.
package struct BarChart: Hashable, Sendable {
  /// A bar and its label.
  package struct Bar: Hashable, Sendable {
    package var label: String
    /// The length, at least 0.
    package var length: Double
    /// The number shown after the bar.
    package var number: String

    package init(_ label: String, length: Double, number: String) {
      self.label = label
      self.length = length
      self.number = number
    }
  }

  private let title: LocalizedText
  private let bars: [Bar]

  package init(_ title: LocalizedText, _ bars: [Bar]) {
    self.title = title
    self.bars = bars
  }

  /// The maximum length of a bar in cells; longer bars are not easier to compare.
  private static let maximumBarWidth = 60
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Returns sanitized lines within the options' width; labels are shortened in favour of the bars.
  package func lines(_ options: RenderOptions) -> [[Figure.Run]] {
    let cells = options.cells
    let width = max(20, (options.isTerminal ? options.width : nil) ?? 80)
    let labels = bars.map { Sanitizer.sanitized($0.label, limit: 200) }
    let numberWidth = bars.map { cells.of($0.number) }.max() ?? 0
    let wanted = labels.map { cells.of($0) }.max() ?? 0
    let labelWidth = min(wanted, max(8, (width - numberWidth) / 2 - 2))
    let room = min(BarChart.maximumBarWidth, max(4, width - labelWidth - numberWidth - 4))
    let most = bars.map(\.length).max() ?? 0
    let wall = options.usesASCIILines ? "|" : "│"
    let head = Figure.paragraph(title[options.language], width: width, options)
    return head
      + zip(labels, bars).map { label, bar in
        let drawn = self.bar(most > 0 ? bar.length / most * Double(room) : 0, options)
        return [
          Figure.Run(cells.aligned(label, to: labelWidth, ellipsis: options.ellipsis) + " "),
          Figure.Run(wall, .dim), Figure.Run(drawn, .accent),
          Figure.Run((drawn.isEmpty ? "" : " ") + bar.number),
        ]
      }
  }

  /// Returns a bar.
  ///
  /// A length above zero is always visible: at least an eighth of a cell, or a cell without eighths.
  private func bar(_ length: Double, _ options: RenderOptions) -> String {
    guard length > 0 else { return "" }
    if options.usesASCIILines { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int((length * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + BarChart.eighths[eighths % 8]
  }
}

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
