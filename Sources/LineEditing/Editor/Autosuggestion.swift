import CEditLine

/// The suggestion after the line, from earlier lines.
///
/// Moving right accepts it.
final class Autosuggestion {
  var isOn: Bool
  private let buffer: LineBuffer
  private let changes: EditCommands
  private let recall: HistoryCommands
  /// The suggestion that was shown, and its line.
  private var current = (line: EditedLine(), text: "")

  init(_ buffer: LineBuffer, changes: EditCommands, recall: HistoryCommands, isOn: Bool) {
    (self.buffer, self.changes, self.recall, self.isOn) = (buffer, changes, recall, isOn)
  }

  /// Returns the text to show after the line: the continuation from an earlier line, or else the hint, which cannot be
  /// accepted.
  ///
  /// `isSeen` is false if the suggestion is not shown.
  func update(_ line: EditedLine, in question: PromptRequest, isSeen: Bool) -> String {
    current = (line, "")
    guard isSeen, isOn, !question.isField, !line.text.isEmpty, line.cursor == line.count else { return "" }
    current.text = recall.suggestion(after: line.text, where: question.maySuggest)
    return current.text.isEmpty ? question.hint(line.text) : current.text
  }

  /// Moves right; at the end of the text accepts the suggestion if it was shown.
  func forward() -> UInt8 { changes.goRight() ?? accept { $0.count } }

  func forwardWord() -> UInt8 {
    let line = buffer.line
    guard line.cursor < line.count else { return accept(Self.lengthOfWord) }
    buffer.moveCursor(by: Self.lengthOfWord(in: line.text.unicodeScalars.dropFirst(line.cursor)))
    return UInt8(CC_CURSOR)
  }

  private func accept(_ length: (Substring.UnicodeScalarView) -> Int) -> UInt8 {
    let text = current.line == buffer.line ? current.text : ""
    guard !text.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    buffer.insert(text.substring(0..<length(text[...].unicodeScalars)))
    return UInt8(CC_REFRESH)
  }

  /// Returns the length of the next word and the separators before it.
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
