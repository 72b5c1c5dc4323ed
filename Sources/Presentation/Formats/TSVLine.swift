/// A row of TSV with its newline.
enum TSVLine {
  static func text(_ cells: [String]) -> String { cells.joined(separator: "\t") + "\n" }

  static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": output += "\\t"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\\": output += "\\\\"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
