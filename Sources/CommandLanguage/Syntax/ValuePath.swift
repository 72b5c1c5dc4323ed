/// A path into a JSON value, written after its name: `.pages[0].id`, `[-1]`, `["key"]`, `[*]`, `.headers.Content-Type`.
package struct ValuePath: Hashable, Sendable {
  /// A step of a path.
  package enum Step: Hashable, Sendable {
    case key(String)
    /// An element of an array, counted from 0, or from the end if it is negative.
    case index(Int)
    /// Every element of an array: `[*]`.
    case every
  }

  package let steps: [Step]

  /// Parses a complete text as a path, or returns `nil`.
  package init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let (steps, end) = ValuePath.read(scalars, from: 0, quotedKeys: true)
    guard end == scalars.count else { return nil }
    self.steps = steps
  }

  /// A Boolean value that indicates whether the path leads to several values.
  package var hasEvery: Bool { steps.contains(.every) }

  /// Returns a step in its notation.
  package static func text(_ step: Step) -> String {
    switch step {
    case .key(let name):
      let scalars = Array(name.unicodeScalars)
      let isPlain = scalars.first.map(Lexer.isNameStart) == true && scalars.allSatisfy(Lexer.isName)
      return isPlain ? "." + name : "[\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"]"
    case .index(let index): return "[\(index)]"
    case .every: return "[*]"
    }
  }

  /// Parses the longest path at `start`.
  ///
  /// A dot or bracket that doesn't continue the path is text.
  ///
  /// `quotedKeys` allows `["key"]`, which isn't part of a path within double quotes.
  static func read(
    _ scalars: [Unicode.Scalar], from start: Int, quotedKeys: Bool
  ) -> (steps: [Step], end: Int) {
    var steps: [Step] = []
    var index = start
    while index + 1 < scalars.count {
      let next = scalars[index + 1]
      if scalars[index] == ".", Lexer.isNameStart(next) {
        // Names of headers contain hyphens.
        let isHeader = steps == [.key("headers")]
        var end = index + 1
        while end < scalars.count, Lexer.isName(scalars[end]) || (isHeader && scalars[end] == "-") { end += 1 }
        steps.append(.key(String(scalars[(index + 1)..<end])))
        index = end
      } else if scalars[index] == "[", let (step, end) = bracketed(scalars, from: index + 1, quotedKeys) {
        steps.append(step)
        index = end
      } else {
        break
      }
    }
    return (steps, index)
  }

  private static func bracketed(
    _ scalars: [Unicode.Scalar], from start: Int, _ quotedKeys: Bool
  ) -> (step: Step, end: Int)? {
    let first = scalars[start]
    if quotedKeys, first == "\"" || first == "'" { return key(scalars, from: start + 1, until: first) }
    if first == "*" { return start + 1 < scalars.count && scalars[start + 1] == "]" ? (.every, start + 2) : nil }
    let isNegative = first == "-"
    let from = isNegative ? start + 1 : start
    var end = from
    while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
    guard (1...9).contains(end - from), end < scalars.count, scalars[end] == "]",
      let number = Int(String(scalars[from..<end]))
    else { return nil }
    return (.index(isNegative ? -number : number), end + 1)
  }

  /// Parses `key"]`.
  ///
  /// In double quotes, a backslash makes the next character part of the key.
  private static func key(
    _ scalars: [Unicode.Scalar], from start: Int, until quote: Unicode.Scalar
  ) -> (step: Step, end: Int)? {
    var name = String.UnicodeScalarView()
    var end = start
    while end < scalars.count, scalars[end] != quote {
      if quote == "\"", scalars[end] == "\\", end + 1 < scalars.count { end += 1 }
      name.append(scalars[end])
      end += 1
    }
    guard end + 1 < scalars.count, scalars[end + 1] == "]" else { return nil }
    return (.key(String(name)), end + 2)
  }

  /// Splits a variable into its name and its path: `p` and `.pages[0]`.
  ///
  /// A row and the last product have names too.
  package static func split(_ name: String) -> (root: String, rest: String) {
    let end = name.firstIndex { $0 == "." || $0 == "[" } ?? name.endIndex
    return (String(name[..<end]), String(name[end...]))
  }
}
