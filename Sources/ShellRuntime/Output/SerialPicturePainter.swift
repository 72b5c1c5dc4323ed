import Foundation
import Images

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
