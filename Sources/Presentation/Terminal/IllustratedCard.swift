import Catalog
import Pictures
import Text

/// The card of one product together with its picture: side by side where the terminal is wide enough, the picture above
/// the fields elsewhere.
package struct IllustratedCard {
  /// Cells of a picture that has as much space as it wants.
  private static let preferred = (columns: 28, rows: 10)
  /// A lower picture shows nothing that can be recognised.
  private static let minimumRows = 3
  /// Fields in fewer cells than these wrap too often to be read beside a picture.
  private static let minimumFieldWidth = 44
  private static let gap = 2
  /// The line of the command, the caption, and the next prompt.
  private static let otherRows = 3

  private let product: Product
  private let caption: LocalizedText
  private let options: RenderOptions
  private let isBeside: Bool

  /// - Parameter isText: the picture is drawn as text, which alone can have other text beside it.
  package init(_ product: Product, caption: LocalizedText, isText: Bool, _ options: RenderOptions) {
    self.product = product
    self.caption = caption
    self.options = options
    let beside = IllustratedCard.preferred.columns + IllustratedCard.gap + IllustratedCard.minimumFieldWidth
    isBeside = isText && (options.lineWidth ?? 0) >= beside
  }

  /// Returns the cells that the picture may cover so that the whole card fits a screen of that height.
  package func pictureBox(height: Int?) -> (columns: Int, rows: Int) {
    let preferred = IllustratedCard.preferred
    guard !isBeside, let height else { return preferred }
    let free = height - ProductCard.lines(product, fields: nil, options).count - IllustratedCard.otherRows
    return (preferred.columns, max(IllustratedCard.minimumRows, min(preferred.rows, free)))
  }

  /// Returns the card as lines; without a picture the caption says so.
  package func drawing(_ picture: TerminalPicture?) -> Drawing {
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
    let note = Styling.lines(caption[options.tongue], width: options.lineWidth, options)
    lines = above == nil ? lines + note : note + lines
    return Drawing(lines.map { [.init($0)] }, table: Table([], rows: []), picture: above)
  }
}
