import CEditLine

/// The text as it is painted: the same cells libedit drew, with colours.
extension EditCore {
  /// The prompt and the text with their colours, and where the pen ends; a full row is left only for a next character.
  func styledText(_ text: String) -> (String, Geometry.Place) {
    let geometry = geometry
    var picture = question.prompt.styled
    if picture != question.prompt.plain { picture += "\u{1B}[0m" }
    // libedit wraps a prompt that fills its row before the first character comes.
    var place = geometry.place(after: question.prompt.plain.unicodeScalars)
    var pen = place
    let styles = styles(of: text)
    var style = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if styles[index] != style {
        style = styles[index]
        picture += style.isEmpty ? "\u{1B}[0m" : "\u{1B}[0;\(style)m"
      }
      let isFullBefore = pen != place
      let before = place
      geometry.advance(&place, over: scalar)
      if isFullBefore { picture += "\r\n" }
      if place.row > before.row, place.column > 0 || scalar == "\n" { picture += scalar == "\n" ? "" : "\r\n" }
      picture += scalar == "\n" ? "\r\n" : Self.drawn(scalar, before, place)
      pen = place
      if scalar != "\n", place.column == 0, Geometry.width(of: scalar) > 0 {
        pen = Geometry.Place(row: place.row - 1, column: size.columns)
      }
    }
    return (style.isEmpty ? picture : picture + "\u{1B}[0m", pen)
  }

  /// What libedit writes for a character that is not itself.
  private static func drawn(_ scalar: Unicode.Scalar, _ from: Geometry.Place, _ to: Geometry.Place) -> String {
    if scalar == "\t" { return String(repeating: " ", count: max(1, to.column - from.column)) }
    if scalar.value < 0x20 || scalar.value == 0x7F {
      return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
    }
    return String(scalar)
  }

  private func styles(of text: String) -> [String] {
    var styles = [String](repeating: "", count: text.unicodeScalars.count)
    guard options.colors, !text.isEmpty, let painter = question.painter else { return styles }
    for part in painter(text) {
      for index in part.range.clamped(to: 0..<styles.count) { styles[index] = part.style }
    }
    return styles
  }
}
