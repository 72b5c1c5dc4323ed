/// The language a person reads the weather in.
///
/// Two spellings hide behind it: the weather itself is asked with `lang=kr`, place names are found under `ko`.
package enum WeatherLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"

  /// The service's own code, which is not the ISO one for Korean.
  var asked: String {
    switch self {
    case .english: "en"
    case .korean: "kr"
    }
  }
}
