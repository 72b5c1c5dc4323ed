import Presentation
import Text

/// A terminal's output as SVG.
///
/// Every run of text is placed at its column, so that rows are aligned in any font.
struct ScreenPicture {
  private static let cell = (width: 8.4, height: 19.0)
  private static let margin = 14.0
  private static let colors = [
    "31": "#f2777a", "32": "#8fd694", "33": "#f5c97a", "36": "#6cc7d9", "2": "#8b93a1",
  ]

  private let lines: [Substring]
  private let columns: Int

  /// Creates a picture of `text`, which contains only the program's own color sequences.
  init(_ text: String, columns: Int) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self.columns = columns
  }

  var svg: String {
    let width = Double(columns) * ScreenPicture.cell.width + 2 * ScreenPicture.margin
    let height = Double(lines.count) * ScreenPicture.cell.height + 2 * ScreenPicture.margin
    let body = lines.enumerated().map { row($0.element, $0.offset) }.joined()
    return #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(ScreenPicture.number(width))" "#
      + #"height="\#(ScreenPicture.number(height))" font-family="ui-monospace,Menlo,Consolas,'D2Coding',monospace" "#
      + "font-size=\"14\" fill=\"#dfe3ea\" xml:space=\"preserve\">\n"
      + "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2129\"/>\n" + body + "</svg>\n"
  }

  private func row(_ line: Substring, _ index: Int) -> String {
    let y = ScreenPicture.number(ScreenPicture.margin + (Double(index) + 0.75) * ScreenPicture.cell.height)
    var column = 0
    var output = ""
    for (text, style) in ScreenPicture.runs(line) {
      let cells = CellWidth().of(text)
      defer { column += cells }
      guard !text.allSatisfy({ $0 == " " }) else { continue }
      let x = ScreenPicture.number(ScreenPicture.margin + Double(column) * ScreenPicture.cell.width)
      let length = ScreenPicture.number(Double(cells) * ScreenPicture.cell.width)
      let paint =
        style == "1" ? " font-weight=\"bold\"" : ScreenPicture.colors[style].map { " fill=\"\($0)\"" } ?? ""
      output += "<text x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\" lengthAdjust=\"spacingAndGlyphs\"\(paint)>"
      output += ScreenPicture.escaped(text) + "</text>\n"
    }
    return output
  }

  /// Returns runs of one color, split again at double spaces and between characters of different widths.
  private static func runs(_ line: Substring) -> [(text: String, style: String)] {
    var runs: [(text: String, style: String)] = []
    var style = ""
    var rest = line.unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        style = String(String.UnicodeScalarView(rest.prefix { $0 != "m" }.dropFirst()))
        rest = rest.drop { $0 != "m" }.dropFirst()
        if style == "0" { style = "" }
        continue
      }
      let isSame = runs.last.map { last in
        let before = last.text.unicodeScalars.last ?? " "
        return last.style == style && CellWidth().of(before) == CellWidth().of(scalar)
          && (before == " ") == (scalar == " ")
      }
      if isSame == true {
        runs[runs.count - 1].text.unicodeScalars.append(scalar)
      } else {
        runs.append((String(scalar), style))
      }
    }
    return runs
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
