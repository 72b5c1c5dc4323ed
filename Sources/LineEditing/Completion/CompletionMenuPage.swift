/// One page of choices with their descriptions, in columns if the screen is wide enough.
struct CompletionMenuPage {
  private let menu: CompletionMenu
  private let columns: Int
  private let rows: Int
  private let hasColors: Bool
  private let mark: Int
  private let widest: Int
  /// The number of choices in a row.
  let perLine: Int
  private let hasDescriptions: Bool
  /// The width of a choice with its description, in cells; 0 if each has a row of its own.
  private let column: Int
  private static let gap = 3

  /// Lays out a page for a screen of `columns` columns, of which the last stays free, and at most `rows` rows, at least
  /// one.
  init(_ menu: CompletionMenu, columns: Int, rows: Int, hasColors: Bool) {
    (self.menu, self.rows, self.hasColors) = (menu, rows, hasColors)
    // Without colors a marker before the choice shows which one is chosen.
    mark = hasColors ? 0 : 2
    self.columns = max(1, columns - 1)
    widest = menu.choices.lazy.map { DrawnWidth.of($0.text) }.max() ?? 0
    hasDescriptions = menu.choices.contains { !$0.description.isEmpty }
    guard hasDescriptions else {
      (column, perLine) = (0, max(1, (self.columns + 2) / (widest + mark + 2)))
      return
    }
    let described = menu.choices.lazy.map { $0.description.isEmpty ? 0 : DrawnWidth.of($0.description) + 2 }.max() ?? 0
    let whole = mark + widest + described
    let fitting = (self.columns + Self.gap) / (whole + Self.gap)
    (column, perLine) = fitting > 1 ? (whole, min(fitting, menu.choices.count)) : (0, 1)
  }

  /// The number of choices on a page.
  var size: Int { max(1, shownRows * perLine) }

  private var neededRows: Int { (menu.choices.count + perLine - 1) / perLine }
  private var isWhole: Bool { neededRows <= rows && !menu.isCut }
  private var shownRows: Int { isWhole ? neededRows : max(1, rows - 1) }

  var lines: [String] {
    let first = (menu.chosen ?? 0) / size * size
    let page = first..<min(menu.choices.count, first + size)
    var lines = stride(from: page.lowerBound, to: page.upperBound, by: perLine).map { start in
      let indices = start..<min(page.upperBound, start + perLine)
      return column > 0 ? besides(indices) : hasDescriptions ? described(start) : side(indices)
    }
    if !isWhole, rows > 1 { lines.append(footer(page)) }
    return lines
  }

  /// Returns the position, such as `13-24 / 100`, with a plus if more choices exist.
  private func footer(_ page: Range<Int>) -> String {
    let total = "\(menu.choices.count)" + (menu.isCut ? "+" : "")
    let text = DrawnWidth.fit("\(page.lowerBound + 1)-\(page.upperBound) / \(total)", to: columns)
    return String(repeating: " ", count: mark) + dim(text)
  }

  /// Returns a row of several choices with descriptions, in columns.
  private func besides(_ indices: Range<Int>) -> String {
    indices.map { index in
      let choice = menu.choices[index]
      let gap = String(repeating: " ", count: widest - DrawnWidth.of(choice.text) + 2)
      let text = marked(index, choice.text) + (choice.description.isEmpty ? "" : gap + dim(choice.description))
      let used =
        mark
        + (choice.description.isEmpty ? DrawnWidth.of(choice.text) : widest + 2 + DrawnWidth.of(choice.description))
      return index + 1 == indices.upperBound ? text : text + String(repeating: " ", count: column - used + Self.gap)
    }.joined()
  }

  private func described(_ index: Int) -> String {
    let choice = menu.choices[index]
    let width = min(widest, max(8, columns / 2))
    let text = DrawnWidth.fit(choice.text, to: width)
    let room = columns - mark - width - 2
    if choice.description.isEmpty || room < 4 { return marked(index, DrawnWidth.fit(choice.text, to: columns - mark)) }
    let gap = String(repeating: " ", count: width - DrawnWidth.of(text) + 2)
    return marked(index, text) + gap + dim(DrawnWidth.fit(choice.description, to: room))
  }

  private func side(_ indices: Range<Int>) -> String {
    indices.map { index in
      let text = DrawnWidth.fit(menu.choices[index].text, to: columns - mark)
      let gap = index + 1 == indices.upperBound ? 0 : max(0, widest - DrawnWidth.of(text) + 2)
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
