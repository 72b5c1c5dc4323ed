/// The tokens of a line.
package enum Token: Hashable, Sendable {
  case word(Word)
  /// The character `;`, or the end of one line of several.
  case separator(Range<Int>)
  /// The character `|` and the text after it, for `/bin/sh`.
  ///
  /// The range contains both.
  case pipe(String, Range<Int>)
  /// A comment from `#` to the end of the line.
  case comment(Range<Int>)

  /// The range in Unicode scalars of the line.
  package var range: Range<Int> {
    switch self {
    case .word(let word): word.range
    case .separator(let range), .pipe(_, let range), .comment(let range): range
    }
  }
}
