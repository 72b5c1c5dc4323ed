import Text

/// A typed assignment, `field=value`.
///
/// The command decides what the value means.
package struct Assignment: Hashable, Sendable {
  /// The operation on the existing value.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case set = "="
    case add = "+="
    case subtract = "-="
    case multiply = "*="
    /// A substitution: `name~s/a/b/`.
    case substitute = "~"
  }

  package var name: String
  package var operation: Operator
  package var value: String
  /// A Boolean value that indicates an unquoted `@path`, whose file is read (`@-` means standard input).
  ///
  /// `value` is the path.
  package var isFile: Bool
  /// A Boolean value that indicates a quoted value, which is text even if it looks like a number.
  package var isQuoted = false
  /// The formula of a computed value: `round(price*1.1, 100)`, `10%`.
  package var formula: Formula?
  /// The position in the line, in Unicode scalars.
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
  /// The names whose values must not be typed in a line.
  package static let secretNames = ["secret", "password", "passwd", "weather_key"]

  /// Returns whether one of those names occurs in the text, ignoring case.
  package static func mentionsSecretName(_ text: String) -> Bool {
    let lowered = Array(text.lowercased().utf8)
    return secretNames.contains { name in
      lowered.indices.contains { lowered[$0...].starts(with: name.utf8) }
    }
  }

  /// Returns the word as an assignment, or `nil` if it doesn't begin with a bare name and operator.
  ///
  /// `"a=b"` and a variable `$x` that contains `a=b` are text.
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

  /// Returns the error for a secret in a line, which would end up in histories, scripts and process lists.
  static func inlineSecretError(of assignment: Assignment) -> ParseError? {
    guard secretNames.contains(assignment.name.lowercased()), !assignment.isFile else { return nil }
    return ParseError(
      LocalizedText(
        "Do not type a secret on the command line. It would end up in histories and scripts.",
        ko: "시크릿은 명령에 직접 적지 마세요. 입력 기록과 스크립트에 남습니다."),
      suggestion: LocalizedText(
        "Leave it out to be asked for it, or read it from a file: \(.command("\(assignment.name)=@file")).",
        ko: "생략하면 화면에 보이지 않게 물어봅니다. 또는 \(.command("\(assignment.name)=@file"))처럼 적습니다."),
      at: assignment.range)
  }
}
