import Text

/// A line under construction: spans and their total width in cells.
struct Strip: Sendable {
  let cells: CellWidth
  private(set) var spans: [WeatherView.Span] = []
  private(set) var width = 0

  init(cells: CellWidth) { self.cells = cells }

  mutating func add(_ text: String, _ role: WeatherView.Role = .plain) {
    guard !text.isEmpty else { return }
    width += cells.of(text)
    if let last = spans.last, last.role == role {
      spans[spans.count - 1].text += text
    } else {
      spans.append(WeatherView.Span(text, role))
    }
  }

  mutating func add(_ strip: Strip) {
    for span in strip.spans { add(span.text, span.role) }
  }

  /// Appends spaces up to a column.
  mutating func pad(to column: Int) { add(String(repeating: " ", count: max(0, column - width))) }

  /// Appends text aligned to the right within `room` cells.
  mutating func right(_ text: String, in room: Int, _ role: WeatherView.Role = .plain) {
    add(String(repeating: " ", count: max(0, room - cells.of(text))))
    add(text, role)
  }

  mutating func left(_ text: String, in room: Int, _ role: WeatherView.Role = .plain) {
    let end = width + room
    add(text, role)
    pad(to: end)
  }

  /// Returns the line without trailing spaces, truncated with an ellipsis if it is too wide.
  func fitted(to limit: Int, ellipsis: String) -> Strip {
    if width <= limit { return trimmed }
    var short = Strip(cells: cells)
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

  private var trimmed: Strip {
    var left = spans
    while var last = left.popLast() {
      while last.text.hasSuffix(" ") { last.text.removeLast() }
      guard last.text.isEmpty else {
        left.append(last)
        break
      }
    }
    var strip = Strip(cells: cells)
    for span in left { strip.add(span.text, span.role) }
    return strip
  }
}

extension Strip {
  /// Arranges pieces in lines of at most `limit` cells without breaking any.
  static func flow(_ pieces: [Strip], gap: Int, within limit: Int, cells: CellWidth)
    -> [Strip]
  {
    var lines: [Strip] = []
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
