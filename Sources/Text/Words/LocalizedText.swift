/// A message in English and Korean.
///
/// Both are written together, so that neither can be forgotten.
///
/// The language is chosen when the message is shown: `wording[.korean]`.
package struct LocalizedText: Hashable, Sendable {
  package var english: StyledText
  package var korean: StyledText

  package init(_ english: StyledText, ko korean: StyledText) {
    self.english = english
    self.korean = korean
  }

  /// Creates a text that is the same in every language: a name, a path, a message of the server.
  package init(same text: StyledText) { self.init(text, ko: text) }

  package subscript(language: MessageLanguage) -> StyledText {
    switch language {
    case .english: english
    case .korean: korean
    }
  }
}

/// The language of messages, chosen by `--lang`, LC_ALL, LC_MESSAGES or LANG.
package enum MessageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}
