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

/// The capabilities of the terminal, determined by its name.
package enum TerminalKind: Equatable {
  /// It can move its cursor; libedit knows it by this name.
  case screen(String)
  /// It only prints: no escape codes are sent, and the kernel edits lines.
  case dumb

  /// The names of terminals that only print.
  private static let plainNames = ["", "dumb", "emacs", "unknown", "cons25"]

  /// Indicates whether the terminal of this process can do more than print, according to its name.
  package static var movesCursor: Bool { !plainNames.contains(getenv("TERM").map { String(cString: $0) } ?? "") }

  /// Indicates whether the terminal wraps its rows again when its width changes.
  ///
  /// The console, screen, rxvt and xterm, which identifies itself by a variable, do not.
  package static var reflows: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    if getenv("XTERM_VERSION") != nil || (name.hasPrefix("screen") && getenv("TMUX") == nil) { return false }
    return !["linux", "rxvt", "vt", "ansi", "cygwin"].contains { name.hasPrefix($0) }
  }

  /// Indicates whether the terminal is known to support cursor shapes (DECSCUSR).
  package static var shapesCursor: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    return ["xterm", "screen", "tmux", "alacritty", "foot", "wezterm", "ghostty", "kitty", "vte", "rxvt-unicode"]
      .contains {
        name.hasPrefix($0)
      }
  }

  /// Determines the capabilities.
  ///
  /// `isKnown` returns true if the terminfo database has an entry of that name.
  init(_ name: String?, isKnown: (String) -> Bool) {
    guard let name, !TerminalKind.plainNames.contains(name) else {
      self = .dumb
      return
    }
    if isKnown(name) {
      self = .screen(name)
      return
    }
    // New terminals may be missing from the terminfo database of a remote machine. The editor only needs to move the
    // cursor and erase, which all of them do as xterm does.
    self = ["xterm", "vt100", "ansi"].first(where: isKnown).map { .screen($0) } ?? .dumb
  }
}

/// The codes sent around a line: the marks of prompt and output, and the window title.
struct ShellIntegrationSequences {
  private static let maximumTitleLength = 80

  private let features: TerminalFeatures
  private var hasTitle = false

  init(_ features: TerminalFeatures) { self.features = features }

  /// Returns the codes before a prompt.
  ///
  /// `status` is that of the previous line, or `nil`.
  mutating func beforePrompt(title: String, status: Int32?) -> String {
    var text = ""
    if features.hasTitle, !title.isEmpty {
      let clean = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\\" }
      // The previous title is saved and restored at the end.
      text +=
        (hasTitle ? "" : "\u{1B}[22;2t") + "\u{1B}]2;" + String(String(clean).prefix(Self.maximumTitleLength)) + "\u{7}"
      hasTitle = true
    }
    guard features.hasMarks else { return text }
    if let status { text += "\u{1B}]133;D;\(status)\u{7}" }
    // The editor draws the prompt again after a resize, so the terminal need not erase it.
    return text + "\u{1B}]133;A;redraw=0\u{7}"
  }

  /// Returns the mark after Enter: output follows.
  var beforeOutput: String { features.hasMarks ? "\u{1B}]133;C\u{7}" : "" }

  /// Returns the code that restores the previous title.
  mutating func atEnd() -> String {
    defer { hasTitle = false }
    return hasTitle ? "\u{1B}[23;2t" : ""
  }
}
