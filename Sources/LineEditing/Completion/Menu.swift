import CEditLine
import Text

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

/// Tab: what all choices share is put in and the choices are shown below; Tab and Shift-Tab then go through them.
///
/// Each command returns what libedit is to do next.
final class CompletionMenu {
  private let buffer: LineBuffer
  private var menu: Menu?
  private var isField = false

  init(_ buffer: LineBuffer) { self.buffer = buffer }

  /// - Parameter isField: whether a field is asked for, where no space follows a word.
  func beginLine(isField: Bool) { (menu, self.isField) = (nil, isField) }

  /// The choices belong to the moment they were asked for.
  func drop() { menu = nil }

  /// The menu, as long as the line is as it left it.
  var open: Menu? {
    guard let menu, menu.line == buffer.line else { return nil }
    return menu
  }

  func complete(_ steps: Int, by completer: (String, Int) -> Completion) -> UInt8 {
    if let menu = open { return choose(menu.step(by: steps)) }
    let line = buffer.line
    let completion = completer(line.text, line.cursor)
    let choices = completion.candidates
    guard let first = choices.first else { return UInt8(CC_REFRESH_BEEP) }
    if choices.count == 1, !completion.isCut {
      buffer.replace(completion.range, with: first.text + space(after: first, at: completion.range.upperBound))
      return UInt8(CC_REFRESH)
    }
    let typed = line.text.scalars(completion.range.clamped(to: 0..<line.cursor))
    let shared = completion.isCut ? typed : choices.dropFirst().reduce(first.text) { Self.common($0, $1.text) }
    let start = completion.range.lowerBound
    // Choices found by a name do not begin with it, and what they share would lose it.
    let isFurther = shared.utf8.count > typed.utf8.count && shared.utf8.starts(with: typed.utf8)
    if isFurther { buffer.replace(completion.range, with: shared) }
    menu = Menu(
      choices: choices, isCut: completion.isCut, start: start, typed: isFurther ? shared : typed, line: buffer.line)
    return UInt8(CC_REFRESH)
  }

  /// Puts a choice of the open menu into the line.
  func choose(_ index: Int) -> UInt8 {
    guard var menu = open else { return UInt8(CC_NORM) }
    buffer.replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.choices[index].text)
    menu.chosen = index
    menu.line = buffer.line
    self.menu = menu
    return UInt8(CC_REFRESH)
  }

  /// Enter on a choice: it stays, and typing goes on behind it.
  func accept() -> UInt8 {
    guard let menu = open, let chosen = menu.chosen else { return UInt8(CC_NORM) }
    self.menu = nil
    buffer.insert(space(after: menu.choices[chosen], at: buffer.line.cursor))
    return UInt8(CC_REFRESH)
  }

  /// Esc: what was typed is back.
  func close() -> UInt8 {
    guard let menu = open else { return UInt8(CC_NORM) }
    self.menu = nil
    buffer.replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.typed)
    return UInt8(CC_REFRESH)
  }

  private func space(after choice: Choice, at place: Int) -> String {
    let next = buffer.line.text.scalars(place..<place + 1)
    return choice.endsWord && !isField && next != " " ? " " : ""
  }

  private static func common(_ first: String, _ second: String) -> String {
    let pairs = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0 == $1 }
    return String(String.UnicodeScalarView(pairs.map(\.0)))
  }
}
