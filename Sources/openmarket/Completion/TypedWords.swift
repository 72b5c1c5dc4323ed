/// The words of a command line as a POSIX shell splits them, up to the cursor.
struct TypedWords: Hashable, Sendable {
  /// The words before the one at the cursor, without quotes and escapes.
  private(set) var words: [String] = []
  /// The word at the cursor, without quotes and escapes.
  private(set) var partial = ""
  /// The word at the cursor as it was typed, without its quotes.
  private(set) var raw = ""
  /// The quote that is open at the cursor.
  private(set) var quote: Character?

  /// Creates the words from a list that a shell has split.
  ///
  /// The last one is the word at the cursor, which may begin with its quote.
  init(_ words: [String]) {
    self.words = Array(words.dropLast())
    partial = words.last ?? ""
    if let first = partial.first, first == "'" || first == "\"" {
      quote = first
      partial.removeFirst()
    }
    raw = partial
  }

  /// A copy without the first word, which names the program.
  var droppingProgram: TypedWords {
    var copy = self
    copy.words = Array(words.dropFirst())
    return copy
  }

  init(line: String) {
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
        case " ", "\t", "\n":
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
    raw = typed
  }
}
