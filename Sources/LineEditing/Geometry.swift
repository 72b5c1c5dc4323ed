import CEditLine

/// Where libedit puts each character, so that more can be drawn over and beside its text.
///
/// The rules are those of libedit's refresh: a wide character that does not fit starts the next row, a full row
/// wraps at once, tabs stop every eight columns, control characters take two columns.
struct Geometry {
  struct Place: Equatable {
    var row = 0
    var column = 0
  }

  var columns: Int

  func advance(_ place: inout Place, over scalar: Unicode.Scalar) {
    if scalar == "\n" {
      place = Place(row: place.row + 1, column: 0)
      return
    }
    let width = scalar == "\t" ? 8 - place.column % 8 : Self.width(of: scalar)
    if place.column + width > columns { place = Place(row: place.row + 1, column: 0) }
    place.column += width
    if place.column >= columns { place = Place(row: place.row + 1, column: 0) }
  }

  func place(after text: some Sequence<Unicode.Scalar>, from start: Place = Place()) -> Place {
    text.reduce(into: start) { advance(&$0, over: $1) }
  }

  static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return 2 }
    let width = wcwidth(wchar_t(bitPattern: scalar.value))
    // What cannot be printed libedit writes as \U+1234.
    return width < 0 ? (scalar.value > 0xFFFF ? 8 : 7) : Int(width)
  }

  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  /// The start of the text that fits in so many columns, with `…` where something was cut.
  static func clip(_ text: String, to columns: Int) -> String {
    if width(of: text) <= columns { return text }
    if columns < 1 { return "" }
    var kept = String.UnicodeScalarView()
    var used = 1
    for scalar in text.unicodeScalars {
      used += width(of: scalar)
      if used > columns { break }
      kept.append(scalar)
    }
    return String(kept) + "…"
  }
}
