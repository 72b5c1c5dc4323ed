import Testing

@testable import LineEditing

struct GeometryTests {
  @Test(arguments: [
    ("", 0, 0), ("abc", 0, 3), ("abcdefghij", 1, 0), ("abcdefghi가", 1, 2), ("a\nb", 1, 1), ("a\tb", 0, 9),
    ("\u{1}", 0, 2),
  ])
  func placesAreThoseOfLibedit(text: String, row: Int, column: Int) {
    Locale.prepare()
    let place = Geometry(columns: 10).place(after: text.unicodeScalars)
    #expect(place == Geometry.Place(row: row, column: column))
  }

  @Test(arguments: [("가나다", 6, "가나다"), ("가나다", 5, "가나…"), ("가나다", 4, "가…"), ("ab", 1, "…"), ("ab", 0, "")])
  func textIsClippedByColumns(text: String, columns: Int, clipped: String) {
    Locale.prepare()
    #expect(Geometry.clip(text, to: columns) == clipped)
  }
}
