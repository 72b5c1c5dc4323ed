import Text

/// The width in cells of text as ``FrameBuilder`` draws it, which does not join the parts of an emoji.
///
/// `WidthMeasurer` measures sequences as terminals do that join them. Text that is laid out in a row with text of the editor must
/// be measured and truncated by the widths here.
struct DrawnWidth {
  /// VS16, which requests the emoji presentation of a character that also has a text presentation; it takes two cells
  /// then.
  static let pictureSelector: Unicode.Scalar = "\u{FE0F}"
  private static let cells = WidthMeasurer()

  /// Returns the width of a single scalar in an edited text.
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

  /// Returns the text truncated to `room` cells, with `…` if something was cut.
  static func fit(_ text: String, to room: Int) -> String {
    guard room > 0 else { return "" }
    guard of(text) > room else { return text }
    var stored = ""
    var sum = 1
    for character in text {
      let width = of(String(character))
      if sum + width > room { break }
      sum += width
      stored.append(character)
    }
    return stored + "…"
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

  private static func width(of scalar: Unicode.Scalar, isFirst: Bool) -> Int {
    if (0x80..<0xA0).contains(scalar.value) { return 1 }
    let width = of(scalar)
    // A scalar without width that must not be drawn is shown as U+FFFD; a combining mark at the start takes a cell.
    return width > 0 || (!isFirst && FrameBuilder.isZeroWidth(scalar)) ? width : 1
  }
}
