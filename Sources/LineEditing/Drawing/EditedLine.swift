import Text

/// An edited text and its cursor as an offset in Unicode scalars.
struct EditedLine: Equatable {
  var text = ""
  var cursor = 0
  var count: Int { text.unicodeScalars.count }
}

extension EditedLine {
  /// The range of the row that contains the cursor, without its newline.
  var row: Range<Int> { rows.last { $0.lowerBound <= cursor } ?? 0..<count }

  /// The cursor offset in the row above at the same column, or `nil` in the first row.
  var cursorAbove: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row > 0 else { return nil }
    return position(in: rows[row - 1], below: rows[row])
  }

  /// The cursor offset in the row below at the same column, or `nil` in the last row.
  var cursorBelow: Int? {
    let rows = rows
    guard let row = rows.lastIndex(where: { $0.lowerBound <= cursor }), row + 1 < rows.count else { return nil }
    return position(in: rows[row + 1], below: rows[row])
  }

  /// The ranges of the rows in scalars, without their newlines.
  private var rows: [Range<Int>] {
    let scalars = Array(text.unicodeScalars)
    var rows: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      rows.append(start..<index)
      start = index + 1
    }
    return rows + [start..<scalars.count]
  }

  private func position(in row: Range<Int>, below own: Range<Int>) -> Int {
    let scalars = Array(text.unicodeScalars)
    let wanted = scalars[own.lowerBound..<cursor].reduce(0) { $0 + DrawnWidth.of($1) }
    var width = 0
    for index in row {
      width += DrawnWidth.of(scalars[index])
      if width > wanted { return index }
    }
    return row.upperBound
  }
}

/// Finds matching brackets of a line, outside quotes.
struct Brackets {
  private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]
  private static let opening: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "[", "}": "{"]

  private let text: String

  init(_ text: String) { self.text = text }

  /// Returns the offsets of the bracket at the cursor, or of the closing one just before it, and of the matching one,
  /// in Unicode scalars; an empty array if there is no pair.
  func pair(at cursor: Int) -> [Int] {
    let scalars = Array(text.unicodeScalars)
    guard let position = bracket(at: cursor, in: scalars) else { return [] }
    let quoted = Self.quoted(scalars)
    guard !quoted[position] else { return [] }
    let isOpening = Self.closing[scalars[position]] != nil
    guard let other = Self.closing[scalars[position]] ?? Self.opening[scalars[position]] else { return [] }
    var depth = 0
    for index in isOpening ? Array(position..<scalars.count) : Array((0...position).reversed()) where !quoted[index] {
      if scalars[index] == scalars[position] { depth += 1 }
      if scalars[index] == other { depth -= 1 }
      if depth == 0 { return [position, index] }
    }
    return []
  }

  private func bracket(at cursor: Int, in scalars: [Unicode.Scalar]) -> Int? {
    if cursor < scalars.count, Self.closing[scalars[cursor]] != nil || Self.opening[scalars[cursor]] != nil {
      return cursor
    }
    return (1...scalars.count).contains(cursor) && Self.opening[scalars[cursor - 1]] != nil ? cursor - 1 : nil
  }

  /// Returns for each scalar whether it is between quotes or is a quote.
  private static func quoted(_ scalars: [Unicode.Scalar]) -> [Bool] {
    var quoted = [Bool](repeating: false, count: scalars.count)
    var quote: Unicode.Scalar?
    var isEscaped = false
    for (index, scalar) in scalars.enumerated() {
      quoted[index] = quote != nil || scalar == "\"" || scalar == "'"
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "\"" || scalar == "'" {
        quote = scalar
      }
    }
    return quoted
  }
}

/// The width in cells of text as ``FrameBuilder`` draws it, which does not join the parts of an emoji.
///
/// `WidthMeasurer` measures sequences as terminals do that join them. Text that is laid out in a row with text of the editor must
/// be measured and truncated by the widths here.
struct DrawnWidth {
  /// VS16, which requests the emoji presentation of a character that also has a text presentation; it takes two cells
  /// then.
  static let pictureSelector: Unicode.Scalar = "\u{FE0F}"
  private static let cells = WidthMeasurer()

  /// Returns the width of a single scalar in an edited text.
  static func of(_ scalar: Unicode.Scalar) -> Int { isControl(scalar) ? 2 : cells.of(scalar) }

  static func of(_ text: String) -> Int {
    var sum = 0
    var last: (scalar: Unicode.Scalar, width: Int)?
    for scalar in text.unicodeScalars {
      if scalar == pictureSelector, let base = last, base.width == 1, base.scalar.properties.isEmoji {
        sum += 1
        last = (base.scalar, 2)
        continue
      }
      let width = width(of: scalar, isFirst: last == nil)
      sum += width
      if width > 0 { last = (scalar, width) }
    }
    return sum
  }

  /// Returns the text truncated to `columns` cells, with `…` if something was cut.
  static func fit(_ text: String, to columns: Int) -> String {
    guard columns > 0 else { return "" }
    guard of(text) > columns else { return text }
    var stored = ""
    var sum = 1
    for character in text {
      let width = of(String(character))
      if sum + width > columns { break }
      sum += width
      stored.append(character)
    }
    return stored + "…"
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7F }

  private static func width(of scalar: Unicode.Scalar, isFirst: Bool) -> Int {
    if (0x80..<0xA0).contains(scalar.value) { return 1 }
    let width = of(scalar)
    // A scalar without width that must not be drawn is shown as U+FFFD; a combining mark at the start takes a cell.
    return width > 0 || (!isFirst && FrameBuilder.isZeroWidth(scalar)) ? width : 1
  }
}
