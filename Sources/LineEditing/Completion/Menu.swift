/// The choices shown below the line, and which of them stands in it.
struct Menu {
  let choices: [Choice]
  /// Whether there are more than these.
  let isCut: Bool
  /// The Unicode scalar of the line where choices are put.
  let start: Int
  /// What stood there before the first choice was taken.
  let typed: String
  /// The choice that stands in the line; nil while what was typed does.
  var chosen: Int?
  /// The line as the menu left it. Any other line means that typing went on, and the menu is over.
  var line: EditedLine

  /// What stands in the line now.
  var current: String { chosen.map { choices[$0].text } ?? typed }

  /// The choice so many steps on, round and round.
  func step(by steps: Int) -> Int {
    guard let chosen else { return steps > 0 ? 0 : choices.count - 1 }
    if abs(steps) > 1, !choices.indices.contains(chosen + steps) { return chosen }
    return (chosen + steps % choices.count + choices.count) % choices.count
  }

  /// The first choice of the next page, or of the one before; the last page is followed by the first.
  func turn(by pages: Int, of size: Int) -> Int {
    guard let chosen else { return 0 }
    let count = (choices.count + size - 1) / size
    return (chosen / size + pages + count) % count * size
  }
}

/// One page of choices, side by side where there is room, each with its description.
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
  /// The cells of a choice with its description, and of what stands before it; 0 where each has a line of its own.
  private let column: Int
  private static let gap = 3

  /// - Parameters:
  ///   - columns: of the screen; the last one stays free.
  ///   - rows: of the screen that may be used, at least one.
  init(_ menu: Menu, columns: Int, rows: Int, hasColors: Bool) {
    (self.menu, self.rows, self.hasColors) = (menu, rows, hasColors)
    // Without colours a mark in front tells which one is chosen.
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

  /// How many choices one page shows.
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

  /// `13-24 / 100`, with a plus where even more were found.
  private func footer(_ page: Range<Int>) -> String {
    let total = "\(menu.choices.count)" + (menu.isCut ? "+" : "")
    let text = DrawnWidth.fit("\(page.lowerBound + 1)-\(page.upperBound) / \(total)", to: columns)
    return String(repeating: " ", count: mark) + dim(text)
  }

  /// Several with their descriptions, in columns.
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

/// What Tab may put in place of a part of the line.
package struct Completion: Sendable, Equatable {
  /// The Unicode scalars of the line that a choice replaces.
  package var range: Range<Int>
  package var candidates: [Choice]
  /// Whether there are more than these, so that what they share says nothing.
  package var isCut: Bool

  package init(range: Range<Int>, candidates: [Choice], isCut: Bool = false) {
    self.range = range
    self.candidates = candidates
    self.isCut = isCut
  }

  /// Nothing to offer: Tab only beeps.
  package static let none = Completion(range: 0..<0, candidates: [])
}

/// One way to complete a word, with what a person should know to choose it.
package struct Choice: Sendable, Equatable {
  package var text: String
  /// Shown dim beside the text; may be empty.
  package var description: String
  /// Whether the word is over with it, so that a space follows. False for `name=` and for folders.
  package var endsWord: Bool

  package init(_ text: String, description: String = "", endsWord: Bool = true) {
    self.text = text
    self.description = description
    self.endsWord = endsWord
  }
}
