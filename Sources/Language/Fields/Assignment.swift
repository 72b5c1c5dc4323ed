import Catalog
import Text

/// `field=value`, as typed; what the value means is decided by the command.
package struct Assignment: Hashable, Sendable {
  /// What is done with the value that is there.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case set = "="
    case add = "+="
    case subtract = "-="
    case multiply = "*="
    /// `name~s/a/b/`
    case substitute = "~"
  }

  package var name: String
  package var operation: Operator
  package var value: String
  /// `@path` as a value, unquoted: read the file (`@-` standard input). `value` is then the path.
  package var isFile: Bool
  /// The value stands in quotes: a text, even where it looks like a number.
  package var isQuoted = false
  /// What the value says where it is computed: `round(price*1.1, 100)`, `10%`.
  package var formula: Formula?
  /// Where it stands in the line, in characters.
  package var range: Range<Int>

  package init(_ name: String, _ operation: Operator, _ value: String, isFile: Bool = false, range: Range<Int>) {
    self.name = name
    self.operation = operation
    self.value = value
    self.isFile = isFile
    self.range = range
  }
}

extension Assignment {
  /// Names whose values no line may hold.
  package static let secretNames = ["secret", "password", "passwd", "weather_key"]

  /// The word as an assignment; nil when its bare beginning is no name and operator.
  ///
  /// The name and operator must be typed bare: `"a=b"` and `$x` holding `a=b` are text.
  package static func split(_ word: Word) -> Assignment? {
    let bare = word.bareBeginning
    guard let equals = bare.firstIndex(where: { $0 == "=" || $0 == "~" }) else { return nil }
    var name = bare[..<equals]
    var operation = Operator.set
    switch name.last {
    case "+": operation = .add
    case "-": operation = .subtract
    case "*": operation = .multiply
    default: break
    }
    if bare[equals] == "~" {
      guard operation == .set else { return nil }
      operation = .substitute
    } else if operation != .set {
      name = name.dropLast()
    }
    guard let first = name.unicodeScalars.first, Lexer.isNameStart(first),
      name.unicodeScalars.allSatisfy({ Lexer.isName($0) || $0 == "-" || $0 == "." || $0 == "[" || $0 == "]" })
    else { return nil }
    var value = bare[bare.index(after: equals)...] + word.parts.dropFirst().map(\.text).joined()
    let isFile = bare[bare.index(after: equals)...].first == "@"
    if isFile { value = value.dropFirst() }
    var assignment = Assignment(String(name), operation, String(value), isFile: isFile, range: word.range)
    assignment.isQuoted = word.parts.contains { $0.kind == .quoted }
    return assignment
  }

  /// Why a secret is not taken from a line: it would stand in histories, scripts and process lists.
  static func refusal(of assignment: Assignment) -> ParseError? {
    guard secretNames.contains(assignment.name.lowercased()), !assignment.isFile else { return nil }
    return ParseError(
      LocalizedText(
        "A secret is not typed on a line, where histories and scripts would keep it.",
        ko: "시크릿은 명령 줄에 적지 않습니다. 기록과 스크립트에 남기 때문입니다."),
      next: LocalizedText(
        "Leave it out to be asked without echo, or write \(.command("\(assignment.name)=@file")).",
        ko: "생략하면 화면에 보이지 않게 물어봅니다. 또는 \(.command("\(assignment.name)=@file"))처럼 적습니다."),
      at: assignment.range)
  }
}
