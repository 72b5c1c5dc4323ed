import Text

/// A line under construction: spans and their total width in cells.
struct StyledLine: Sendable {
  let cells: WidthMeasurer
  private(set) var spans: [WeatherView.Span] = []
  private(set) var width = 0

  init(cells: WidthMeasurer) { self.cells = cells }

  mutating func add(_ text: String, _ role: WeatherView.Role = .plain) {
    guard !text.isEmpty else { return }
    width += cells.of(text)
    if let last = spans.last, last.role == role {
      spans[spans.count - 1].text += text
    } else {
      spans.append(WeatherView.Span(text, role))
    }
  }

  mutating func add(_ strip: StyledLine) {
    for span in strip.spans { add(span.text, span.role) }
  }

  /// Appends spaces up to a column.
  mutating func pad(to column: Int) { add(String(repeating: " ", count: max(0, column - width))) }

  /// Appends text aligned to the right within `room` cells.
  mutating func appendTrailing(_ text: String, in room: Int, _ role: WeatherView.Role = .plain) {
    add(String(repeating: " ", count: max(0, room - cells.of(text))))
    add(text, role)
  }

  mutating func appendLeading(_ text: String, in room: Int, _ role: WeatherView.Role = .plain) {
    let end = width + room
    add(text, role)
    pad(to: end)
  }

  /// Returns the line without trailing spaces, truncated with an ellipsis if it is too wide.
  func truncated(to limit: Int, ellipsis: String) -> StyledLine {
    if width <= limit { return trimmed }
    var short = StyledLine(cells: cells)
    let dots = cells.of(ellipsis) <= limit ? ellipsis : ""
    let room = limit - cells.of(dots)
    for span in spans {
      for character in span.text {
        guard short.width + cells.of(String(character)) <= room else {
          short.add(dots, .dim)
          return short
        }
        short.add(String(character), span.role)
      }
    }
    return short.trimmed
  }

  private var trimmed: StyledLine {
    var left = spans
    while var last = left.popLast() {
      while last.text.hasSuffix(" ") { last.text.removeLast() }
      guard last.text.isEmpty else {
        left.append(last)
        break
      }
    }
    var strip = StyledLine(cells: cells)
    for span in left { strip.add(span.text, span.role) }
    return strip
  }
}

extension StyledLine {
  /// Arranges pieces in lines of at most `limit` cells without breaking any.
  static func wrap(_ pieces: [StyledLine], gap: Int, within limit: Int, cells: WidthMeasurer)
    -> [StyledLine]
  {
    var lines: [StyledLine] = []
    for piece in pieces {
      if var last = lines.last, last.width + gap + piece.width <= limit {
        last.pad(to: last.width + gap)
        last.add(piece)
        lines[lines.count - 1] = last
      } else {
        lines.append(piece)
      }
    }
    return lines
  }
}
