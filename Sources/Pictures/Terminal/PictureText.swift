import Foundation

/// A picture as kitty and iTerm2 take it: a PNG in base64 between escape codes, which the terminal fits into whole cells.
///
/// A PNG is a tenth of the bare pixels, which is felt over a slow line.
struct InlinePNG {
  /// What kitty takes in one sequence, in letters of base64; a multiple of four, as all but the last must be.
  private static let chunk = 4096

  private let bytes: Data
  private let columns: Int
  private let rows: Int

  init(_ bytes: Data, columns: Int, rows: Int) {
    self.bytes = bytes
    self.columns = columns
    self.rows = rows
  }

  /// The graphics protocol of kitty: all keys in the first sequence, `m=1` while more follow, and no answer wanted (`q=2`),
  /// which would be taken for keys.
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

  /// The inline images of iTerm2, WezTerm and mintty; the shape is in the cells already.
  var iterm2: String {
    "\u{1B}]1337;File=inline=1;size=\(bytes.count);width=\(columns);height=\(rows);preserveAspectRatio=0:"
      + bytes.base64EncodedString() + "\u{7}"
  }
}

/// A bitmap as text: each letter is two pixels, one above the other.
struct HalfBlocks {
  let lines: [String]

  /// - Parameter bitmap: one pixel a column, two a row.
  init(_ bitmap: Bitmap, isTrueColor: Bool) {
    let ground = bitmap.flattened()
    lines = stride(from: 0, to: bitmap.height, by: 2).map { top in
      var line = ""
      var before = ""
      for column in 0..<bitmap.width {
        let upper = HalfBlocks.color(ground[column, top], isTrueColor)
        let lower = HalfBlocks.color(ground[column, min(top + 1, bitmap.height - 1)], isTrueColor)
        let paint = "\u{1B}[38;\(upper);48;\(lower)m"
        if paint != before { line += paint }
        before = paint
        line += "▀"
      }
      return line + "\u{1B}[0m"
    }
  }

  private static func color(_ pixel: Pixel, _ isTrueColor: Bool) -> String {
    if isTrueColor { return "2;\(pixel.red);\(pixel.green);\(pixel.blue)" }
    // The cube of xterm's palette: 6 steps a channel, from number 16.
    let steps = [pixel.red, pixel.green, pixel.blue].map { (Int($0) * 5 + 127) / 255 }
    return "5;\(16 + steps[0] * 36 + steps[1] * 6 + steps[2])"
  }
}

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
