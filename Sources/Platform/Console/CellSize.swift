/// The size of one terminal cell in pixels.
package struct CellSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size to assume if the terminal does not report one.
  package static let `default` = CellSize(width: 10, height: 20)
}
