/// What stands behind the name of an answer: `.pages[0].id`, `.headers.Content-Type`.
package struct AnswerPath: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case key(String)
    /// Of a list, from 0.
    case index(Int)
  }

  package let steps: [Step]

  /// Nil for what is no path as a whole.
  package init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    let (steps, end) = AnswerPath.read(scalars, from: 0)
    guard end == scalars.count else { return nil }
    self.steps = steps
  }

  /// Reads as far as a path goes: a sign or a dot that leads nowhere is text.
  static func read(_ scalars: [Unicode.Scalar], from start: Int) -> (steps: [Step], end: Int) {
    var steps: [Step] = []
    var index = start
    while index + 1 < scalars.count {
      let next = scalars[index + 1]
      if scalars[index] == ".", Lexer.isNameStart(next) {
        // Names of headers have hyphens in them.
        let isHeader = steps == [.key("headers")]
        var end = index + 1
        while end < scalars.count, Lexer.isName(scalars[end]) || (isHeader && scalars[end] == "-") { end += 1 }
        steps.append(.key(String(scalars[(index + 1)..<end])))
        index = end
      } else if scalars[index] == "[", let (number, end) = number(scalars, from: index + 1) {
        steps.append(.index(number))
        index = end
      } else {
        break
      }
    }
    return (steps, index)
  }

  private static func number(_ scalars: [Unicode.Scalar], from start: Int) -> (number: Int, end: Int)? {
    var end = start
    while end < scalars.count, ("0"..."9").contains(scalars[end]) { end += 1 }
    guard (1...9).contains(end - start), end < scalars.count, scalars[end] == "]",
      let number = Int(String(scalars[start..<end]))
    else { return nil }
    return (number, end + 1)
  }

  /// The name of a variable and what stands behind it: `p` and `.pages[0]`; a row and the last product have names too.
  package static func split(_ name: String) -> (root: String, rest: String) {
    let end = name.firstIndex { $0 == "." || $0 == "[" } ?? name.endIndex
    return (String(name[..<end]), String(name[end...]))
  }
}
