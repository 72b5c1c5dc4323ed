import CQRCode
import Presentation

/// A QR code as an SVG image, drawn by libqrencode if it is installed.
struct QRCodeImage {
  /// The functions of the library, or nil if it is not installed.
  private static let library: QRCodeFunctions? = {
    var functions = QRCodeFunctions()
    return qrcode_load(&functions) != 0 ? functions : nil
  }()

  /// The width of the light border in modules, as ISO/IEC 18004 requires.
  private static let quietZone = 4

  private let width: Int
  private let isDark: [Bool]

  /// Encodes a text, or returns nil without the library and for a text that is too long.
  init?(_ text: String) {
    guard let library = QRCodeImage.library,
      let code = library.encode(text, 0, Int32(qr_level_medium), Int32(qr_mode_bytes), 1)
    else { return nil }
    defer { library.free(code) }
    let width = Int(code.pointee.width)
    self.width = width
    isDark = (0..<width * width).map { code.pointee.modules[$0] & 1 == 1 }
  }

  /// Returns the element, black on white also on a dark page, because cameras expect that.
  func svg(label: String) -> HTML {
    let size = width + 2 * QRCodeImage.quietZone
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, isDark[row * width + column] { column += 1 }
        if column > start {
          path +=
            "M\(start + QRCodeImage.quietZone) \(row + QRCodeImage.quietZone)h\(column - start)v1h-\(column - start)z"
        }
        column += 1
      }
    }
    return """
      <svg role="img" aria-label="\(label)" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(size)v\(size)h-\(size)z"/><path d="\(path)"/></svg>
      """
  }
}
