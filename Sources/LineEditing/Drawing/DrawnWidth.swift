import Text

/// The cells that text takes where ``FrameBuilder`` draws it: the parts of a joined emoji stand beside each other.
///
/// `CellWidth` measures sequences as terminals do that join them. What is drawn here is never joined, so a text that is to
/// stand beside others is measured and cut by these widths.
struct DrawnWidth {
  /// Asks for the picture of a character that is also a plain sign; such a picture takes two cells.
  static let pictureSelector: Unicode.Scalar = "\u{FE0F}"
  private static let cells = CellWidth()

  /// The cells of one scalar on its own, in a text that is edited.
  static func of(_ scalar: Unicode.Scalar) -> Int { isControl(scalar) ? 2 : cells.of(scalar) }

  static func of(_ text: String) -> Int {
    var sum = 0
    var last: (scalar: Unicode.Scalar, width: Int)?
    for scalar in text.unicodeScalars {
      if scalar == pictureSelector, let base = last, base.width == 1, base.scalar.properties.isEmoji {
        sum += 1
        last = (base.scalar, 2)
        continue
      }
      let width = width(of: scalar, isFirst: last == nil)
      sum += width
      if width > 0 { last = (scalar, width) }
    }
    return sum
  }

  /// Returns the text, or as much of it as fits with `…` behind it.
  static func fit(_ text: String, to room: Int) -> String {
    guard room > 0 else { return "" }
    guard of(text) > room else { return text }
    var kept = ""
    var sum = 1
    for character in text {
      let width = of(String(character))
      if sum + width > room { break }
      sum += width
      kept.append(character)
    }
    return kept + "…"
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

  private static func width(of scalar: Unicode.Scalar, isFirst: Bool) -> Int {
    if (0x80..<0xA0).contains(scalar.value) { return 1 }
    let width = of(scalar)
    // What has no width and may not be drawn is shown as U+FFFD; a mark at the start has a cell of its own.
    return width > 0 || (!isFirst && FrameBuilder.mayJoin(scalar)) ? width : 1
  }
}
