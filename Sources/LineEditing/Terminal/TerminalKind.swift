import Glibc

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
