import Text

/// One page of choices: one a line with its description, or side by side where none has one.
struct MenuPage {
  private let menu: Menu
  private let columns: Int
  private let rows: Int
  private let hasColors: Bool
  private let mark: Int
  private let widest: Int
  /// How many choices stand side by side.
  let perLine: Int
  private let hasDescriptions: Bool

  /// - Parameters:
  ///   - columns: of the screen; the last one stays free.
  ///   - rows: of the screen that may be used, at least one.
  init(_ menu: Menu, columns: Int, rows: Int, hasColors: Bool) {
    (self.menu, self.rows, self.hasColors) = (menu, rows, hasColors)
    // Without colours a mark in front tells which one is chosen.
    mark = hasColors ? 0 : 2
    self.columns = max(1, columns - 1)
    widest = menu.choices.lazy.map { CellWidth().of($0.text) }.max() ?? 0
    hasDescriptions = menu.choices.contains { !$0.description.isEmpty }
    perLine = hasDescriptions ? 1 : max(1, (self.columns + 2) / (widest + mark + 2))
  }

  /// How many choices one page shows.
  var size: Int { max(1, shownRows * perLine) }

  private var neededRows: Int { (menu.choices.count + perLine - 1) / perLine }
  private var isWhole: Bool { neededRows <= rows && !menu.isCut }
  private var shownRows: Int { isWhole ? neededRows : max(1, rows - 1) }

  var lines: [String] {
    let first = (menu.chosen ?? 0) / size * size
    let page = first..<min(menu.choices.count, first + size)
    var lines = stride(from: page.lowerBound, to: page.upperBound, by: perLine).map { start in
      hasDescriptions ? described(start) : side(start..<min(page.upperBound, start + perLine))
    }
    if !isWhole, rows > 1 { lines.append(footer(page)) }
    return lines
  }

  /// `13-24 / 100`, with a plus where even more were found.
  private func footer(_ page: Range<Int>) -> String {
    let total = "\(menu.choices.count)" + (menu.isCut ? "+" : "")
    let text = CellWidth().fit("\(page.lowerBound + 1)-\(page.upperBound) / \(total)", to: columns)
    return String(repeating: " ", count: mark) + dim(text)
  }

  private func described(_ index: Int) -> String {
    let choice = menu.choices[index]
    let width = min(widest, max(8, columns / 2))
    let text = CellWidth().fit(choice.text, to: width)
    let room = columns - mark - width - 2
    if choice.description.isEmpty || room < 4 { return marked(index, CellWidth().fit(choice.text, to: columns - mark)) }
    let gap = String(repeating: " ", count: width - CellWidth().of(text) + 2)
    return marked(index, text) + gap + dim(CellWidth().fit(choice.description, to: room))
  }

  private func side(_ indices: Range<Int>) -> String {
    indices.map { index in
      let text = CellWidth().fit(menu.choices[index].text, to: columns - mark)
      let gap = index + 1 == indices.upperBound ? 0 : max(0, widest - CellWidth().of(text) + 2)
      return marked(index, text) + String(repeating: " ", count: gap)
    }.joined()
  }

  private func marked(_ index: Int, _ text: String) -> String {
    let isChosen = index == menu.chosen
    if hasColors { return isChosen ? "\u{1B}[7m\(text)\u{1B}[0m" : text }
    return (isChosen ? "> " : "  ") + text
  }

  private func dim(_ text: String) -> String { hasColors ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
