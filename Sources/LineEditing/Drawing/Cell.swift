/// A cell of the screen.
struct Cell: Equatable {
  /// The character, or `nil` for a cell that was not written to.
  var scalar: Unicode.Scalar?
  /// The scalars drawn into the same cell: combining marks, VS16.
  var combiningScalars: [Unicode.Scalar] = []
  /// The width: 2 for a wide character, 0 for its right half.
  var width = 1
  /// The parameters of SGR, between `ESC [` and `m`.
  var style = ""
  /// Indicates a skin tone, which some terminals draw into the cell before.
  var joins = false

  /// Indicates whether terminals disagree about the width, so that the cursor is positioned explicitly after it.
  var hasAmbiguousWidth: Bool {
    joins || (!combiningScalars.isEmpty && (scalar.map { $0.value >= 0x2190 } ?? false))
      || combiningScalars.contains(DrawnWidth.pictureSelector)
  }

  static let rightHalf = Cell(width: 0)
}
