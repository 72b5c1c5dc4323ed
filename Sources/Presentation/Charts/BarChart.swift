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
