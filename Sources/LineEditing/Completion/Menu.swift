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
