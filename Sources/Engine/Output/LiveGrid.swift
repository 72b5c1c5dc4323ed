import Catalog
import Networking
import Pictures
import Platform
import Presentation

/// A grid that stands on the screen before its pictures do: the cards first, and each picture in its place as it comes.
///
/// Only where the whole of it and the next prompt fit on the screen: what has scrolled away cannot be drawn into.
struct LiveGrid {
  private let listing: Listing
  private let illustrator: Illustrator
  private let options: RenderOptions
  private let context: Context

  /// Nil for what is no grid on a terminal that tells its height.
  init?(_ data: Report, _ illustrator: Illustrator, _ session: Session, _ context: Context) {
    guard case .listing(let listing) = data, listing.layout == .grid, context.console.outputIsTerminal,
      context.console.height != nil
    else { return nil }
    self.listing = listing
    self.illustrator = illustrator
    self.context = context
    options = context.dataOptions(session)
  }

  /// False where it does not fit; nothing is shown then.
  ///
  /// - Throws: `OutputError`.
  func show() async throws -> Bool {
    var listing = listing
    // Places without a picture yet.
    for product in listing.page.products {
      listing.pictures[product.id] = TerminalPicture(lines: [], columns: 0, rows: 0)
    }
    var lines = lines(of: listing)
    guard let height = context.console.height, lines.count < height else { return false }
    try context.console.data(lines.map { $0 + "\n" }.joined())
    for await (id, picture) in illustrator.pictures(of: listing) {
      listing.pictures[id] = picture
      let drawn = self.lines(of: listing)
      guard drawn.count == lines.count else { return true }
      try context.console.data(LiveGrid.strokes(from: lines, to: drawn))
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

  /// What makes the one text of the other on the screen, the cursor below its last line before and after.
  static func strokes(from old: [String], to new: [String]) -> String {
    var text = ""
    for (index, line) in new.enumerated() where line != old[index] {
      let up = new.count - index
      text += "\u{1B}[\(up)A\r\(line)\u{1B}[\(up)B\r"
    }
    return text
  }
}
