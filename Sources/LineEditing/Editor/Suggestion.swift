import CEditLine

/// What is offered behind the line, from earlier lines, and taken by going right.
final class Suggestion {
  var isOn: Bool
  private let buffer: LineBuffer
  private let changes: LineChanges
  private let recall: HistoryRecall
  /// What was offered behind a line, and shown.
  private var offer = (line: EditedLine(), text: "")

  init(_ buffer: LineBuffer, _ changes: LineChanges, _ recall: HistoryRecall, isOn: Bool) {
    (self.buffer, self.changes, self.recall, self.isOn) = (buffer, changes, recall, isOn)
  }

  /// Looks for what goes on from the line; where nothing does, the shape of what is missing is shown, which nobody takes.
  /// - Parameter isSeen: whether there is a place for it.
  /// - Returns: what is shown.
  func follow(_ line: EditedLine, in question: Question, isSeen: Bool) -> String {
    offer = (line, "")
    guard isSeen, isOn, !question.isField, !line.text.isEmpty, line.cursor == line.count else { return "" }
    offer.text = recall.suggestion(after: line.text, where: question.maySuggest)
    return offer.text.isEmpty ? question.hint(line.text) : offer.text
  }

  /// Goes right; behind the text the suggestion is taken, but nothing that was not seen.
  func forward() -> UInt8 { changes.goRight() ?? take { $0.count } }

  func forwardWord() -> UInt8 {
    let line = buffer.line
    guard line.cursor < line.count else { return take(Self.lengthOfWord) }
    buffer.moveCursor(by: Self.lengthOfWord(in: line.text.unicodeScalars.dropFirst(line.cursor)))
    return UInt8(CC_CURSOR)
  }

  private func take(_ length: (Substring.UnicodeScalarView) -> Int) -> UInt8 {
    let text = offer.line == buffer.line ? offer.text : ""
    guard !text.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    buffer.insert(text.scalars(0..<length(text[...].unicodeScalars)))
    return UInt8(CC_REFRESH)
  }

  /// What is between words, and the word after it.
  private static func lengthOfWord(in text: Substring.UnicodeScalarView) -> Int {
    var count = 0
    var isInWord = false
    for scalar in text {
      let isWordPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
      if isInWord, !isWordPart { break }
      isInWord = isWordPart
      count += 1
    }
    return count
  }
}
