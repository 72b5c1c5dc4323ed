import Text

/// The origin of a value.
///
/// Earlier ones take precedence.
package enum Origin: String, Hashable, Sendable {
  case option
  case environment
  case profile
  case detected
  /// The program that the profile's `secret_command` names.
  case secretCommand = "secret_command"
  case `default` = "default"

  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .option: "옵션"
      case .environment: "환경 변수"
      case .profile: "프로필"
      case .detected: "자동 감지"
      case .secretCommand: "secret_command"
      case .default: "기본값"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}
