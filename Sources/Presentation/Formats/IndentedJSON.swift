/// Formats JSON with indentation and syntax colors for terminals.
struct IndentedJSON {
  private let options: RenderOptions
  private var output = ""
  private var depth = 0

  /// Returns the formatted text of one valid JSON value.
  static func text(_ json: String, _ options: RenderOptions) -> String {
    var writer = IndentedJSON(options)
    return writer.piece(json) + "\n"
  }

  /// Creates a writer of one value that arrives in pieces.
  init(_ options: RenderOptions) { self.options = options }

  /// Returns the indented text of the next piece of the value.
  ///
  /// `json` ends between two tokens, but not before a colon or the close of an object or array without members.
  mutating func piece(_ json: String) -> String {
    output = ""
    write(json)
    return output
  }

  private mutating func write(_ json: String) {
    let scalars = Array(json.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar {
      case "{", "[":
        let close: Unicode.Scalar = scalar == "{" ? "}" : "]"
        let next = scalars[(index + 1)...].firstIndex { !IndentedJSON.isBlank($0) }
        if let next, scalars[next] == close {
          output += scalar == "{" ? "{}" : "[]"
          index = next
        } else {
          depth += 1
          output.unicodeScalars.append(scalar)
          startLine()
        }
      case "}", "]":
        depth -= 1
        startLine()
        output.unicodeScalars.append(scalar)
      case ",":
        output += ","
        startLine()
      case ":": output += ": "
      case "\"":
        let end = IndentedJSON.endOfString(scalars, from: index)
        let after = scalars[end...].first { !IndentedJSON.isBlank($0) }
        paint(scalars[index..<end], after == ":" ? .palette(75) : .palette(71))
        index = end - 1
      case _ where IndentedJSON.isBlank(scalar): break
      default:
        let end = scalars[index...].firstIndex { ",]}".unicodeScalars.contains($0) || IndentedJSON.isBlank($0) }
        let isNumber = scalar == "-" || ("0"..."9").contains(scalar)
        paint(scalars[index..<(end ?? scalars.endIndex)], isNumber ? .palette(208) : .palette(170))
        index = (end ?? scalars.endIndex) - 1
      }
      index += 1
    }
  }

  private mutating func paint(_ scalars: ArraySlice<Unicode.Scalar>, _ style: Figure.Style) {
    output += Styling.paint(String(String.UnicodeScalarView(scalars)), as: style, options)
  }

  private mutating func startLine() { output += "\n" + String(repeating: "  ", count: depth) }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t"
  }

  /// Returns the index after the closing quotation mark.
  private static func endOfString(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    var index = start + 1
    while index < scalars.count {
      if scalars[index] == "\\" {
        index += 1
      } else if scalars[index] == "\"" {
        return index + 1
      }
      index += 1
    }
    return scalars.count
  }
}
