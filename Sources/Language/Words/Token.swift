/// What a line is made of.
package enum Token: Hashable, Sendable {
  case word(Word)
  /// `;` or the end of one line of several.
  case separator(Range<Int>)
  /// `|` and the text after it, for `/bin/sh`; the range holds both.
  case pipe(String, Range<Int>)
  /// `#` to the end of the line.
  case comment(Range<Int>)

  /// In Unicode scalars of the line.
  package var range: Range<Int> {
    switch self {
    case .word(let word): word.range
    case .separator(let range), .pipe(_, let range), .comment(let range): range
    }
  }
}
