import CChafa
import Foundation

/// Renders pictures for a terminal: as PNG if it accepts that, else with libchafa if that is installed, else with our
/// own half blocks.
package struct TerminalPictureRenderer: Sendable {
  /// The size of a cell in pixels, 10 by 20 in most terminals.
  ///
  /// For half blocks only its proportions matter.
  package struct Cell: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    package static let `default` = Cell(width: 10, height: 20)
  }

  private let graphics: TerminalGraphicsProtocol
  private let cell: Cell
  private let library: Chafa?

  /// Creates a renderer.
  ///
  /// `library` is the name of libchafa, loaded once per process; tests name one that does not exist.
  package init(_ graphics: TerminalGraphicsProtocol, cell: Cell = .default, library: String = Chafa.name) {
    self.library = Chafa.open(library)
    // Sixels need the library.
    self.graphics = self.library == nil && graphics == .sixel ? .blocks : graphics
    isFullQuality = self.library != nil || graphics == .kitty || graphics == .iterm2
    self.cell = cell
  }

  /// False if libchafa is missing and would improve the quality.
  package let isFullQuality: Bool

  /// Renders the picture within the given number of cells, preserving its proportions.
  ///
  /// - Throws: ``PictureError/tooLargeToDisplay(width:height:)`` above 16 megapixels, before anything is decoded; the
  ///   errors of ``PictureHeader/read(_:)`` and of the decoders for damaged or crafted files.
  package func paint(_ bytes: Data, columns: Int, rows: Int) throws(PictureError) -> TerminalPicture {
    let box = (width: max(1, columns) * cell.width, height: max(1, rows) * cell.height)
    let header = try PictureHeader.read(bytes)
    try header.checkDisplayable()
    let bitmap = try Bitmap(decoding: bytes, header: header, covering: max(box.width, box.height))
    return paint(bitmap, columns: columns, rows: rows)
  }

  package func paint(_ bitmap: Bitmap, columns: Int, rows: Int) -> TerminalPicture {
    let (columns, rows) = cells(for: bitmap, columns: max(1, columns), rows: max(1, rows))
    let fitted = bitmap.scaled(
      width: max(1, columns * pixelsPerCell.width), height: max(1, rows * pixelsPerCell.height))
    if let pixels = inlineImage(fitted, columns, rows) {
      return TerminalPicture(lines: [pixels], columns: columns, rows: rows)
    }
    if let library, let text = library.draw(fitted, columns: columns, rows: rows, cell: cell, graphics: graphics) {
      return TerminalPicture(lines: graphics.isText ? lines(of: text, rows) : [text], columns: columns, rows: rows)
    }
    let blocks = HalfBlocks(bitmap.scaled(width: columns, height: rows * 2), isTrueColor: graphics != .blocks256)
    return TerminalPicture(lines: blocks.lines, columns: columns, rows: rows)
  }

  /// Returns the picture as an inline PNG if the terminal accepts that.
  private func inlineImage(_ bitmap: Bitmap, _ columns: Int, _ rows: Int) -> String? {
    guard graphics == .kitty || graphics == .iterm2, let bytes = try? bitmap.png() else { return nil }
    let png = InlinePNG(bytes, columns: columns, rows: rows)
    return graphics == .kitty ? png.kitty : png.iterm2
  }

  /// The resolution worth sending per cell.
  private var pixelsPerCell: Cell { graphics.isText ? Cell(width: 8, height: 16) : cell }

  /// Returns the largest box with the picture's proportions within the given one.
  private func cells(for bitmap: Bitmap, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
    let (width, height) = (bitmap.width * cell.height, bitmap.height * cell.width)
    // The number of rows that a picture of all columns would take, rounded to cells.
    let tall = max(1, (columns * height + width / 2) / width)
    if tall <= rows { return (columns, tall) }
    return (max(1, min(columns, (rows * width + height / 2) / height)), rows)
  }

  private func lines(of text: String, _ rows: Int) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(rows).map(String.init)
    return lines.map { $0.hasSuffix("\u{1B}[0m") ? $0 : $0 + "\u{1B}[0m" }
  }
}

extension TerminalGraphicsProtocol {
  /// The library's constant for the pixel mode.
  var pixels: Int32 {
    switch self {
    case .kitty: Int32(chafa_pixels_kitty)
    case .iterm2: Int32(chafa_pixels_iterm2)
    case .sixel: Int32(chafa_pixels_sixels)
    case .blocks, .blocks256: Int32(chafa_pixels_symbols)
    }
  }
}
