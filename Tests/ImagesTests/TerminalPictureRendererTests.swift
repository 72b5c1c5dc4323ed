import Foundation
import Images
import Testing

/// Pictures for terminals, with libchafa and without it.
@Suite struct TerminalPictureRendererTests {
  private let art = ProductArt.draw(.mug, palette: 7, side: 128)

  @Test(arguments: [
    (["TERM": "xterm-256color"], TerminalGraphicsProtocol.blocks256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .blocks), (["TERM": "xterm-kitty"], .kitty),
    (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
    (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"], .blocks256), (["TERM": "screen-256color"], .blocks256),
    (["TERM": "xterm-ghostty"], .kitty), (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm2),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "COLORTERM": "truecolor"], .iterm2),
    (["TERM": "foot"], .sixel),
  ])
  func protocolIsChosenByTheEnvironment(environment: [String: String], way: TerminalGraphicsProtocol) {
    #expect(TerminalGraphicsProtocol(environment: environment) == way)
  }

  @Test(arguments: ["dumb", "linux", "", "vt100"]) func terminalWithoutColorGetsNoPicture(_ terminal: String) {
    #expect(TerminalGraphicsProtocol(environment: ["TERM": terminal]) == nil)
    #expect(TerminalGraphicsProtocol(environment: [:]) == nil)
  }

  /// Rows of blocks are as wide as declared, contain only colors and blocks, and end without a color.
  @Test(arguments: [TerminalGraphicsProtocol.blocks, .blocks256], [Chafa.name, "libnothing.so.9"])
  func blocksFillTheDeclaredCells(way: TerminalGraphicsProtocol, library: String) throws {
    for (columns, rows) in [(1, 1), (2, 9), (24, 8), (80, 5), (7, 40)] {
      let picture = TerminalPictureRenderer(way, library: library).paint(art, columns: columns, rows: rows)
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

  @Test func aspectRatioIsKept() {
    let painter = TerminalPictureRenderer(.blocks)
    let wide = painter.paint(Bitmap(width: 400, height: 100, fill: .black), columns: 40, rows: 40)
    #expect((wide.columns, wide.rows) == (40, 5))
    let tall = painter.paint(Bitmap(width: 100, height: 400, fill: .black), columns: 40, rows: 10)
    #expect((tall.columns, tall.rows) == (5, 10))
  }

  @Test(arguments: [TerminalGraphicsProtocol.sixel, .blocks, .blocks256])
  func blocksAreDrawnWithoutTheLibrary(way: TerminalGraphicsProtocol) {
    let painter = TerminalPictureRenderer(way, library: "libnothing.so.9")
    #expect(!painter.isFullQuality)
    #expect(painter.paint(art, columns: 6, rows: 3).lines.allSatisfy { $0.contains("▀") })
  }

  /// The graphics protocol of kitty: keys first, chunks of at most 4096 characters, a multiple of four except for the
  /// last.
  @Test(arguments: [Chafa.name, "libnothing.so.9"]) func kittyGetsPNGInChunks(library: String) throws {
    let picture = TerminalPictureRenderer(.kitty, library: library).paint(noise, columns: 20, rows: 10)
    let text = try #require(picture.lines.first)
    #expect(picture.lines.count == 1)
    var letters = ""
    let sequences = text.components(separatedBy: "\u{1B}\\")
    #expect(sequences.last == "" && sequences.count > 3)
    for (index, sequence) in sequences.dropLast().enumerated() {
      let parts = sequence.split(separator: ";")
      let isLast = index == sequences.count - 2
      #expect(parts[0] == "\u{1B}_G\(index == 0 ? "a=T,f=100,c=20,r=10,q=2" : "q=2"),m=\(isLast ? 0 : 1)")
      #expect(isLast ? parts[1].count <= 4096 : parts[1].count == 4096)
      letters += parts[1]
    }
    let sent = try Bitmap(decoding: try #require(Data(base64Encoded: letters)), covering: 1)
    #expect((sent.width, sent.height) == (200, 200))
  }

  /// Inline images of iTerm2: their size in bytes, their dimensions in cells.
  @Test(arguments: [Chafa.name, "libnothing.so.9"]) func iterm2GetsOnePNG(library: String) throws {
    let picture = TerminalPictureRenderer(.iterm2, library: library).paint(noise, columns: 20, rows: 10)
    let text = try #require(picture.lines.first)
    let match = try #require(
      text.wholeMatch(
        of:
          #/\u{1B}\]1337;File=inline=1;size=(\d+);width=20;height=10;preserveAspectRatio=0:([A-Za-z0-9+/=]+)\u{07}/#))
    let bytes = try #require(Data(base64Encoded: String(match.2)))
    #expect(bytes.count == Int(match.1))
    #expect(try Bitmap(decoding: bytes, covering: 1).width == 200)
  }

  /// Raster attributes with the picture's size: as many sixels, of six pixels each, as fit the cells.
  @Test func sixelsHaveRasterAttributes() throws {
    let painter = TerminalPictureRenderer(.sixel)
    try #require(painter.isFullQuality)
    let picture = painter.paint(art, columns: 10, rows: 5)
    let text = try #require(picture.lines.first)
    #expect(picture.lines.count == 1)
    let start = String(text.prefix(60))
    #expect(start.contains(#/^\u{1B}P[0-9;]*q"1;1;100;96/#), "\(start.debugDescription)")
    #expect(text.hasSuffix("\u{1B}\\"))
    #expect(!text.dropFirst(2).dropLast(2).unicodeScalars.contains { $0.value > 0x7E || $0.value < 0x20 })
  }

  /// An incompressible picture.
  private var noise: Bitmap {
    var bitmap = Bitmap(width: 200, height: 200, fill: .black)
    var state: UInt32 = 1
    for index in bitmap.pixels.indices where index % 4 != 3 {
      state = state &* 1_664_525 &+ 1_013_904_223
      bitmap.pixels[index] = UInt8(truncatingIfNeeded: state >> 24)
    }
    return bitmap
  }

  /// Rejected by the header: these files contain no pixels, and decoding would report them as damaged.
  @Test(arguments: [
    Samples.hollowJPEG(width: 4001, height: 4000), CraftedPNG(width: 4001, height: 4000, rows: []).bytes,
  ])
  func tooLargePictureIsNotDecoded(bytes: Data) throws {
    #expect(throws: PictureError.tooLargeToDisplay(width: 4001, height: 4000)) {
      try TerminalPictureRenderer(.blocks).paint(bytes, columns: 9, rows: 9)
    }
    #expect(try PictureHeader.read(bytes).width == 4001)
  }

  @Test func hostileFilesAreRefused() {
    let painter = TerminalPictureRenderer(.blocks)
    #expect(throws: PictureError.notAPicture) { try painter.paint(Data("\u{1B}[2J".utf8), columns: 9, rows: 9) }
    #expect(throws: PictureError.self) { try painter.paint(Data([0xFF, 0xD8, 0xFF, 0xE0]), columns: 9, rows: 9) }
  }
}
