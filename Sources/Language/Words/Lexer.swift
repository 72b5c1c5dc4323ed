import Catalog
import Text

/// Cuts a line into words, separators, a pipe and comments; never fails: what is wrong is kept in `problem`.
///
/// Words are bare, `'literal'` or `"with \n \t \" \\ \$ \u{AC00}"`, side by side they join. A backslash in a bare word makes the next
/// blank, quote or sign ordinary and is itself elsewhere; before the end of a line it joins the next line to this one.
package struct Lexer {
  package internal(set) var tokens: [Token] = []
  /// The first thing that is wrong.
  package private(set) var problem: Misread?

  let scalars: [Unicode.Scalar]
  var index = 0

  package init(_ line: String) {
    scalars = Array(line.unicodeScalars)
    while index < scalars.count { step() }
  }

  /// Blanks between words; also those that East Asian keyboards and web pages bring.
  package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\u{A0}" || scalar == "\u{3000}"
  }

  package static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  package static func isName(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar)
  }

  private mutating func step() {
    let scalar = scalars[index]
    if Lexer.isBlank(scalar) {
      index += 1
    } else if scalar == "\\", index + 1 == scalars.count || isLineEnd(after: index) {
      joinLines()
    } else if scalar == ";" || scalar == "\n" {
      tokens.append(.separator(index..<index + 1))
      index += 1
    } else if scalar == "#" {
      let start = index
      skipLine()
      tokens.append(.comment(start..<index))
    } else if scalar == "|" {
      let start = index
      skipLine()
      tokens.append(.pipe(trimmed(start + 1..<index), start..<index))
    } else {
      word()
    }
  }

  func isLineEnd(after index: Int) -> Bool {
    guard index + 1 < scalars.count else { return false }
    if scalars[index + 1] == "\n" { return true }
    return scalars[index + 1] == "\r" && index + 2 < scalars.count && scalars[index + 2] == "\n"
  }

  mutating func joinLines() {
    let start = index
    index += 1
    if index == scalars.count {
      note(
        Misread(
          Wording("The line goes on after \(.value("\\")).", ko: "\(.value("\\")) 뒤에 줄이 이어집니다."),
          at: start..<index, isUnfinished: true))
      return
    }
    if scalars[index] == "\r" { index += 1 }
    index += 1
  }

  private mutating func skipLine() {
    while index < scalars.count, scalars[index] != "\n" { index += 1 }
  }

  private func trimmed(_ range: Range<Int>) -> String {
    var range = range
    while let first = range.first, Lexer.isBlank(scalars[first]) { range = range.dropFirst() }
    while let last = range.last, Lexer.isBlank(scalars[last]) { range = range.dropLast() }
    return text(range)
  }

  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  mutating func note(_ misread: Misread) {
    if problem == nil { problem = misread }
  }
}
