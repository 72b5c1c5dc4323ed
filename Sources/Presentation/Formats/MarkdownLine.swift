import Text

/// A row of a Markdown table with its newline.
enum MarkdownLine {
  static func head(_ keys: [String], numbers: [Bool]) -> String {
    line(keys.map(escaped)) + line(numbers.map { $0 ? "---:" : "---" })
  }

  static func text(_ cells: [FlatCell]) -> String { line(cells.map { $0.isText ? escaped($0.text) : $0.text }) }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in Sanitizer.sanitized(text, .keep).unicodeScalars {
      switch scalar {
      case "\n": output += "<br>"
      case "<": output += "&lt;"
      case "&": output += "&amp;"
      case "\\", "|", "`", "*", "_", "[", "]", "~": output += "\\" + String(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
