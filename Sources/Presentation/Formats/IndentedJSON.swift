import Networking

/// JSON over several lines, with a style for keys, texts, numbers and literals.
package struct IndentedJSON {
  /// The lines; a piece of a value may continue the last one.
  package private(set) var lines: [[Figure.Run]] = [[]]
  /// A Boolean value that indicates that something was omitted to fit the screen.
  package private(set) var isFolded = false
  private var depth = 0

  /// Creates a writer of one value that arrives in pieces.
  init() {}

  /// Formats a value, with every invisible character as an escape.
  ///
  /// With `rows`, long arrays and deep values are folded so that it fits a screen of that height.
  package init(_ json: JSON, rows: Int? = nil) {
    write(JSON.escapingInvisibleScalars(json.serialized))
    guard let rows, lines.count > max(rows, 8) else { return }
    for limits in [(10, 9), (5, 9), (3, 4), (2, 3), (1, 2)] {
      self = IndentedJSON()
      write(JSON.escapingInvisibleScalars(IndentedJSON.folded(json, limits)))
      if lines.count <= rows { return }
    }
  }

  /// The text without colors.
  package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// The lines without colors.
  package var plainLines: [[Figure.Run]] { lines.map { [Figure.Run($0.map(\.text).joined())] } }

  /// Returns the formatted text of one valid JSON value.
  static func text(_ json: String, _ options: RenderOptions) -> String {
    var writer = IndentedJSON()
    return writer.piece(json, options) + "\n"
  }

  /// Returns the formatted text of the next piece of the value.
  ///
  /// `json` ends between two tokens, but not before a colon or the close of an object or array without members.
  mutating func piece(_ json: String, _ options: RenderOptions) -> String {
    lines = [[]]
    write(json)
    return lines.map { $0.map { Styling.paint($0.text, as: $0.style, options) }.joined() }.joined(separator: "\n")
  }
}

extension IndentedJSON {
  /// Returns a value as JSON, in which `… 3 more` replaces elements beyond the limit, and `[… 3]` or `{… 3}` for a
  /// value that is too deep.
  private static func folded(_ json: JSON, _ limits: (elements: Int, depth: Int), depth: Int = 0) -> String {
    switch json {
    case .array(let elements) where !elements.isEmpty:
      if depth >= limits.depth { return "[… \(elements.count)]" }
      let shown = elements.prefix(limits.elements).map { folded($0, limits, depth: depth + 1) }
      let rest = elements.count - shown.count
      return "[" + (rest > 0 ? shown + ["… \(rest) more"] : shown).joined(separator: ",") + "]"
    case .object(let object) where !object.keys.isEmpty:
      if depth >= limits.depth { return "{… \(object.keys.count)}" }
      let members = object.keys.map { key in
        JSON.string(key).serialized + ":" + folded(object[key] ?? .null, limits, depth: depth + 1)
      }
      return "{" + members.joined(separator: ",") + "}"
    case .null, .bool, .number, .string, .array, .object, .invalidLiteral: return json.serialized
    }
  }

  private mutating func write(_ json: String) {
    let bytes = Array(json.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let rest = bytes[(index + 1)...]
      var end = index + 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let close = byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if rest.starts(with: "…".utf8) {
          end = rest.firstIndex(of: close).map { $0 + 1 } ?? bytes.count
          fold(bytes[index..<end])
        } else if let next = rest.firstIndex(where: { !IndentedJSON.isBlank($0) }), bytes[next] == close {
          put([byte, close])
          end = next + 1
        } else {
          depth += 1
          put([byte])
          startLine()
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        startLine()
        put([byte])
      case UInt8(ascii: ","):
        put([byte])
        startLine()
      case UInt8(ascii: ":"): put(": ".utf8)
      case UInt8(ascii: "\""):
        end = IndentedJSON.endOfString(bytes, from: index)
        let next = bytes[end...].first { !IndentedJSON.isBlank($0) }
        put(bytes[index..<end], next == UInt8(ascii: ":") ? .palette(75) : .palette(71))
      case _ where IndentedJSON.isBlank(byte): break
      case _ where bytes[index...].starts(with: "…".utf8):
        end = rest.firstIndex(of: UInt8(ascii: "]")) ?? bytes.count
        fold(bytes[index..<end])
      default:
        end = rest.firstIndex { ",]}".utf8.contains($0) || IndentedJSON.isBlank($0) } ?? bytes.count
        let isNumber = byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        put(bytes[index..<end], isNumber ? .palette(208) : .palette(170))
      }
      index = end
    }
  }

  private mutating func put(_ bytes: some Collection<UInt8>, _ style: Figure.Style = .plain) {
    lines[lines.count - 1].append(Figure.Run(String(decoding: bytes, as: UTF8.self), style))
  }

  private mutating func fold(_ bytes: some Collection<UInt8>) {
    put(bytes, .dim)
    isFolded = true
  }

  private mutating func startLine() { lines.append([Figure.Run(String(repeating: "  ", count: depth))]) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// Returns the index after the closing quotation mark.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
      } else if bytes[index] == UInt8(ascii: "\"") {
        return index + 1
      }
      index += 1
    }
    return bytes.count
  }
}
