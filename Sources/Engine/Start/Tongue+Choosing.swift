import Catalog
import Platform
import Presentation
import Text

extension Tongue {
  /// `--lang`, then LC_ALL, LC_MESSAGES, LANG; English for anything else.
  package init(option: String?, environment: [String: String]) throws {
    if let option {
      guard let tongue = Tongue(rawValue: option) else {
        throw Failure(
          .misread,
          .failure("There is no language \(.value(option)).", ko: "\(.value(option)), 없는 언어입니다.")
            .next("Languages: en, ko", ko: "언어: en, ko"))
      }
      self = tongue
      return
    }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    self = locale?.hasPrefix("ko") == true ? .korean : .english
  }
}
