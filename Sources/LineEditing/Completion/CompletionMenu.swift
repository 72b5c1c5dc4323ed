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
