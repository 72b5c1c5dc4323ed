/// One row of RFC 4180: cells between commas, quotes where they are needed, CR LF at the end.
enum CSVLine {
  static func text(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return text }
    var output = "\""
    for scalar in text.unicodeScalars {
      output.unicodeScalars.append(scalar)
      if scalar == "\"" { output.unicodeScalars.append(scalar) }
    }
    return output + "\""
  }
}

extension FlatCell {
  /// Words that a spreadsheet would run are guarded; numbers and times never are.
  var guarded: String { isWords ? FormulaGuard.guarded(text) : text }
}
