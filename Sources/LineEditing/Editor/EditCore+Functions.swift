import CEditLine
import Foundation
import Glibc

/// What our own keys do. Each returns what libedit is to do next.
extension EditCore {
  /// Ends the line without it.
  func finish(_ outcome: Outcome) -> UInt8 {
    self.outcome = outcome
    lastGood = line
    leave(lastGood.text, mark: outcome == .interrupted && !question.isInForm ? "^C" : "")
    return UInt8(CC_EOF)
  }

  /// Enter: the line stays on the screen as it runs.
  func submit() -> UInt8 {
    let line = line
    leave(line.text)
    el_cursor(editLine, Int32(line.count - line.cursor))
    insert("\n")
    return UInt8(CC_NEWLINE)
  }

  func deleteOrEnd() -> UInt8 {
    let line = line
    if line.text.isEmpty { return finish(.end) }
    guard line.cursor < line.count else { return UInt8(CC_REFRESH_BEEP) }
    el_cursor(editLine, 1)
    el_deletestr(editLine, 1)
    return UInt8(CC_REFRESH)
  }

  /// The terminal is given back before the program stops, and taken again when it goes on: with the line alone, for
  /// a list of choices belongs to the moment it was asked for.
  func suspend() -> UInt8 {
    menu = nil
    leave(line.text)
    output.write("\u{1B}[?2004l")
    giveTerminalBack()
    // Raised on this thread, so that nothing below runs before the program goes on.
    raise(SIGTSTP)
    takeTerminal()
    output.write("\u{1B}[?2004h\r")
    takeSize()
    return UInt8(CC_NORM)
  }

  /// libedit's own key stops on the last character in vi's insertion, too.
  func goBehindText() -> UInt8 {
    let line = line
    el_cursor(editLine, Int32(line.count - line.cursor))
    return UInt8(CC_CURSOR)
  }

  func goBeforeText() -> UInt8 {
    el_cursor(editLine, Int32(-line.cursor))
    return UInt8(CC_CURSOR)
  }

  func forward() -> UInt8 {
    let line = line
    if line.cursor < line.count {
      var count = 0
      for _ in 0..<counter.count where line.cursor + count < line.count {
        count += max(1, lengthOfCharacter(at: line.cursor + count))
      }
      el_cursor(editLine, Int32(count))
      return UInt8(CC_CURSOR)
    }
    return take(offered.unicodeScalars.count)
  }

  func forwardWord() -> UInt8 {
    let line = line
    if line.cursor < line.count {
      el_cursor(editLine, Int32(Self.lengthOfWord(in: line.text.unicodeScalars.dropFirst(line.cursor))))
      return UInt8(CC_CURSOR)
    }
    return take(Self.lengthOfWord(in: offered.unicodeScalars[...]))
  }

  private func take(_ count: Int) -> UInt8 {
    guard count > 0 else { return UInt8(CC_REFRESH_BEEP) }
    insert(offered.scalars(0..<count))
    return UInt8(CC_REFRESH)
  }

  /// What is between words, and the word after it.
  private static func lengthOfWord(in text: some Sequence<Unicode.Scalar>) -> Int {
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

  /// Puts in the text that the code stands for.
  func insertText(of code: wint_t) -> UInt8 {
    guard let text = input.text(of: wchar_t(bitPattern: code)) else { return UInt8(CC_REFRESH_BEEP) }
    if text.joins { el_deletestr(editLine, 1) }
    insert(text.text)
    return UInt8(CC_REFRESH)
  }

  func continueLine() -> UInt8 {
    let line = line
    el_cursor(editLine, Int32(line.count - line.cursor))
    insert("\n")
    return UInt8(CC_REFRESH)
  }

  func revert() -> UInt8 {
    put(lastGood.text, cursor: lastGood.cursor)
    return UInt8(CC_REFRESH_BEEP)
  }
}
