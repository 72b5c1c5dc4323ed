import CEditLine
import Glibc

/// Sets the locale.
///
/// Without UTF-8 libedit drops every character outside ASCII and may crash.
enum UTF8Locale {
  /// Uses the character set of the environment if it is UTF-8, or else another locale with UTF-8.
  static func activate() {
    setlocale(LC_CTYPE, "")
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] where !isUTF8 {
      setlocale(LC_CTYPE, name)
    }
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
