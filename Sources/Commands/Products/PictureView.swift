import Catalog
import Foundation
import Images
import Platform
import Presentation
import ShellRuntime
import Text

/// An image of a product as a report: drawn on a terminal that supports it, and its properties as data.
struct PictureView {
  private let product: Product
  private let number: Int
  private let count: Int
  private let address: String
  private let data: Data

  init(_ product: Product, _ number: Int, of count: Int, _ address: String, _ data: Data) {
    self.product = product
    self.number = number
    self.count = count
    self.address = address
    self.data = data
  }

  /// Returns the report of the image.
  ///
  /// The image is decoded only if `isSeen` is true, which means that it is shown on the terminal.
  func report(_ session: Session, in context: CommandContext, isSeen: Bool) throws(PictureError) -> Report {
    let header = try PictureHeader.read(data)
    let picture = isSeen ? try drawn(session, context) : nil
    return .drawing(Figure([caption(header, session)], table: table(header), picture: picture))
  }

  /// Returns the image for the terminal, or `nil` if it can't show images.
  private func drawn(_ session: Session, _ context: CommandContext) throws(PictureError) -> TerminalPicture? {
    let settings = session.settings
    guard context.console.outputIsTerminal, settings.colors, !settings.ascii, !settings.treatsAmbiguousAsWide,
      let graphics = TerminalGraphicsProtocol(environment: context.environment.dictionary)
    else { return nil }
    let painter = TerminalPictureRenderer(graphics, cell: .init(context.console.cellPixelSize))
    if !painter.isFullQuality {
      context.say(
        .note(
          "libchafa is not installed. Images are drawn with block characters.", ko: "libchafa가 없어 사진을 블록 문자로 표시합니다."),
        session)
    }
    return try painter.paint(
      data, columns: min(100, context.console.width ?? 80), rows: max(4, (context.console.height ?? 24) - 3))
  }

  private func caption(_ header: PictureHeader, _ session: Session) -> [Figure.Run] {
    let dot = session.settings.ascii ? " - " : " · "
    let parts = [
      "\(number)/\(count)", "\(header.width)x\(header.height)", NumberFormatting.bytes(data.count),
      Sanitizer.sanitized(address, limit: 500),
    ]
    return [.init(parts.joined(separator: dot), .dim)]
  }

  private func table(_ header: PictureHeader) -> Table {
    Table(
      [
        .init("product", LocalizedText("product", ko: "상품"), isNumber: true),
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("of", LocalizedText("of", ko: "모두"), isNumber: true), .init("url", LocalizedText("url", ko: "주소")),
        .init("type", LocalizedText("type", ko: "종류")),
        .init("width", LocalizedText("width", ko: "너비"), isNumber: true),
        .init("height", LocalizedText("height", ko: "높이"), isNumber: true),
        .init("bytes", LocalizedText("bytes", ko: "바이트"), isNumber: true),
      ],
      rows: [
        [
          .number(product.id), .number(number), .number(count), .text(address), .text(header.format.mediaType),
          .number(header.width), .number(header.height), .number(data.count),
        ]
      ], isSingle: true)
  }
}
