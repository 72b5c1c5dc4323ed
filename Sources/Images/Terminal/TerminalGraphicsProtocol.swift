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

/// An inline picture for kitty and iTerm2: a PNG in base64 between escape codes, which the terminal scales to cells.
///
/// A PNG is a tenth of the size of raw pixels, which is noticeable over a slow connection.
struct InlinePNG {
  /// The maximum payload of a sequence in kitty, in base64 characters.
  ///
  /// A multiple of four, as required for all but the last.
  private static let chunk = 4096

  private let bytes: Data
  private let columns: Int
  private let rows: Int

  init(_ bytes: Data, columns: Int, rows: Int) {
    self.bytes = bytes
    self.columns = columns
    self.rows = rows
  }

  /// The picture in kitty's graphics protocol: all keys are in the first sequence, `m=1` while more follow, and `q=2`
  /// suppresses the reply, which would be read as keys.
  var kitty: String {
    let letters = Array(bytes.base64EncodedData())
    var text = ""
    for start in stride(from: 0, to: letters.count, by: InlinePNG.chunk) {
      let end = min(start + InlinePNG.chunk, letters.count)
      let keys = start == 0 ? "a=T,f=100,c=\(columns),r=\(rows),q=2" : "q=2"
      text += "\u{1B}_G\(keys),m=\(end < letters.count ? 1 : 0);"
      text += String(decoding: letters[start..<end], as: UTF8.self) + "\u{1B}\\"
    }
    return text
  }

  /// The picture as an inline image of iTerm2, WezTerm and mintty.
  ///
  /// The number of cells already has the right proportions.
  var iterm2: String {
    "\u{1B}]1337;File=inline=1;size=\(bytes.count);width=\(columns);height=\(rows);preserveAspectRatio=0:"
      + bytes.base64EncodedString() + "\u{7}"
  }
}
