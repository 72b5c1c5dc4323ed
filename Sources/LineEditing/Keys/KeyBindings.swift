import CEditLine
import Foundation

/// One binding of libedit's, as it lists them itself: `"^[[A"          ->  ed-prev-history`.
struct KeyBindings {
  /// The characters of the key.
  var key: String
  var command: String
  /// Whether it is one of vi's command mode alone.
  var isOfViCommands: Bool

  /// All bindings that are in force.
  /// - Parameter list: where libedit prints to.
  static func list(of editLine: OpaquePointer, from list: TextStream) -> [KeyBindings] {
    _ = list.take()
    edit_list_bindings(editLine)
    var isAlternative = false
    var isLong = false
    var bindings: [KeyBindings] = []
    for line in list.take().split(separator: "\n") {
      if line.first != "\"" {
        isAlternative = line.hasPrefix("Alternative")
        isLong = line.hasPrefix("Multi")
        continue
      }
      guard let arrow = line.range(of: "->  ", options: .backwards) else { continue }
      let command = String(line[arrow.upperBound...])
      for key in keys(line[..<arrow.lowerBound]) {
        // A long key without Esc in front begins with one of vi's commands.
        let isOfViCommands = isLong ? key.unicodeScalars.first != "\u{1B}" : isAlternative
        bindings.append(KeyBindings(key: key, command: command, isOfViCommands: isOfViCommands))
      }
    }
    return bindings
  }

  /// `"^[[A"`, or all from one to the other of `"^A" to "^C"`.
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
