import Foundation
import Pictures

/// Draws one picture after the other: however many are fetched side by side, one alone is in memory decoded.
actor Easel {
  private let painter: PicturePainter

  init(_ painter: PicturePainter) { self.painter = painter }

  /// Nil for one that cannot be drawn, or that nobody waits for any more.
  func paint(_ bytes: Data, columns: Int, rows: Int) -> TerminalPicture? {
    guard !Task.isCancelled else { return nil }
    return try? painter.paint(bytes, columns: columns, rows: rows)
  }
}
