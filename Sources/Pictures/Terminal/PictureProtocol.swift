/// How a terminal takes pictures; told by its environment, because asking it would cost an exchange at every start.
package enum PictureProtocol: String, Hashable, Sendable, CaseIterable {
  case kitty, iterm2, sixel
  /// Half blocks in 24-bit colours.
  case blocks
  /// Half blocks in xterm's palette of 256.
  case blocks256

  /// Drawn as text, so that it can stand inside other text.
  package var isText: Bool {
    switch self {
    case .kitty, .iterm2, .sixel: false
    case .blocks, .blocks256: true
    }
  }

  /// Nil for a terminal that has not even 256 colours.
  package init?(environment: [String: String]) {
    let terminal = environment["TERM"] ?? ""
    guard !["", "dumb", "linux", "vt100", "vt220", "unknown"].contains(terminal) else { return nil }
    self = PictureProtocol.graphics(terminal, environment) ?? PictureProtocol.text(environment)
  }

  /// The same terminal for pictures that stand among other text.
  package static func text(_ environment: [String: String]) -> PictureProtocol {
    let colors = environment["COLORTERM"] ?? ""
    let isTrue = colors == "truecolor" || colors == "24bit" || environment["TERM"]?.hasSuffix("-direct") == true
    return isTrue ? .blocks : .blocks256
  }

  private static func graphics(_ terminal: String, _ environment: [String: String]) -> PictureProtocol? {
    // A multiplexer in between swallows what it does not know.
    let isInside = environment["TMUX"] != nil || environment["STY"] != nil
    if isInside || terminal.hasPrefix("screen") || terminal.hasPrefix("tmux") { return nil }
    let program = environment["TERM_PROGRAM"] ?? ""
    if environment["KITTY_WINDOW_ID"] != nil || terminal.contains("kitty") { return .kitty }
    if terminal.contains("ghostty") || program == "ghostty" { return .kitty }
    if program == "iTerm.app" || environment["LC_TERMINAL"] == "iTerm2" { return .iterm2 }
    if program == "WezTerm" || program == "mintty" || terminal == "wezterm" { return .iterm2 }
    let sixels = ["foot", "mlterm", "yaft", "contour"]
    if terminal.contains("sixel") || sixels.contains(where: { terminal.hasPrefix($0) }) { return .sixel }
    return nil
  }
}

/// A picture as a terminal takes it: escape sequences of ours, nothing of the file's own bytes.
package struct TerminalPicture: Hashable, Sendable {
  /// One line a row for half blocks; one line in all for a protocol that sends pixels.
  package var lines: [String]
  /// Cells it covers.
  package var columns: Int
  package var rows: Int

  package init(lines: [String], columns: Int, rows: Int) {
    self.lines = lines
    self.columns = columns
    self.rows = rows
  }
}
