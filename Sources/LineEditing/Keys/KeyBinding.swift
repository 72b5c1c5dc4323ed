import CEditLine
import Foundation

/// A binding as libedit lists it: `"^[[A"          ->  ed-prev-history`.
struct KeyBinding {
  /// The characters of the key.
  var key: String
  var command: String
  /// Indicates a binding of vi's command mode only.
  var isOfViCommands: Bool

  /// Returns all current bindings, which libedit prints to `list`.
  static func list(of editLine: OpaquePointer, from list: MemoryStream) -> [KeyBinding] {
    _ = list.take()
    edit_list_bindings(editLine)
    var isAlternative = false
    var isLong = false
    var bindings: [KeyBinding] = []
    for line in list.take().split(separator: "\n") {
      if line.first != "\"" {
        isAlternative = line.hasPrefix("Alternative")
        isLong = line.hasPrefix("Multi")
        continue
      }
      guard let arrow = line.range(of: "->  ", options: .backwards) else { continue }
      let command = String(line[arrow.upperBound...])
      for key in keys(line[..<arrow.lowerBound]) {
        // A key sequence without Esc begins with one of vi's commands.
        let isOfViCommands = isLong ? key.unicodeScalars.first != "\u{1B}" : isAlternative
        bindings.append(KeyBinding(key: key, command: command, isOfViCommands: isOfViCommands))
      }
    }
    return bindings
  }

  /// Parses `"^[[A"`, or the range `"^A" to "^C"`.
  private static func keys(_ text: Substring) -> [String] {
    let text = text.drop { $0 == " " }
    guard let end = text.dropFirst(2).firstIndex(of: "\"") else { return [] }
    let first = decoded(text[text.index(after: text.startIndex)..<end])
    guard let to = text.range(of: "to \"", range: end..<text.endIndex),
      let close = text.lastIndex(of: "\""), close >= to.upperBound,
      let from = first.unicodeScalars.first?.value,
      let last = decoded(text[to.upperBound..<close]).unicodeScalars.first?.value, from <= last
    else { return [first] }
    return (from...last).compactMap { Unicode.Scalar($0).map { String($0) } }
  }

  private static func decoded(_ key: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = key.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "^", let control = rest.popFirst(), let plain = Unicode.Scalar(control.value ^ 0x40) {
        scalars.append(plain)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
