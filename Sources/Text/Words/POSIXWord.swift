/// A word of a command line for a POSIX shell.
package enum POSIXWord {
  /// Returns a text as one word: as it is if no character of it means anything to a shell, otherwise in single quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@:".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/// The words of a command line as a POSIX shell splits them without expansions, up to the cursor.
package struct POSIXWords: Hashable, Sendable {
  /// The words before the one at the cursor, without quotes and escapes.
  package private(set) var words: [String] = []
  /// The word at the cursor, without quotes and escapes.
  package private(set) var partial = ""
  /// The word at the cursor as it was typed, without its quotes.
  package private(set) var raw = ""
  /// The quote that is open at the cursor.
  package private(set) var quote: Character?

  /// Creates the words from a list that a shell has split.
  ///
  /// The last one is the word at the cursor, which may begin with its quote.
  package init(_ words: [String]) {
    self.words = Array(words.dropLast())
    partial = words.last ?? ""
    if let first = partial.first, first == "'" || first == "\"" {
      quote = first
      partial.removeFirst()
    }
    raw = partial
    isInWord = true
  }

  /// A Boolean value that indicates that the cursor is in a word or after it, which may be empty in quotes.
  private var isInWord = false

  /// All words, or `nil` if a quote is open.
  package var complete: [String]? { quote == nil ? words + (isInWord ? [partial] : []) : nil }

  /// A copy without the first word, which names the program.
  package var droppingProgram: POSIXWords {
    var copy = self
    copy.words = Array(words.dropFirst())
    return copy
  }

  package init(line: String) {
    var word: String?
    var typed = ""
    var isEscaped = false
    for character in line {
      if isEscaped {
        isEscaped = false
        word = (word ?? "") + String(character)
        typed.append(character)
      } else if let open = quote {
        if character == open {
          quote = nil
          continue
        }
        if character == "\\", open == "\"" { isEscaped = true } else { word = (word ?? "") + String(character) }
        typed.append(character)
      } else {
        switch character {
        case _ where character.isWhitespace:
          if let word { words.append(word) }
          word = nil
          typed = ""
        case "'", "\"":
          quote = character
          word = word ?? ""
        case "\\":
          isEscaped = true
          word = word ?? ""
          typed.append(character)
        default:
          word = (word ?? "") + String(character)
          typed.append(character)
        }
      }
    }
    partial = word ?? ""
    isInWord = word != nil
    raw = typed
  }
}
