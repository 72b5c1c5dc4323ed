import Catalog
import Images
import Platform
import Presentation

/// Prints a grid immediately and draws each picture when it arrives.
///
/// It is used only if the grid and the next prompt fit on the screen, because rows that have scrolled away can't be
/// redrawn.
struct ProgressiveGrid {
  private let listing: Listing
  private let illustrator: ReportPictureLoader
  private let options: RenderOptions
  private let context: CommandContext

  /// Returns `nil` for other reports, and if the terminal's height isn't known.
  init?(_ data: Report, _ illustrator: ReportPictureLoader, _ session: Session, _ context: CommandContext) {
    guard case .listing(let listing) = data, listing.layout == .grid, context.console.outputIsTerminal,
      context.console.height != nil
    else { return nil }
    self.listing = listing
    self.illustrator = illustrator
    self.context = context
    options = context.dataOptions(session)
  }

  /// Prints the grid, or returns false without printing if it doesn't fit.
  ///
  /// - Throws: `OutputError`.
  func show() async throws -> Bool {
    var listing = listing
    // The space for the pictures is reserved.
    for product in listing.page.products {
      listing.pictures[product.id] = TerminalPicture(lines: [], columns: 0, rows: 0)
    }
    var lines = lines(of: listing)
    guard let height = context.console.height, lines.count < height else { return false }
    try context.console.writeOutput(lines.map { $0 + "\n" }.joined())
    for await (id, picture) in illustrator.pictures(of: listing) {
      listing.pictures[id] = picture
      let drawn = self.lines(of: listing)
      guard drawn.count == lines.count else { return true }
      try context.console.writeOutput(ProgressiveGrid.strokes(from: lines, to: drawn))
      lines = drawn
    }
    return true
  }

  private func lines(of listing: Listing) -> [String] {
    let text = TerminalRenderer().render(.listing(listing), options)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns the control sequences that replace one text by another on the screen.
  ///
  /// The cursor is below the last line before and after.
  static func strokes(from old: [String], to new: [String]) -> String {
    var text = ""
    for (index, line) in new.enumerated() where line != old[index] {
      let up = new.count - index
      text += "\u{1B}[\(up)A\r\(line)\u{1B}[\(up)B\r"
    }
    return text
  }
}
