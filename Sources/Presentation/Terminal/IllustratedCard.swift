import Catalog
import Images
import Text

/// The card of one product with its picture: side by side if the terminal is wide enough, otherwise the picture above
/// the fields.
package struct IllustratedCard {
  /// The preferred size of a picture in cells.
  private static let preferred = (columns: 28, rows: 10)
  /// The minimum height of a recognizable picture.
  private static let minimumRows = 3
  /// The minimum width of fields next to a picture; narrower ones wrap too often.
  private static let minimumFieldWidth = 44
  private static let gap = 2
  /// The rows of the command, the caption, and the next prompt.
  private static let otherRows = 3

  private let product: Product
  private let caption: LocalizedText?
  private let options: RenderOptions
  private let isBeside: Bool

  /// Creates a card.
  ///
  /// The `caption` names the next picture, or is `nil` if there is only one. `isText` means that the picture consists of
  /// characters; only then can there be text next to it.
  package init(_ product: Product, caption: LocalizedText?, isText: Bool, _ options: RenderOptions) {
    self.product = product
    self.caption = caption
    self.options = options
    let beside = IllustratedCard.preferred.columns + IllustratedCard.gap + IllustratedCard.minimumFieldWidth
    isBeside = isText && (options.lineWidth ?? 0) >= beside
  }

  /// Returns the maximum size of the picture, in cells, for which the complete card fits a screen of that height.
  package func pictureBox(height: Int?) -> (columns: Int, rows: Int) {
    let preferred = IllustratedCard.preferred
    guard !isBeside, let height else { return preferred }
    let free = height - ProductCard.lines(product, fields: nil, options).count - IllustratedCard.otherRows
    return (preferred.columns, max(IllustratedCard.minimumRows, min(preferred.rows, free)))
  }

  /// Returns the card as lines.
  ///
  /// Without a picture the caption says so.
  package func drawing(_ picture: TerminalPicture?) -> Figure {
    var lines: [String]
    var above: TerminalPicture?
    if let picture, isBeside {
      var narrow = options
      narrow.width = options.lineWidth.map { $0 - picture.columns - IllustratedCard.gap }
      let fields = ProductCard.lines(product, fields: nil, narrow)
      lines = (0..<max(fields.count, picture.rows)).map { row in
        let left = row < picture.lines.count ? picture.lines[row] : String(repeating: " ", count: picture.columns)
        return left + String(repeating: " ", count: IllustratedCard.gap) + (row < fields.count ? fields[row] : "")
      }
    } else {
      lines = ProductCard.lines(product, fields: nil, options)
      above = picture
    }
    let note = caption.map { Styling.lines($0[options.language], width: options.lineWidth, options) } ?? []
    lines = above == nil ? lines + note : note + lines
    return Figure(lines.map { [.init($0)] }, table: Table([], rows: []), picture: above)
  }
}
