import Foundation

/// The way a terminal shows pictures, determined by its environment, because a query would cost a round trip at every
/// start.
package enum TerminalGraphicsProtocol: String, Hashable, Sendable, CaseIterable {
  case kitty, iterm2, sixel
  /// Half blocks in 24-bit color.
  case blocks
  /// Half blocks in xterm's palette of 256 colors.
  case blocks256

  /// Indicates whether pictures are text, which can be placed within other text.
  package var isText: Bool {
    switch self {
    case .kitty, .iterm2, .sixel: false
    case .blocks, .blocks256: true
    }
  }

  /// Determines the protocol, or returns `nil` for a terminal with fewer than 256 colors.
  package init?(environment: [String: String]) {
    let terminal = environment["TERM"] ?? ""
    guard !["", "dumb", "linux", "vt100", "vt220", "unknown"].contains(terminal) else { return nil }
    self = TerminalGraphicsProtocol.graphics(terminal, environment) ?? TerminalGraphicsProtocol.text(environment)
  }

  /// Returns the text protocol for the terminal, for pictures within other text.
  package static func text(_ environment: [String: String]) -> TerminalGraphicsProtocol {
    let colors = environment["COLORTERM"] ?? ""
    let isTrue = colors == "truecolor" || colors == "24bit" || environment["TERM"]?.hasSuffix("-direct") == true
    return isTrue ? .blocks : .blocks256
  }

  private static func graphics(_ terminal: String, _ environment: [String: String]) -> TerminalGraphicsProtocol? {
    // A terminal multiplexer drops sequences that it does not know.
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
