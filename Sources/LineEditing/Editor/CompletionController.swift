import CEditLine

/// Tab completion: the common prefix of all choices is inserted and the choices are shown below; Tab and Shift-Tab then
/// step through them.
///
/// Each command returns the code by which libedit continues.
final class CompletionController {
  private let buffer: LineBuffer
  private var menu: CompletionMenu?
  private var isField = false

  init(_ buffer: LineBuffer) { self.buffer = buffer }

  /// Prepares for a new line.
  ///
  /// In a field no space follows a word.
  func beginLine(isField: Bool) { (menu, self.isField) = (nil, isField) }

  /// Closes the menu: its choices may no longer be valid.
  func drop() { menu = nil }

  /// The menu, if the line is as the menu left it.
  var open: CompletionMenu? {
    guard let menu, menu.line == buffer.line else { return nil }
    return menu
  }

  func complete(_ steps: Int, by completer: (String, Int) -> CompletionResult) -> UInt8 {
    if let menu = open { return choose(menu.step(by: steps)) }
    let line = buffer.line
    let completion = completer(line.text, line.cursor)
    let choices = completion.candidates
    guard let first = choices.first else { return UInt8(CC_REFRESH_BEEP) }
    if choices.count == 1, !completion.isCut {
      buffer.replace(completion.range, with: first.text + space(after: first, at: completion.range.upperBound))
      return UInt8(CC_REFRESH)
    }
    let typed = line.text.substring(completion.range.clamped(to: 0..<line.cursor))
    let shared = completion.isCut ? typed : choices.dropFirst().reduce(first.text) { Self.common($0, $1.text) }
    let start = completion.range.lowerBound
    // Choices that are found by another name do not begin with the typed text, and their common prefix would delete it.
    let isFurther = shared.utf8.count > typed.utf8.count && shared.utf8.starts(with: typed.utf8)
    if isFurther { buffer.replace(completion.range, with: shared) }
    menu = CompletionMenu(
      choices: choices, isCut: completion.isCut, start: start, typed: isFurther ? shared : typed, line: buffer.line)
    return UInt8(CC_REFRESH)
  }

  /// Inserts a choice of the open menu in the line.
  func choose(_ index: Int) -> UInt8 {
    guard var menu = open else { return UInt8(CC_NORM) }
    buffer.replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.choices[index].text)
    menu.chosen = index
    menu.line = buffer.line
    self.menu = menu
    return UInt8(CC_REFRESH)
  }

  /// Accepts the choice with Enter; typing continues after it.
  func accept() -> UInt8 {
    guard let menu = open, let chosen = menu.chosen else { return UInt8(CC_NORM) }
    self.menu = nil
    buffer.insert(space(after: menu.choices[chosen], at: buffer.line.cursor))
    return UInt8(CC_REFRESH)
  }

  /// Closes the menu with Esc and restores the typed text.
  func close() -> UInt8 {
    guard let menu = open else { return UInt8(CC_NORM) }
    self.menu = nil
    buffer.replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.typed)
    return UInt8(CC_REFRESH)
  }

  private func space(after choice: CompletionCandidate, at index: Int) -> String {
    let next = buffer.line.text.substring(index..<index + 1)
    return choice.endsWord && !isField && next != " " ? " " : ""
  }

  private static func common(_ first: String, _ second: String) -> String {
    let pairs = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0 == $1 }
    return String(String.UnicodeScalarView(pairs.map(\.0)))
  }
}
