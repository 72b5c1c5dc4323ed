import Foundation

/// Draws pictures for a terminal: as PNG for those that take it, else through libchafa where it is installed, else with
/// half blocks of our own.
package struct PicturePainter: Sendable {
  /// Pixels of one cell, as most terminals have it; only its shape matters for half blocks.
  package struct Cell: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    package static let usual = Cell(width: 10, height: 20)
  }

  private let way: PictureProtocol
  private let cell: Cell
  private let library: Chafa?

  /// - Parameter library: the name that is opened for libchafa, once in a process; tests name one that is not there.
  package init(_ way: PictureProtocol, cell: Cell = .usual, library: String = Chafa.name) {
    self.library = Chafa.open(library)
    // Without the library there are no sixels.
    self.way = self.library == nil && way == .sixel ? .blocks : way
    isFine = self.library != nil || way == .kitty || way == .iterm2
    self.cell = cell
  }

  /// False where libchafa is missing that would draw better: pictures are coarser then.
  package let isFine: Bool

  /// The file as large as the box of cells allows, its shape kept.
  ///
  /// Throws ``PictureError/tooManyToShow(width:height:)`` over 16 megapixels, before anything is decoded, and what
  /// ``PictureHeader/read(_:)`` and the decoders throw for hostile or broken files.
  /// The picture within so many cells, its shape kept, in the terminal's own way of showing pictures.
  package func paint(_ bytes: Data, columns: Int, rows: Int) throws(PictureError) -> TerminalPicture {
    let box = (width: max(1, columns) * cell.width, height: max(1, rows) * cell.height)
    let header = try PictureHeader.read(bytes)
    try header.checkShown()
    let bitmap = try Bitmap(decoding: bytes, header: header, covering: max(box.width, box.height))
    return paint(bitmap, columns: columns, rows: rows)
  }

  package func paint(_ bitmap: Bitmap, columns: Int, rows: Int) -> TerminalPicture {
    let (columns, rows) = cells(for: bitmap, columns: max(1, columns), rows: max(1, rows))
    let fitted = bitmap.scaled(
      width: max(1, columns * dots.width), height: max(1, rows * dots.height))
    if let pixels = sent(fitted, columns, rows) {
      return TerminalPicture(lines: [pixels], columns: columns, rows: rows)
    }
    if let library, let text = library.draw(fitted, columns: columns, rows: rows, cell: cell, way: way) {
      return TerminalPicture(lines: way.isText ? lines(of: text, rows) : [text], columns: columns, rows: rows)
    }
    let blocks = HalfBlocks(bitmap.scaled(width: columns, height: rows * 2), isTrueColor: way != .blocks256)
    return TerminalPicture(lines: blocks.lines, columns: columns, rows: rows)
  }

  /// The pixels themselves, for a terminal that takes a PNG.
  private func sent(_ bitmap: Bitmap, _ columns: Int, _ rows: Int) -> String? {
    guard way == .kitty || way == .iterm2, let bytes = try? bitmap.png() else { return nil }
    let png = InlinePNG(bytes, columns: columns, rows: rows)
    return way == .kitty ? png.kitty : png.iterm2
  }

  /// Pixels that are worth handing over for one cell.
  private var dots: Cell { way.isText ? Cell(width: 8, height: 16) : cell }

  /// The largest box of that shape within the given one.
  private func cells(for bitmap: Bitmap, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
    let (width, height) = (bitmap.width * cell.height, bitmap.height * cell.width)
    // Rows a picture of all columns would take, and the other way round, rounded to whole cells.
    let tall = max(1, (columns * height + width / 2) / width)
    if tall <= rows { return (columns, tall) }
    return (max(1, min(columns, (rows * width + height / 2) / height)), rows)
  }

  private func lines(of text: String, _ rows: Int) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(rows).map(String.init)
    return lines.map { $0.hasSuffix("\u{1B}[0m") ? $0 : $0 + "\u{1B}[0m" }
  }
}
