import TerminalTesting

/// A recording of a terminal's screen as an animated SVG image (SMIL), which browsers play without a script.
///
/// Every run of text is placed at its column, so that rows stay straight with any font. A row that does not change
/// between frames is one element.
struct AnimatedScreen {
  /// A row whose text appears from left to right during the frame, as if it were typed.
  struct Typing {
    let row: Int
    let from: Int
    let to: Int
  }

  private struct Frame {
    let rows: [[Screen.Cell]]
    let typing: Typing?
    let start: Double
    let seconds: Double
  }

  private static let cell = (width: 8.4, height: 19.0)
  private static let margin = 14.0
  private static let background = "#1d2129"
  private static let colors = [
    "31": "#f2777a", "32": "#8fd694", "33": "#f5c97a", "34": "#7aa7f2", "35": "#d3a0e0", "36": "#6cc7d9",
    "2": "#8b93a1", "90": "#8b93a1",
  ]

  private let columns: Int
  private let rows: Int
  private var frames: [Frame] = []
  private var duration = 0.0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Adds a frame that is shown for a time.
  mutating func add(_ rows: [[Screen.Cell]], typing: Typing? = nil, seconds: Double) {
    frames.append(Frame(rows: rows, typing: typing, start: duration, seconds: seconds))
    duration += seconds
  }

  var svg: String {
    let width = Double(columns) * Self.cell.width + 2 * Self.margin
    let height = Double(rows) * Self.cell.height + 2 * Self.margin
    var body = ""
    for row in 0..<rows {
      var index = 0
      while index < frames.count {
        let cells = frames[index].rows[row]
        var last = index
        while last + 1 < frames.count, frames[last + 1].rows[row] == cells { last += 1 }
        let texts = Self.texts(cells, row)
        if !texts.isEmpty {
          let shown = interval(from: frames[index].start, to: frames[last].start + frames[last].seconds)
          // A viewer that does not animate shows the last frame.
          let isLast = last == frames.count - 1
          body += "<g visibility=\"\(isLast ? "visible" : "hidden")\">\(shown)\n\(texts)</g>\n"
        }
        index = last + 1
      }
    }
    body += frames.map(cover).joined()
    return #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Self.number(width))" "#
      + #"height="\#(Self.number(height))" font-family="ui-monospace,Menlo,Consolas,'D2Coding',monospace" "#
      + "font-size=\"14\" fill=\"#dfe3ea\" xml:space=\"preserve\">\n"
      + "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"\(Self.background)\"/>\n" + body + "</svg>\n"
  }

  /// An animation that shows an element during a part of every round.
  private func interval(from start: Double, to end: Double) -> String {
    if start == 0, end >= duration { return "<set attributeName=\"visibility\" to=\"visible\"/>" }
    var times = ["0"]
    var values = [start == 0 ? "visible" : "hidden"]
    if start > 0 {
      times.append(Self.fraction(start / duration))
      values.append("visible")
    }
    if end < duration {
      times.append(Self.fraction(end / duration))
      values.append("hidden")
    }
    return animation("visibility", times, values)
  }

  private func animation(_ attribute: String, _ times: [String], _ values: [String]) -> String {
    "<animate attributeName=\"\(attribute)\" calcMode=\"discrete\" dur=\"\(Self.number(duration))s\" "
      + "repeatCount=\"indefinite\" keyTimes=\"\(times.joined(separator: ";"))\" "
      + "values=\"\(values.joined(separator: ";"))\"/>"
  }

  /// A rectangle in the background's color over the text that is not typed yet; it moves to the right.
  private func cover(_ frame: Frame) -> String {
    guard let typing = frame.typing else { return "" }
    let y = Self.margin + Double(typing.row) * Self.cell.height
    let steps = max(1, typing.to - typing.from)
    var times = ["0"]
    var places = [Self.number(-1000)]
    for step in 0..<steps {
      times.append(Self.fraction((frame.start + frame.seconds * 0.8 * Double(step) / Double(steps)) / duration))
      places.append(Self.number(Self.margin + Double(typing.from + step) * Self.cell.width))
    }
    times.append(Self.fraction((frame.start + frame.seconds * 0.8) / duration))
    places.append(Self.number(-1000))
    return "<rect x=\"-1000\" y=\"\(Self.number(y))\" width=\"\(Self.number(Double(columns) * Self.cell.width))\" "
      + "height=\"\(Self.number(Self.cell.height))\" fill=\"\(Self.background)\">\(animation("x", times, places))</rect>\n"
  }

  private static func texts(_ cells: [Screen.Cell], _ row: Int) -> String {
    let y = number(margin + (Double(row) + 0.75) * cell.height)
    var output = ""
    var column = 0
    while column < cells.count {
      let first = cells[column]
      let isWide = column + 1 < cells.count && cells[column + 1].text.isEmpty
      var text = ""
      let start = column
      // A run has one style and characters of one width, and no two spaces in a row.
      while column < cells.count, cells[column].style == first.style {
        let wide = column + 1 < cells.count && cells[column + 1].text.isEmpty
        let isSpace = cells[column].text == " "
        if wide != isWide || isSpace && (text.isEmpty || text.hasSuffix(" ")) { break }
        text += cells[column].text
        column += wide ? 2 : 1
      }
      if text.isEmpty {
        column += 1
        continue
      }
      var width = Double(column - start)
      if text.hasSuffix(" ") {
        text.removeLast()
        width -= 1
      }
      output += "<text x=\"\(number(margin + Double(start) * cell.width))\" y=\"\(y)\" "
      output += "textLength=\"\(number(width * cell.width))\" lengthAdjust=\"spacingAndGlyphs\"\(paint(first.style))>"
      output += escaped(text) + "</text>\n"
    }
    return output
  }

  private static func paint(_ style: String) -> String {
    style.split(separator: ";").map { part in
      part == "1" ? " font-weight=\"bold\"" : part == "4" ? " text-decoration=\"underline\"" : ""
    }.joined() + (style.split(separator: ";").compactMap { colors[String($0)] }.first.map { " fill=\"\($0)\"" } ?? "")
  }

  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  private static func fraction(_ value: Double) -> String {
    let digits = String(Int((value * 100_000).rounded()))
    return value >= 1 ? "1" : "0." + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
