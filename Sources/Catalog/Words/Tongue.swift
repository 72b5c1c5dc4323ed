/// The language a person reads: what `--lang`, LC_ALL, LC_MESSAGES or LANG choose.
package enum Tongue: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}
