import CEditLine
import Foundation
import Text

/// The input that libedit has not read yet.
///
/// libedit reads single characters. Input that is not a character (a paste, a composed syllable that replaces its
/// beginning, an action without a key) is passed as a placeholder character, U+0080 to U+009F, which no keyboard sends
/// and which is bound to one of our functions. A placeholder for a text stays valid for the next seven texts, so that
/// vi's `.` can repeat it and no placeholder ever denotes another text.
struct InputQueue {
  enum Item: Equatable {
    /// The characters of one key: a single character or an escape sequence.
    case key([wchar_t])
    case text(Piece)
    case action(Action)
  }

  struct Piece: Equatable {
    var text: String
    /// Indicates whether the text replaces the character before the cursor.
    var replacesPrevious = false
  }

  /// The actions that are not libedit's own.
  enum Action: wchar_t, CaseIterable {
    /// Esc pressed alone: vi's command mode.
    case escape = 0x80
    case insertNewline, revert, beep, accept, closeMenu, up, down, leaveForm, choiceAbove, choiceBelow, searchAgain,
      leaveSearch
    /// libedit's own commands that read one more character, which follows the placeholder.
    case findNext, findPrevious, findToNext, findToPrevious, replaceCharacter
    /// Cancels an operator that waits for its motion.
    case nothing = 0x93
  }

  /// Leaves vi's insert mode and enters it again.
  ///
  /// libedit remembers the keys that vi's `.` repeats across lines, including the Enter that ran them; this makes it
  /// forget them.
  static let resetDotRepeat: [wchar_t] = [Action.escape.rawValue, 0x92]

  /// The placeholders for texts.
  static let textCodes: ClosedRange<wchar_t> = 0x98...0x9F

  private var items: ArraySlice<Item> = []
  /// The remaining characters of the key that libedit is reading.
  private var rest: ArraySlice<wchar_t> = []
  private var texts: [Piece?] = Array(repeating: nil, count: textCodes.count)
  private var nextCode = 0

  var isEmpty: Bool { items.isEmpty && rest.isEmpty }
  var last: Item? { items.last }

  /// The number of UTF-8 bytes of the queued texts.
  var textBytes: Int {
    items.reduce(0) { sum, item in
      if case .text(let text) = item { sum + text.text.utf8.count } else { sum }
    }
  }

  mutating func append(_ item: Item) { items.append(item) }
  mutating func prepend(_ item: Item) { items.insert(item, at: items.startIndex) }
  mutating func replaceLast(_ item: Item) { items[items.endIndex - 1] = item }
  mutating func next() -> Item? { items.popFirst() }

  /// Removes all queued items.
  ///
  /// The texts of placeholders remain, because vi's `.` may repeat them.
  mutating func discard() { items = [] }

  /// Removes the items up to and including the last Ctrl-C.
  ///
  /// Returns false if there is none.
  mutating func dropThroughInterrupt() -> Bool {
    guard let index = items.lastIndex(of: .key([3])) else { return false }
    items.removeSubrange(...index)
    return true
  }

  /// Returns the next character of a key that libedit has begun to read.
  mutating func nextCharacterOfKey() -> wchar_t? { rest.popFirst() }

  /// Returns the first character of an item for libedit; the others follow from ``nextCharacterOfKey()``.
  mutating func start(_ item: Item) -> wchar_t {
    switch item {
    case .key(let characters): rest = characters[...]
    case .action(let action): rest = [action.rawValue]
    case .text(let text):
      nextCode = (nextCode + 1) % texts.count
      texts[nextCode] = text
      rest = [Self.textCodes.lowerBound + wchar_t(nextCode)]
    }
    return rest.popFirst() ?? Action.beep.rawValue
  }

  /// Ends the key that libedit was reading, together with the line.
  mutating func endKey() { rest = [] }

  /// Passes an action and its character to libedit.
  mutating func enqueue(_ action: Action, _ character: wchar_t) { rest = [action.rawValue, character] }

  /// Returns the text of a placeholder.
  func text(of code: wchar_t) -> Piece? {
    Self.textCodes.contains(code) ? texts[Int(code - Self.textCodes.lowerBound)] : nil
  }
}

/// The maximum length of a line from any source.
package enum LineLimit {
  /// The limit in bytes: 64 KiB of UTF-8, without the line end.
  package static let bytes = 65_536
}

/// Composes a character with the one before it if Unicode has a composed character for both.
///
/// Hangul that arrives decomposed (file names from macOS) becomes syllables: then one key press deletes one syllable,
/// and libedit, which cannot draw characters without width, can draw it.
enum Composer {
  static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard canFollow(second) else { return nil }
    if (0x1160...0x11FF).contains(second.value) { return Hangul.compose(first, second) }
    let pair = String(String.UnicodeScalarView([first, second])).precomposedStringWithCanonicalMapping.unicodeScalars
    return pair.count == 1 ? pair.first : nil
  }

  static func joined(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: canFollow) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let last = scalars.last, let joined = joined(last, scalar) {
        scalars.removeLast()
        scalars.append(joined)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func canFollow(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    return (0x1160...0x11FF).contains(scalar.value) || scalar.properties.canonicalCombiningClass != .notReordered
  }
}
