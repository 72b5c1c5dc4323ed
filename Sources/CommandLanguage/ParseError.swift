import Text

/// The reason why a line couldn't be parsed, with its position.
///
/// The exit status is 2, and nothing was sent.
package struct ParseError: Error, Hashable, Sendable {
  package var message: LocalizedText
  /// The valid form, or the text that was probably meant.
  package var suggestion: LocalizedText?
  /// The position in Unicode scalars of the line, or `nil` if the error concerns all of the line.
  package var range: Range<Int>?
  /// A Boolean value that indicates whether further input could complete the line: an open quote, a trailing backslash.
  package var isIncomplete: Bool
  /// A Boolean value that indicates whether the position is marked below the line, for long conditions in which the
  /// message alone isn't clear.
  package var showsCaret = false
  /// The line that `range` refers to, once it is known.
  package var line: String?

  package init(
    _ what: LocalizedText, suggestion: LocalizedText? = nil, at range: Range<Int>? = nil, isIncomplete: Bool = false
  ) {
    self.message = what
    self.suggestion = suggestion
    self.range = range
    self.isIncomplete = isIncomplete
  }

  /// Returns the error for a word that is no command, prefix or alias.
  package static func unknownCommand(_ word: String, suggestion: LocalizedText? = nil, at range: Range<Int>? = nil)
    -> ParseError
  {
    ParseError(
      LocalizedText("Unknown command: \(.command(word)).", ko: "알 수 없는 명령: \(.command(word))."),
      suggestion: suggestion, at: range)
  }
}

extension ParseError {
  /// The error for a word that is no field, with the most similar one.
  package static func unknownField(
    _ word: String, in names: FieldNameTable, suggestion: LocalizedText? = nil, at range: Range<Int>? = nil
  ) -> ParseError {
    ParseError(
      LocalizedText("Unknown field: \(.value(word)).", ko: "\(.value(word)) 필드는 없습니다."),
      suggestion: suggestion
        ?? SpellingSuggester.closest(word, in: names.allNames).map { name in
          LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
        }, at: range)
  }
}
