import Glibc

/// libedit drops every character outside ASCII, and may crash, where the locale is not UTF-8.
enum Locale {
  /// Takes the character set of the environment when it is UTF-8, else one that is.
  static func prepare() {
    setlocale(LC_CTYPE, "")
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8"] where !isUTF8 {
      setlocale(LC_CTYPE, name)
    }
  }

  private static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
