import Catalog
import Text

/// Bars in cells, one a line: a label, the bar and its number; eighths of a cell where the terminal draws them.
package struct BarChart: Hashable, Sendable {
  /// One bar with its name.
  package struct Bar: Hashable, Sendable {
    package var label: String
    /// Never below 0.
    package var length: Double
    /// The number behind the bar.
    package var number: String

    package init(_ label: String, _ length: Double, _ number: String) {
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

  /// Longer bars compare no better.
  private static let longest = 60
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Harmless lines of at most the options' width; labels give way to the bars.
  package func lines(_ options: RenderOptions) -> [[Drawing.Stroke]] {
    let cells = options.cells
    let width = max(20, (options.isTerminal ? options.width : nil) ?? 80)
    let labels = bars.map { Sanitizer.clean($0.label, limit: 200) }
    let numberWidth = bars.map { cells.of($0.number) }.max() ?? 0
    let wanted = labels.map { cells.of($0) }.max() ?? 0
    let labelWidth = min(wanted, max(8, (width - numberWidth) / 2 - 2))
    let room = min(BarChart.longest, max(4, width - labelWidth - numberWidth - 4))
    let most = bars.map(\.length).max() ?? 0
    let wall = options.drawsPlain ? "|" : "│"
    let head = Drawing.paragraph(title[options.tongue], width: width, options)
    return head
      + zip(labels, bars).map { label, bar in
        let drawn = self.bar(most > 0 ? bar.length / most * Double(room) : 0, options)
        return [
          Drawing.Stroke(cells.padded(label, to: labelWidth, ellipsis: options.ellipsis) + " "),
          Drawing.Stroke(wall, .dim), Drawing.Stroke(drawn, .water),
          Drawing.Stroke((drawn.isEmpty ? "" : " ") + bar.number),
        ]
      }
  }

  /// What is not nothing is seen: an eighth of a cell, or a whole one where there are no eighths.
  private func bar(_ length: Double, _ options: RenderOptions) -> String {
    guard length > 0 else { return "" }
    if options.drawsPlain { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int((length * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + BarChart.eighths[eighths % 8]
  }
}
