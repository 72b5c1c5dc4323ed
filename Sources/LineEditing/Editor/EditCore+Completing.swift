import CEditLine

/// Tab: what all choices share is put in and the choices are shown below; Tab and Shift-Tab then go through them.
extension EditCore {
  func complete(_ steps: Int) -> UInt8 {
    if let menu = openMenu { return choose(menu.step(by: steps)) }
    let line = line
    let completion = question.completer(line.text, line.cursor)
    let choices = completion.candidates
    guard let first = choices.first else { return UInt8(CC_REFRESH_BEEP) }
    if choices.count == 1, !completion.isCut {
      replace(completion.range, with: first.text + space(after: first, at: completion.range.upperBound))
      return UInt8(CC_REFRESH)
    }
    let typed = line.text.scalars(completion.range.clamped(to: 0..<line.cursor))
    let shared = completion.isCut ? typed : choices.dropFirst().reduce(first.text) { Self.common($0, $1.text) }
    let start = completion.range.lowerBound
    // Choices found by a name do not begin with it, and what they share would lose it.
    let isFurther = shared.utf8.count > typed.utf8.count && shared.utf8.starts(with: typed.utf8)
    if isFurther { replace(completion.range, with: shared) }
    menu = Menu(
      choices: choices, isCut: completion.isCut, start: start, typed: isFurther ? shared : typed, line: self.line)
    return UInt8(CC_REFRESH)
  }

  /// The menu, as long as the line is as it left it.
  var openMenu: Menu? {
    guard let menu, menu.line == line else { return nil }
    return menu
  }

  /// Up and Down among choices.
  func moveChoice(by rows: Int) -> UInt8 {
    guard let menu = openMenu else { return UInt8(CC_NORM) }
    return choose(menu.step(by: rows * page(of: menu, below: end(of: line).row).perLine))
  }

  func turnPage(by pages: Int) -> UInt8 {
    guard let menu = openMenu else { return UInt8(CC_NORM) }
    return choose(menu.turn(by: pages, of: page(of: menu, below: end(of: line).row).size))
  }

  /// Enter on a choice: it stays, and typing goes on behind it.
  func acceptChoice() -> UInt8 {
    guard let menu = openMenu, let chosen = menu.chosen else { return UInt8(CC_NORM) }
    self.menu = nil
    insert(space(after: menu.choices[chosen], at: line.cursor))
    return UInt8(CC_REFRESH)
  }

  /// Esc: what was typed is back.
  func closeMenu() -> UInt8 {
    guard let menu = openMenu else { return UInt8(CC_NORM) }
    self.menu = nil
    replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.typed)
    return UInt8(CC_REFRESH)
  }

  /// The page that fits below a text whose last row is `row`.
  func page(of menu: Menu, below row: Int) -> MenuPage {
    let room = size.rows - 1 - row
    return MenuPage(
      menu, columns: size.columns, rows: max(1, min(room, max(4, size.rows / 2))), hasColors: options.colors)
  }

  private func choose(_ index: Int) -> UInt8 {
    guard var menu else { return UInt8(CC_NORM) }
    replace(menu.start..<menu.start + menu.current.unicodeScalars.count, with: menu.choices[index].text)
    menu.chosen = index
    menu.line = line
    self.menu = menu
    return UInt8(CC_REFRESH)
  }

  private func space(after choice: Choice, at place: Int) -> String {
    let next = line.text.scalars(place..<place + 1)
    return choice.endsWord && !question.isField && next != " " ? " " : ""
  }

  private static func common(_ first: String, _ second: String) -> String {
    let pairs = zip(first.unicodeScalars, second.unicodeScalars).prefix { $0 == $1 }
    return String(String.UnicodeScalarView(pairs.map(\.0)))
  }
}
