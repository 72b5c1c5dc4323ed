import Foundation
import Pictures
import Testing

/// Pictures as terminals take them, through libchafa and without it.
@Suite struct TerminalPictureTests {
  private let art = ProductArt.draw(.mug, palette: 7, side: 128)

  @Test(arguments: [
    (["TERM": "xterm-256color"], PictureProtocol.blocks256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .blocks), (["TERM": "xterm-kitty"], .kitty),
    (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
    (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"], .blocks256), (["TERM": "screen-256color"], .blocks256),
    (["TERM": "xterm-ghostty"], .kitty), (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "COLORTERM": "truecolor"], .iterm2),
    (["TERM": "foot"], .sixel),
  ])
  func aTerminalIsKnownByItsEnvironment(environment: [String: String], way: PictureProtocol) {
    #expect(PictureProtocol(environment: environment) == way)
  }

  @Test(arguments: ["dumb", "linux", "", "vt100"]) func poorTerminalsGetNone(_ terminal: String) {
    #expect(PictureProtocol(environment: ["TERM": terminal]) == nil)
    #expect(PictureProtocol(environment: [:]) == nil)
  }

  /// Rows of blocks are as wide as they say, hold nothing but colours and blocks, and end without colour.
  @Test(arguments: [PictureProtocol.blocks, .blocks256], [Chafa.name, "libnothing.so.9"])
  func blocksAreRowsOfCells(way: PictureProtocol, library: String) throws {
    for (columns, rows) in [(1, 1), (2, 9), (24, 8), (80, 5), (7, 40)] {
      let picture = PicturePainter(way, library: library).paint(art, columns: columns, rows: rows)
      #expect(picture.columns <= columns && picture.rows <= rows)
      #expect(picture.lines.count == picture.rows)
      for line in picture.lines {
        let text = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        #expect(text.unicodeScalars.count == picture.columns)
        #expect(text.unicodeScalars.allSatisfy { $0 == " " || (0x2580...0x259F).contains($0.value) }, "\(text)")
        #expect(line.hasSuffix("\u{1B}[0m"))
      }
    }
  }

  @Test func theShapeIsKept() {
    let painter = PicturePainter(.blocks)
    let wide = painter.paint(Bitmap(width: 400, height: 100, fill: .black), columns: 40, rows: 40)
    #expect((wide.columns, wide.rows) == (40, 5))
    let tall = painter.paint(Bitmap(width: 100, height: 400, fill: .black), columns: 40, rows: 10)
    #expect((tall.columns, tall.rows) == (5, 10))
  }

  @Test func withoutTheLibraryEveryTerminalGetsBlocks() {
    for way in PictureProtocol.allCases {
      let painter = PicturePainter(way, library: "libnothing.so.9")
      #expect(!painter.hasLibrary)
      #expect(painter.paint(art, columns: 6, rows: 3).lines.allSatisfy { $0.contains("▀") })
    }
  }

  /// What each protocol begins and ends with; skipped where the library is not installed.
  @Test(arguments: [
    (PictureProtocol.kitty, "\u{1B}_G", "\u{1B}\\"), (.iterm2, "\u{1B}]1337;File=", "\u{7}"),
    (.sixel, "\u{1B}P", "\u{1B}\\"),
  ])
  func pixelsAreSentByTheProtocol(way: PictureProtocol, start: String, end: String) throws {
    let painter = PicturePainter(way)
    try #require(painter.hasLibrary)
    let picture = painter.paint(art, columns: 10, rows: 5)
    let text = picture.lines.joined(separator: "\n")
    #expect(picture.lines.count == 1)
    #expect(text.contains(start), "\(text.prefix(60).debugDescription)")
    #expect(text.contains(end))
    #expect(!text.unicodeScalars.contains { $0.value > 0x7E })
  }

  @Test func hostileFilesAreRefused() {
    let painter = PicturePainter(.blocks)
    #expect(throws: PictureError.notAPicture) { try painter.paint(Data("\u{1B}[2J".utf8), columns: 9, rows: 9) }
    #expect(throws: PictureError.self) { try painter.paint(Data([0xFF, 0xD8, 0xFF, 0xE0]), columns: 9, rows: 9) }
  }
}
