/// One thing said to a person, in English and Korean side by side, so that neither can be forgotten.
///
/// Both are kept until the moment of showing: `wording[.korean]`.
package struct LocalizedText: Hashable, Sendable {
  package var english: StyledText
  package var korean: StyledText

  package init(_ english: StyledText, ko korean: StyledText) {
    self.english = english
    self.korean = korean
  }

  /// The same text in every language: a name, a path, a server's own words.
  package init(same text: StyledText) { self.init(text, ko: text) }

  package subscript(tongue: MessageLanguage) -> StyledText {
    switch tongue {
    case .english: english
    case .korean: korean
    }
  }
}

/// The language a person reads: what `--lang`, LC_ALL, LC_MESSAGES or LANG choose.
package enum MessageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}

extension String {
  /// Its lines without their ends, LF or CRLF. Swift takes CRLF for one character, so that `split` does not see it.
  package var rows: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.last == "\r" ? $0.dropLast() : $0)
    }
  }
}

extension StringProtocol {
  /// Without white space at either end.
  package var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
