/// A row of CSV (RFC 4180): cells separated by commas, quoted if necessary, and a line ending.
package enum CSVLine {
  package static func text(_ cells: [String], _ ending: LineEnding) -> String {
    var text = ""
    write(cells, ending, to: &text)
    return text
  }

  static func write(_ cells: some Sequence<String>, _ ending: LineEnding, to output: inout String) {
    var isFirst = true
    for cell in cells {
      if !isFirst { output += "," }
      isFirst = false
      write(cell, to: &output)
    }
    output += ending.rawValue
  }

  static func cell(_ text: String) -> String {
    var output = ""
    write(text, to: &output)
    return output
  }

  private static func write(_ text: String, to output: inout String) {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
      output += text
      return
    }
    output += "\""
    for scalar in text.unicodeScalars {
      output.unicodeScalars.append(scalar)
      if scalar == "\"" { output.unicodeScalars.append(scalar) }
    }
    output += "\""
  }
}
