import Glibc

/// The features of the terminal beyond moving its cursor, by the environment variables that identify it.
///
/// A code that is not known to be supported is not sent, because the terminal might print it.
package struct TerminalFeatures: Equatable, Sendable {
  /// Hyperlinks (OSC 8).
  package var hasLinks = false
  /// Marks around prompt and output, by which users jump from line to line (OSC 133).
  package var hasMarks = false
  /// The window title (OSC 2).
  package var hasTitle = false
  /// The keyboard protocol of kitty, with a stack of its modes.
  package var hasKeyboardProtocol = false
  /// xterm's mode `modifyOtherKeys`.
  package var hasOtherKeys = false

  package static let none = TerminalFeatures()

  private init() {}

  /// The features of the terminal this process was started on.
  package static var known: TerminalFeatures {
    TerminalFeatures { name in getenv(name).map { String(cString: $0) } }
  }

  /// The terminals by the variables that identify them, with the first versions that support links and marks; `nil`
  /// means never.
  private static let table: [(variable: String, prefix: String, version: String?, links: Int?, marks: Int?)] = [
    ("KITTY_WINDOW_ID", "", nil, 0, 0), ("TERM", "xterm-kitty", nil, 0, 0),
    ("TERM_PROGRAM", "ghostty", nil, 0, 0), ("TERM", "xterm-ghostty", nil, 0, 0),
    ("TERM_PROGRAM", "WezTerm", nil, 0, 0), ("TERM", "wezterm", nil, 0, 0),
    ("TERM_PROGRAM", "iTerm.app", nil, 0, 0), ("TERM_PROGRAM", "vscode", nil, 0, 0),
    ("TERM", "foot", nil, 0, 0), ("WT_SESSION", "", nil, 0, 0),
    ("ALACRITTY_WINDOW_ID", "", nil, 0, nil), ("TERM", "alacritty", nil, 0, nil),
    // Versions 21.04 and 23.04.
    ("KONSOLE_VERSION", "", "KONSOLE_VERSION", 210_400, 230_400),
    // Versions 0.50 and 0.78.
    ("VTE_VERSION", "", "VTE_VERSION", 5_000, 7_800),
  ]

  /// The terminals with the keyboard protocol, by the variables that identify them.
  private static let keyboards: [(variable: String, prefix: String)] = [
    ("KITTY_WINDOW_ID", ""), ("TERM", "xterm-kitty"), ("TERM_PROGRAM", "ghostty"), ("TERM", "xterm-ghostty"),
    ("TERM_PROGRAM", "WezTerm"), ("TERM", "wezterm"), ("TERM_PROGRAM", "iTerm.app"), ("TERM", "foot"),
    ("ALACRITTY_WINDOW_ID", ""), ("TERM", "alacritty"), ("TERM_PROGRAM", "rio"),
  ]

  private static let titled = ["xterm", "rxvt", "alacritty", "foot", "kitty", "ghostty", "wezterm", "vte", "konsole"]

  init(environment value: (String) -> String?) {
    let name = value("TERM") ?? ""
    guard !["", "dumb", "linux", "unknown", "emacs", "cons25"].contains(name) else { return }
    // A terminal multiplexer decides by itself: the variables are those of the terminal it was started on.
    if value("TMUX") != nil || name.hasPrefix("tmux") {
      let isNew = value("TERM_PROGRAM") == "tmux" && Self.version(value("TERM_PROGRAM_VERSION")) >= 304
      (hasLinks, hasMarks, hasTitle, hasOtherKeys) = (isNew, isNew, true, true)
      return
    }
    if name.hasPrefix("screen") { return }
    hasTitle = Self.titled.contains { name.hasPrefix($0) }
    hasKeyboardProtocol = Self.keyboards.contains { value($0.variable)?.hasPrefix($0.prefix) == true }
    // Terminal.app takes the code for a color.
    hasOtherKeys =
      hasKeyboardProtocol || name.hasPrefix("xterm") && value("TERM_PROGRAM") != "Apple_Terminal"
    for entry in Self.table {
      guard let text = value(entry.variable), text.hasPrefix(entry.prefix) else { continue }
      let version = entry.version.flatMap { value($0) }.flatMap { Int($0) } ?? 0
      hasLinks = hasLinks || entry.links.map { version >= $0 } ?? false
      hasMarks = hasMarks || entry.marks.map { version >= $0 } ?? false
    }
  }

  /// Returns 304 for `3.4a`.
  private static func version(_ text: String?) -> Int {
    let parts = (text ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return (parts.first ?? 0) * 100 + (parts.dropFirst().first ?? 0)
  }
}
