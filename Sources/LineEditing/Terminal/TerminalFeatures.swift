import Glibc

/// What the terminal is known to take beyond moving its cursor, told by what it says of itself in the environment. What is
/// not known is not sent: a terminal that does not understand a code may print it.
package struct TerminalFeatures: Equatable, Sendable {
  /// Text that leads to an address (OSC 8).
  package var hasLinks = false
  /// Marks around prompt and output, by which one jumps from line to line (OSC 133).
  package var hasMarks = false
  /// A title of its own for the window (OSC 2).
  package var hasTitle = false

  package static let none = TerminalFeatures()

  private init() {}

  /// Those of the terminal this process was started on.
  package static var known: TerminalFeatures {
    TerminalFeatures { name in getenv(name).map { String(cString: $0) } }
  }

  /// Terminals by what names them, from which version on they take links and marks; nil is never.
  private static let table: [(variable: String, prefix: String, version: String?, links: Int?, marks: Int?)] = [
    ("KITTY_WINDOW_ID", "", nil, 0, 0), ("TERM", "xterm-kitty", nil, 0, 0),
    ("TERM_PROGRAM", "ghostty", nil, 0, 0), ("TERM", "xterm-ghostty", nil, 0, 0),
    ("TERM_PROGRAM", "WezTerm", nil, 0, 0), ("TERM", "wezterm", nil, 0, 0),
    ("TERM_PROGRAM", "iTerm.app", nil, 0, 0), ("TERM_PROGRAM", "vscode", nil, 0, 0),
    ("TERM", "foot", nil, 0, 0), ("WT_SESSION", "", nil, 0, 0),
    ("ALACRITTY_WINDOW_ID", "", nil, 0, nil), ("TERM", "alacritty", nil, 0, nil),
    // 21.04 and 23.04.
    ("KONSOLE_VERSION", "", "KONSOLE_VERSION", 210_400, 230_400),
    // 0.50 and 0.78.
    ("VTE_VERSION", "", "VTE_VERSION", 5_000, 7_800),
  ]

  private static let titled = ["xterm", "rxvt", "alacritty", "foot", "kitty", "ghostty", "wezterm", "vte", "konsole"]

  init(environment value: (String) -> String?) {
    let name = value("TERM") ?? ""
    guard !["", "dumb", "linux", "unknown", "emacs", "cons25"].contains(name) else { return }
    // What stands between answers for itself: the variables are those of the terminal it was started on.
    if value("TMUX") != nil || name.hasPrefix("tmux") {
      let isNew = value("TERM_PROGRAM") == "tmux" && Self.version(value("TERM_PROGRAM_VERSION")) >= 304
      (hasLinks, hasMarks, hasTitle) = (isNew, isNew, true)
      return
    }
    if name.hasPrefix("screen") { return }
    hasTitle = Self.titled.contains { name.hasPrefix($0) }
    for entry in Self.table {
      guard let text = value(entry.variable), text.hasPrefix(entry.prefix) else { continue }
      let version = entry.version.flatMap { value($0) }.flatMap { Int($0) } ?? 0
      hasLinks = hasLinks || entry.links.map { version >= $0 } ?? false
      hasMarks = hasMarks || entry.marks.map { version >= $0 } ?? false
    }
  }

  /// `3.4a` is 304.
  private static func version(_ text: String?) -> Int {
    let parts = (text ?? "").split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return (parts.first ?? 0) * 100 + (parts.dropFirst().first ?? 0)
  }
}

/// What is said to the terminal around a line: which rows are a prompt, which are output, and what the window is called.
struct TerminalMarks {
  private static let longestTitle = 80

  private let features: TerminalFeatures
  private var hasTitle = false

  init(_ features: TerminalFeatures) { self.features = features }

  /// Before a prompt.
  /// - Parameter status: of the line that ran before it; nil for none.
  mutating func beforePrompt(title: String, status: Int32?) -> String {
    var text = ""
    if features.hasTitle, !title.isEmpty {
      let clean = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\\" }
      // The title there was is kept for the end.
      text += (hasTitle ? "" : "\u{1B}[22;2t") + "\u{1B}]2;" + String(String(clean).prefix(Self.longestTitle)) + "\u{7}"
      hasTitle = true
    }
    guard features.hasMarks else { return text }
    if let status { text += "\u{1B}]133;D;\(status)\u{7}" }
    // We draw the prompt anew after a new size, so nobody else need take it away.
    return text + "\u{1B}]133;A;redraw=0\u{7}"
  }

  /// Behind Enter: what follows is output.
  var beforeOutput: String { features.hasMarks ? "\u{1B}]133;C\u{7}" : "" }

  /// Gives the window the title it had.
  mutating func atEnd() -> String {
    defer { hasTitle = false }
    return hasTitle ? "\u{1B}[23;2t" : ""
  }
}

/// What the terminal can do, told by its name.
package enum TerminalKind: Equatable {
  /// Moves its cursor; libedit knows it by this name.
  case screen(String)
  /// Prints and no more: no escape codes, lines are edited by the kernel.
  case dumb

  /// Terminals that print and no more, by their names.
  private static let plainNames = ["", "dumb", "emacs", "unknown", "cons25"]

  /// Whether the terminal of this process can do more than print, as far as its name tells.
  package static var movesCursor: Bool { !plainNames.contains(getenv("TERM").map { String(cString: $0) } ?? "") }

  /// Whether the terminal wraps its rows anew when its window gets another width. xterm says that it is one; the console,
  /// screen and rxvt do not.
  package static var reflows: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    if getenv("XTERM_VERSION") != nil || (name.hasPrefix("screen") && getenv("TMUX") == nil) { return false }
    return !["linux", "rxvt", "vt", "ansi", "cygwin"].contains { name.hasPrefix($0) }
  }

  /// Whether the terminal is known to give its cursor a shape (DECSCUSR).
  package static var shapesCursor: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    return ["xterm", "screen", "tmux", "alacritty", "foot", "wezterm", "ghostty", "kitty", "vte", "rxvt-unicode"]
      .contains {
        name.hasPrefix($0)
      }
  }

  /// - Parameter isKnown: whether the terminal data base has an entry of that name.
  init(_ name: String?, isKnown: (String) -> Bool) {
    guard let name, !TerminalKind.plainNames.contains(name) else {
      self = .dumb
      return
    }
    if isKnown(name) {
      self = .screen(name)
      return
    }
    // New terminals are ahead of the data base of the machine one logs in to. What is drawn needs no more than moving the
    // cursor and erasing, which all of them understand as xterm does.
    self = ["xterm", "vt100", "ansi"].first(where: isKnown).map { .screen($0) } ?? .dumb
  }
}
