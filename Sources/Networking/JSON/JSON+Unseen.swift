extension JSON {
  /// The same JSON text with every letter that cannot be seen as `\uXXXX`: joiners, direction marks, private letters,
  /// tags.
  ///
  /// Outside strings such letters are no JSON; there they are left alone, and are wrong either way.
  package static func unseenEscaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
        _ where (0xE0000...0xE0FFF).contains(scalar.value):
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
