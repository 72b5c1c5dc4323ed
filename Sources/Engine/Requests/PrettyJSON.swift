import Networking
import Presentation
import Text

/// JSON set out over lines and painted by what it means: keys, texts, numbers, words.
package struct PrettyJSON {
  package private(set) var lines: [[Drawing.Stroke]] = [[]]

  package init(_ json: JSON) { write(json, indent: 0) }

  /// Without colours.
  package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// Harmless already and without colours, a stroke a line.
  package var plainLines: [[Drawing.Stroke]] { lines.map { [Drawing.Stroke($0.map(\.text).joined())] } }

  private mutating func write(_ json: JSON, indent: Int) {
    switch json {
    case .null, .bool, .odd: put(json.text, .palette(170))
    case .number: put(json.text, .palette(208))
    case .string: put(JSON.unseenEscaped(json.text), .palette(71))
    case .array(let elements):
      guard !elements.isEmpty else { return put("[]") }
      put("[")
      for (index, element) in elements.enumerated() {
        start(indent + 1)
        write(element, indent: indent + 1)
        if index < elements.count - 1 { put(",") }
      }
      start(indent)
      put("]")
    case .object(let object):
      guard !object.keys.isEmpty else { return put("{}") }
      put("{")
      for (index, key) in object.keys.enumerated() {
        start(indent + 1)
        put(JSON.unseenEscaped("\"\(JSON.escaped(key))\""), .palette(75))
        put(": ")
        write(object[key] ?? .null, indent: indent + 1)
        if index < object.keys.count - 1 { put(",") }
      }
      start(indent)
      put("}")
    }
  }

  private mutating func put(_ text: String, _ ink: Drawing.Ink = .plain) {
    lines[lines.count - 1].append(Drawing.Stroke(text, ink))
  }

  private mutating func start(_ indent: Int) {
    lines.append([Drawing.Stroke(String(repeating: "  ", count: indent))])
  }
}
