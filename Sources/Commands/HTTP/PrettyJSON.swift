import Networking
import Presentation

/// JSON formatted over several lines, with styles for keys, texts, numbers and literals.
package struct PrettyJSON {
  package private(set) var lines: [[Figure.Run]] = [[]]

  /// A Boolean value that indicates that something was omitted to fit the screen.
  package private(set) var isFolded = false
  /// The limits for the shown elements of an array and for the depth, or `nil` for all.
  private var limits: (elements: Int, depth: Int)?

  /// Formats a value.
  ///
  /// With `rows`, long arrays and deep values are folded so that it fits a screen of that height.
  package init(_ json: JSON, rows: Int? = nil) {
    write(json, indent: 0)
    guard let rows, lines.count > max(rows, 8) else { return }
    for limits in [(10, 9), (5, 9), (3, 4), (2, 3), (1, 2)] {
      var folded = PrettyJSON(limits)
      folded.write(json, indent: 0)
      self = folded
      if lines.count <= rows { return }
    }
  }

  private init(_ limits: (elements: Int, depth: Int)) { self.limits = limits }

  /// The text without colors.
  package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// The sanitized lines without colors.
  package var plainLines: [[Figure.Run]] { lines.map { [Figure.Run($0.map(\.text).joined())] } }

  private mutating func write(_ json: JSON, indent: Int) {
    switch json {
    case .null, .bool, .invalidLiteral: put(json.serialized, .palette(170))
    case .number: put(json.serialized, .palette(208))
    case .string: put(JSON.escapingInvisibleScalars(json.serialized), .palette(71))
    case .array(let elements):
      guard !elements.isEmpty else { return put("[]") }
      if let limits, indent >= limits.depth { return fold("[… \(elements.count)]") }
      put("[")
      for (index, element) in elements.prefix(limits?.elements ?? .max).enumerated() {
        start(indent + 1)
        write(element, indent: indent + 1)
        if index < elements.count - 1 { put(",") }
      }
      if let limits, elements.count > limits.elements {
        start(indent + 1)
        fold("… \(elements.count - limits.elements) more")
      }
      start(indent)
      put("]")
    case .object(let object):
      guard !object.keys.isEmpty else { return put("{}") }
      if let limits, indent >= limits.depth { return fold("{… \(object.keys.count)}") }
      put("{")
      for (index, key) in object.keys.enumerated() {
        start(indent + 1)
        put(JSON.escapingInvisibleScalars("\"\(JSON.escaped(key))\""), .palette(75))
        put(": ")
        write(object[key] ?? .null, indent: indent + 1)
        if index < object.keys.count - 1 { put(",") }
      }
      start(indent)
      put("}")
    }
  }

  private mutating func put(_ text: String, _ style: Figure.Style = .plain) {
    lines[lines.count - 1].append(Figure.Run(text, style))
  }

  private mutating func fold(_ text: String) {
    put(text, .dim)
    isFolded = true
  }

  private mutating func start(_ indent: Int) {
    lines.append([Figure.Run(String(repeating: "  ", count: indent))])
  }
}
