/// One cell of the screen.
struct Cell: Equatable {
  /// Nil for a cell that nothing was written to.
  var scalar: Unicode.Scalar?
  /// What is drawn into the same cell: accents, the joiner of an emoji.
  var marks: [Unicode.Scalar] = []
  /// 2 for a wide character, 0 for its right half.
  var width = 1
  /// What stands between `ESC [` and `m`.
  var style = ""

  /// Whether terminals disagree on how wide it is, so that the cursor is sent to where it ends.
  var isContested: Bool {
    !marks.isEmpty && (scalar.map { $0.value >= 0x2190 } ?? false)
  }

  static let rightHalf = Cell(width: 0)
}

/// A row of the screen.
struct Row: Equatable {
  /// Up to the last one that was written.
  var cells: [Cell] = []
  /// Whether the next row goes on with it, so that a terminal joins the two when it copies or gets wider.
  var wraps = false
}

/// Where something is drawn, counted from 0.
struct Place: Equatable {
  var row = 0
  var column = 0
}

/// What the editor shows: rows of cells and the cursor. It may be higher than the window.
struct Frame: Equatable {
  var rows: [Row] = [Row()]
  var cursor = Place()
  /// Where the text ends; what is drawn behind and below it is none of it.
  var end = Place()
}
