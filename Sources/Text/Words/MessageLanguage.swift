/// The language of messages, chosen by `--lang`, LC_ALL, LC_MESSAGES or LANG.
package enum MessageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}
