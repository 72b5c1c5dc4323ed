import Catalog
import Foundation
import Images
import MarketAPI
import Platform
import Presentation
import Text

/// Adds small pictures to output on a terminal: next to the fields of a product, and in the cards of a grid.
///
/// A picture that can't be fetched or drawn, or that has more than 16 megapixels, becomes a placeholder. Ctrl-C cancels
/// the remaining requests.
package struct ReportPictureLoader {
  /// The number of concurrent requests.
  ///
  /// Pictures are drawn one after the other.
  private static let atOnce = 6

  private let scope: CommandScope
  private let graphics: TerminalGraphicsProtocol

  /// Returns `nil` if pictures aren't shown: without a terminal or colors, or with `set pictures off`.
  package init?(_ scope: CommandScope) {
    let settings = scope.session.settings
    guard settings.pictures, settings.colors, !settings.ascii, !settings.treatsAmbiguousAsWide,
      scope.context.program.console.outputIsTerminal, let width = scope.context.program.console.width, width >= 40,
      let graphics = TerminalGraphicsProtocol(environment: scope.context.program.environment.dictionary)
    else { return nil }
    self.scope = scope
    self.graphics = graphics
  }

  func illustrate(_ report: Report) async -> Report {
    switch report {
    case .product(let product, fields: nil): return await card(product)
    case .listing(let listing) where listing.layout == .grid: return .listing(await grid(listing))
    case .receipt(let receipt): return await illustrate(receipt.whole)
    case .group(let reports):
      var illustrated: [Report] = []
      for report in reports { illustrated.append(await illustrate(report)) }
      return .group(illustrated)
    case .product, .listing, .rows, .drawing, .message, .text, .empty: return report
    }
  }

  private func card(_ product: Product) async -> Report {
    guard let address = product.images?.first?.thumbnailURL ?? product.thumbnailURL ?? product.images?.first?.url else {
      return .product(product, fields: nil)
    }
    let count = product.images?.count ?? 1
    let more = "image \(product.id) 2"
    let caption =
      count > 1
      ? LocalizedText(
        "\(.dim("1/\(count)")) \(.command(more)) \(.dim("for the next image"))",
        ko: "\(.dim("1/\(count)")) \(.command(more))\(.dim("로 다음 사진"))") : nil
    let options = scope.dataOptions
    let card = IllustratedCard(product, caption: caption, isText: graphics.isText, options)
    let canvas = SerialPicturePainter(
      TerminalPictureRenderer(graphics, cell: .init(scope.context.program.console.cellPixelSize)))
    guard
      let picture = await picture(
        address, box: card.pictureBox(height: scope.context.program.console.height), painter: canvas)
    else {
      return .drawing(
        IllustratedCard(product, caption: ReportPictureLoader.missing, isText: false, options).drawing(nil))
    }
    return .drawing(card.drawing(picture))
  }

  private static let missing = LocalizedText(
    "\(.dim("(cannot display this image)"))", ko: "\(.dim("(사진을 표시할 수 없음)"))")

  private func grid(_ listing: Listing) async -> Listing {
    var listing = listing
    for await (id, picture) in pictures(of: listing) { listing.pictures[id] = picture }
    return listing
  }

  /// Returns the pictures of a grid as they are drawn.
  ///
  /// Ending the iteration cancels the remaining requests.
  ///
  /// They are drawn as text, because pixel graphics can't be next to each other in a line.
  func pictures(of listing: Listing) -> AsyncStream<(Product.ID, TerminalPicture)> {
    let painter = SerialPicturePainter(
      TerminalPictureRenderer(TerminalGraphicsProtocol.text(scope.context.program.environment.dictionary)))
    let wanted = listing.page.products.compactMap { product in product.thumbnailURL.map { (product.id, $0) } }
    return AsyncStream { stream in
      let work = Task {
        try? await BoundedTaskGroup.forEachConcurrently(of: wanted, atOnce: ReportPictureLoader.atOnce) { id, address in
          (id, await picture(address, box: Listing.pictureBox, painter: painter))
        } take: { id, picture in
          if let picture { stream.yield((id, picture)) }
        }
        stream.finish()
      }
      stream.onTermination = { _ in work.cancel() }
    }
  }

  private var generation: MarketGeneration? { scope.session.market.generation }

  /// Fetches the pictures of a page that isn't shown yet, without drawing them.
  package func fetchAhead(_ page: Page) async {
    let addresses = page.products.compactMap {
      $0.thumbnailURL.flatMap { PictureURLPolicy.url($0, of: scope.session.server.url?.value) }
    }
    guard let transport = try? scope.transport() else { return }
    try? await BoundedTaskGroup.forEachConcurrently(of: addresses, atOnce: ReportPictureLoader.atOnce) { address in
      try Task.checkCancellation()
      _ = try? await scope.context.network.images.cache.picture(
        at: address, of: generation, through: transport, deadline: scope.context.network.images.timeout)
    } take: { _ in
    }
  }

  /// Returns the picture, or `nil` if it can't be fetched or drawn.
  private func picture(
    _ address: String, box: (columns: Int, rows: Int), painter: SerialPicturePainter
  ) async -> TerminalPicture? {
    guard !Task.isCancelled, let url = PictureURLPolicy.url(address, of: scope.session.server.url?.value),
      let transport = try? scope.transport(),
      let data = try? await scope.context.network.images.cache.picture(
        at: url, of: generation, through: transport, deadline: scope.context.network.images.timeout)
    else { return nil }
    return await painter.paint(data, columns: box.columns, rows: box.rows)
  }
}

extension TerminalPictureRenderer.Cell {
  /// Creates the size of the terminal's cells.
  package init(_ size: CellSize) { self.init(width: size.width, height: size.height) }
}

/// Draws pictures one after the other, so that only one decoded picture is in memory.
actor SerialPicturePainter {
  private let painter: TerminalPictureRenderer

  init(_ painter: TerminalPictureRenderer) { self.painter = painter }

  /// Returns the picture, or `nil` if it can't be drawn or the task was cancelled.
  func paint(_ bytes: Data, columns: Int, rows: Int) -> TerminalPicture? {
    guard !Task.isCancelled else { return nil }
    return try? painter.paint(bytes, columns: columns, rows: rows)
  }
}

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
  init?(_ data: Report, illustrator: ReportPictureLoader, in scope: CommandScope) {
    guard case .listing(let listing) = data, listing.layout == .grid, scope.context.program.console.outputIsTerminal,
      scope.context.program.console.height != nil
    else { return nil }
    self.listing = listing
    self.illustrator = illustrator
    self.context = scope.context
    options = scope.dataOptions
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
    guard let height = context.program.console.height, lines.count < height else { return false }
    try context.program.console.writeOutput(lines.map { $0 + "\n" }.joined())
    for await (id, picture) in illustrator.pictures(of: listing) {
      listing.pictures[id] = picture
      let drawn = self.lines(of: listing)
      guard drawn.count == lines.count else { return true }
      try context.program.console.writeOutput(ProgressiveGrid.strokes(from: lines, to: drawn))
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
