import Catalog
import Foundation
import Networking
import Pictures
import Platform
import Presentation
import Scanning
import Text

/// Puts small pictures into what is shown on a terminal: beside the fields of a product, into the cards of a grid.
///
/// A picture that cannot be had or drawn, or has over 16 megapixels, is a placeholder; leaving the view (Ctrl-C) ends
/// what is still being fetched.
struct Illustrator {
  /// Fetched side by side; drawn one after the other.
  private static let atOnce = 6

  private let session: Session
  private let context: Context
  private let way: PictureProtocol

  /// Nil where pictures are not shown: no terminal, one without colours, or `set pictures off`.
  init?(_ session: Session, _ context: Context) {
    let settings = session.settings
    guard settings.pictures, settings.colors, !settings.ascii, !settings.ambiguousWide,
      context.console.outputIsTerminal, let width = context.console.width, width >= 40,
      let way = PictureProtocol(environment: context.environment.values)
    else { return nil }
    self.session = session
    self.context = context
    self.way = way
  }

  func illustrate(_ report: Report) async -> Report {
    switch report {
    case .product(let product, fields: nil): return await card(product)
    case .listing(let listing) where listing.layout == .grid: return .listing(await grid(listing))
    case .written(let receipt): return await illustrate(receipt.whole)
    case .several(let reports):
      var illustrated: [Report] = []
      for report in reports { illustrated.append(await illustrate(report)) }
      return .several(illustrated)
    case .product, .listing, .rows, .drawing, .message, .text, .nothing: return report
    }
  }

  private func card(_ product: Product) async -> Report {
    guard let address = product.images?.first?.thumbnail ?? product.thumbnail ?? product.images?.first?.url else {
      return .product(product, fields: nil)
    }
    let count = product.images?.count ?? 1
    let more = "image \(product.id) 2"
    let caption =
      count > 1
      ? LocalizedText(
        "\(.dim("1/\(count)")) \(.command(more)) \(.dim("shows the next"))",
        ko: "\(.dim("1/\(count)")) \(.command(more))\(.dim("로 다음 사진"))")
      : LocalizedText(same: "\(.dim("1/\(count)"))")
    let options = context.dataOptions(session)
    let card = IllustratedCard(product, caption: caption, isText: way.isText, options)
    let canvas = PictureCanvas(PicturePainter(way, cell: .init(context.console.cell)))
    guard let picture = await picture(address, card.pictureBox(height: context.console.height), canvas) else {
      return .drawing(IllustratedCard(product, caption: Illustrator.missing, isText: false, options).drawing(nil))
    }
    return .drawing(card.drawing(picture))
  }

  private static let missing = LocalizedText(
    "\(.dim("(the picture cannot be shown)"))", ko: "\(.dim("(사진을 표시할 수 없음)"))")

  private func grid(_ listing: Listing) async -> Listing {
    var listing = listing
    for await (id, picture) in pictures(of: listing) { listing.pictures[id] = picture }
    return listing
  }

  /// The pictures of a grid, each as it is drawn; who stops listening ends what is still being fetched.
  ///
  /// Text pictures only: pixels cannot stand beside each other in a line.
  func pictures(of listing: Listing) -> AsyncStream<(Product.ID, TerminalPicture)> {
    let easel = PictureCanvas(PicturePainter(PictureProtocol.text(context.environment.values)))
    let wanted = listing.page.products.compactMap { product in product.thumbnail.map { (product.id, $0) } }
    return AsyncStream { stream in
      let work = Task {
        try? await SideBySide.each(of: wanted, atOnce: Illustrator.atOnce) { id, address in
          (id, await picture(address, Listing.pictureBox, easel))
        } take: { id, picture in
          if let picture { stream.yield((id, picture)) }
        }
        stream.finish()
      }
      stream.onTermination = { _ in work.cancel() }
    }
  }

  /// Fetches the pictures of a page that is not shown yet, so that they are there when it is; draws none.
  func fetchAhead(_ page: Page) async {
    let addresses = page.products.compactMap {
      $0.thumbnail.flatMap { PictureAddress.url($0, of: session.server.url?.value) }
    }
    guard let door = try? context.door(session) else { return }
    try? await SideBySide.each(of: addresses, atOnce: Illustrator.atOnce) { address in
      try Task.checkCancellation()
      _ = try? await context.pictures.picture(at: address, through: door, deadline: context.picturePatience)
    } take: { _ in
    }
  }

  /// Nil for one that cannot be fetched or drawn.
  private func picture(
    _ address: String, _ box: (columns: Int, rows: Int), _ easel: PictureCanvas
  ) async -> TerminalPicture? {
    guard !Task.isCancelled, let url = PictureAddress.url(address, of: session.server.url?.value),
      let door = try? context.door(session),
      let data = try? await context.pictures.picture(
        at: url, through: door, deadline: context.picturePatience)
    else { return nil }
    return await easel.paint(data, columns: box.columns, rows: box.rows)
  }
}

extension PicturePainter.Cell {
  /// The cell of the terminal that a picture is drawn for.
  package init(_ size: CellSize) { self.init(width: size.width, height: size.height) }
}

/// Draws one picture after the other: however many are fetched side by side, one alone is in memory decoded.
actor PictureCanvas {
  private let painter: PicturePainter

  init(_ painter: PicturePainter) { self.painter = painter }

  /// Nil for one that cannot be drawn, or that nobody waits for any more.
  func paint(_ bytes: Data, columns: Int, rows: Int) -> TerminalPicture? {
    guard !Task.isCancelled else { return nil }
    return try? painter.paint(bytes, columns: columns, rows: rows)
  }
}

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
