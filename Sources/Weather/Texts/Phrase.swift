/// One thing said about the weather, in English and Korean side by side, so that neither can be forgotten.
package struct Phrase: Hashable, Sendable {
  package var english: String
  package var korean: String

  package init(_ english: String, ko korean: String) {
    self.english = english
    self.korean = korean
  }

  package subscript(language: WeatherLanguage) -> String {
    switch language {
    case .english: english
    case .korean: korean
    }
  }
}
