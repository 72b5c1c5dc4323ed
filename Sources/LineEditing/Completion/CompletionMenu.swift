/// The completion choices shown below the line, and the one that is inserted in it.
struct CompletionMenu {
  let choices: [CompletionCandidate]
  /// Indicates whether more choices exist than these.
  let isCut: Bool
  /// The offset of the inserted choice in the line, in Unicode scalars.
  let start: Int
  /// The text at that position before the first choice was inserted.
  let typed: String
  /// The index of the inserted choice, or `nil` while the line contains the typed text.
  var chosen: Int?
  /// The line as the menu changed it.
  ///
  /// If the line differs, typing continued and the menu is closed.
  var line: EditedLine

  /// The text currently in the line: the chosen choice or the typed text.
  var current: String { chosen.map { choices[$0].text } ?? typed }

  /// Returns the index of the choice `steps` away, wrapping around at the ends.
  func step(by steps: Int) -> Int {
    guard let chosen else { return steps > 0 ? 0 : choices.count - 1 }
    if abs(steps) > 1, !choices.indices.contains(chosen + steps) { return chosen }
    return (chosen + steps % choices.count + choices.count) % choices.count
  }

  /// Returns the first choice of a page relative to the current one.
  ///
  /// The last page is followed by the first.
  func indexOfPage(by pages: Int, of size: Int) -> Int {
    guard let chosen else { return 0 }
    let count = (choices.count + size - 1) / size
    return (chosen / size + pages + count) % count * size
  }
}

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

/// One completion of a word, with a description that helps to choose it.
package struct CompletionCandidate: Sendable, Equatable {
  package var text: String
  /// The text shown dimmed after the choice; may be empty.
  package var description: String
  /// Indicates whether the choice completes the word, so that a space follows.
  ///
  /// False for `name=` and for folders.
  package var endsWord: Bool

  package init(_ text: String, description: String = "", endsWord: Bool = true) {
    self.text = text
    self.description = description
    self.endsWord = endsWord
  }
}

/// The choices that Tab may insert in place of a part of the line.
package struct CompletionResult: Sendable, Equatable {
  /// The range of the line that a choice replaces, in Unicode scalars.
  package var range: Range<Int>
  package var candidates: [CompletionCandidate]
  /// Indicates whether more candidates exist than these.
  ///
  /// Then their common prefix means nothing.
  package var isCut: Bool

  package init(range: Range<Int>, candidates: [CompletionCandidate], isCut: Bool = false) {
    self.range = range
    self.candidates = candidates
    self.isCut = isCut
  }

  /// No candidates: Tab only beeps.
  package static let none = CompletionResult(range: 0..<0, candidates: [])
}
