import Catalog
import Engine
import Foundation
import Pictures
import Platform
import Presentation
import Text

/// One picture of a product as a report: drawn for a terminal that can, and what is known of it as data.
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

  /// Throws `PictureError` for a file that is no picture, is damaged, or is made to harm.
  ///
  /// - Parameter isSeen: whether it is for the terminal; as data it is not decoded.
  func report(_ session: Session, in context: Context, isSeen: Bool) throws(PictureError) -> Report {
    let header = try PictureHeader.read(data)
    let picture = isSeen ? try drawn(session, context) : nil
    return .drawing(Drawing([caption(header, session)], table: table(header), picture: picture))
  }

  /// Nil where the terminal shows none.
  private func drawn(_ session: Session, _ context: Context) throws(PictureError) -> TerminalPicture? {
    let settings = session.settings
    guard context.console.outputIsTerminal, settings.colors, !settings.ascii, !settings.ambiguousWide,
      let way = PictureProtocol(environment: context.environment)
    else { return nil }
    let painter = PicturePainter(way, cell: .init(context.console.cell))
    if !painter.isFine {
      context.say(
        .note("libchafa is not installed; pictures are drawn with half blocks.", ko: "libchafa가 없어 반칸 그림으로 그립니다."),
        session)
    }
    return try painter.paint(
      data, columns: min(100, context.console.width ?? 80), rows: max(4, (context.console.height ?? 24) - 3))
  }

  private func caption(_ header: PictureHeader, _ session: Session) -> [Drawing.Stroke] {
    let dot = session.settings.ascii ? " - " : " · "
    let parts = [
      "\(number)/\(count)", "\(header.width)x\(header.height)", HumanNumber.bytes(data.count),
      Sanitizer.clean(address, limit: 500),
    ]
    return [.init(parts.joined(separator: dot), .dim)]
  }

  private func table(_ header: PictureHeader) -> Table {
    Table(
      [
        .init("product", Wording("product", ko: "상품"), isNumber: true),
        .init("n", Wording("n", ko: "번호"), isNumber: true),
        .init("of", Wording("of", ko: "모두"), isNumber: true), .init("url", Wording("address", ko: "주소")),
        .init("type", Wording("type", ko: "종류")), .init("width", Wording("width", ko: "너비"), isNumber: true),
        .init("height", Wording("height", ko: "높이"), isNumber: true),
        .init("bytes", Wording("bytes", ko: "바이트"), isNumber: true),
      ],
      rows: [
        [
          .number(product.id), .number(number), .number(count), .text(address), .text(header.format.mediaType),
          .number(header.width), .number(header.height), .number(data.count),
        ]
      ], isSingle: true)
  }
}
