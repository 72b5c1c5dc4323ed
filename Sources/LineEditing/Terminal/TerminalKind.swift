import Glibc

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
    // New terminals are ahead of the data base of the machine one logs in to; they all understand xterm.
    let relatives = ["xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "wezterm", "ghostty", "kitty", "vte"]
    let isRelative = relatives.contains { name.hasPrefix($0) }
    self = isRelative ? ["xterm", "vt100", "ansi"].first(where: isKnown).map { .screen($0) } ?? .dumb : .dumb
  }
}
