/// A row of the screen.
struct Row: Equatable {
  /// The cells up to the last one that was written.
  var cells: [Cell] = []
  /// Indicates whether the text continues in the next row, so that a terminal joins the two on copy or resize.
  var isSoftWrapped = false

  /// Returns the column after the character that begins in `column` and the skin tones that follow it.
  func endOfCluster(from column: Int) -> Int {
    var end = column + max(1, cells[column].width)
    while end < cells.count, cells[end].joins { end += max(1, cells[end].width) }
    return min(end, cells.count)
  }
}
