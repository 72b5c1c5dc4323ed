import Networking
import Text

/// Splits a line into words, separators, a pipe and comments.
///
/// It never fails: the first error is stored in `problem`.
///
/// Words consist of bare text, `'literal'` and `"with \n \t \" \\ \$ \u{AC00}"`, which join if they are adjacent. A
/// backslash in a bare word makes the next space, quote or operator ordinary text and is text itself elsewhere; at the
/// end of a line it joins the next line to this one. From `~/` to the closing `/` everything is a regular expression,
/// in which `\/` is a slash. Open brackets after `assert … matches` continue across line ends. The JSON body of a
/// request needs no quotes: `POST /path {"a": 1}`.
package struct Lexer {
  package private(set) var tokens: [Token] = []
  /// The first error.
  package private(set) var error: ParseError?

  private var scalars: [Unicode.Scalar]
  private var index = 0
  private var trace: WordTrace
  /// The word that the next character continues.
  private var word: PartialWord?
  private var quote: OpenQuote?

  private struct PartialWord {
    let start: Int
    var parts: [Word.Part] = []
  }

  private struct OpenQuote {
    let start: Int
    /// The beginning of the text that is no part of the word yet.
    var from: Int
    var text = String.UnicodeScalarView()
  }

  /// Splits a line.
  ///
  /// `isCondition` indicates that all of the text is a condition, like the text after `where`.
  package init(_ line: String, isCondition: Bool = false) {
    scalars = Array(line.unicodeScalars)
    trace = WordTrace(isCondition: isCondition)
    while index < scalars.count { step() }
    closeQuote()
    endWord()
    if trace.openBrackets > 0 {
      record(
        ParseError(
          LocalizedText("Missing closing bracket in the shape.", ko: "구조의 닫는 괄호가 없습니다."),
          at: scalars.count..<scalars.count, isIncomplete: true))
    }
  }

  /// Creates a lexer of a line whose physical lines are appended.
  package init() {
    scalars = []
    trace = WordTrace()
  }

  /// Reads the next physical line, given without its line end, and returns whether the line of the language continues.
  ///
  /// No character is read twice, however many lines there are. The last word stays without a token.
  package mutating func append(_ text: String) -> Bool {
    if !scalars.isEmpty { scalars.append("\n") }
    scalars.append(contentsOf: text.unicodeScalars)
    while index < scalars.count, !isBeforeUnknown { step() }
    return error == nil && (quote != nil || index + 1 == scalars.count || trace.openBrackets > 0)
  }

  /// A Boolean value that indicates a backslash whose meaning depends on the next physical line.
  private var isBeforeUnknown: Bool {
    guard scalars[index] == "\\", quote.map({ scalars[$0.start] }) != "'" else { return false }
    return index + 1 == scalars.count || quote == nil && index + 2 == scalars.count && scalars[index + 1] == "\r"
  }

  /// Returns whether a scalar separates words, including the spaces of East Asian keyboards and web pages.
  package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\u{A0}" || scalar == "\u{3000}"
  }

  /// Returns whether names of fields, variables and aliases can begin with a scalar: a letter of any script or `_`.
  package static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  /// Returns whether such names can contain a scalar: also a digit.
  package static func isName(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || ("0"..."9").contains(scalar)
  }

  private mutating func step() {
    if quote != nil { return inQuote() }
    if word != nil { return inWord() }
    let scalar = scalars[index]
    if Lexer.isBlank(scalar) {
      index += 1
    } else if scalar == "\\", index + 1 == scalars.count || isLineEnd(after: index) {
      skipLineContinuation()
    } else if scalar == "\n" {
      if trace.endsCommandAtNewline() { tokens.append(.separator(index..<index + 1)) }
      index += 1
    } else if scalar == ";" {
      trace.endCommand()
      tokens.append(.separator(index..<index + 1))
      index += 1
    } else if scalar == "#" {
      let start = index
      skipLine()
      tokens.append(.comment(start..<index))
    } else if scalar == "|", index + 1 < scalars.count, scalars[index + 1] == "|" {
      // No program's name begins so: it is the "or" of other languages.
      tokens.append(
        .word(Word(parts: [.init(kind: .bare, text: "||", range: index..<index + 2)], range: index..<index + 2)))
      index += 2
    } else if scalar == "|" {
      let start = index
      skipLine()
      tokens.append(.pipe(trimmed(start + 1..<index), start..<index))
    } else {
      word = PartialWord(start: index)
    }
  }

  private func isLineEnd(after index: Int) -> Bool {
    guard index + 1 < scalars.count else { return false }
    if scalars[index + 1] == "\n" { return true }
    return scalars[index + 1] == "\r" && index + 2 < scalars.count && scalars[index + 2] == "\n"
  }

  private mutating func skipLineContinuation() {
    let start = index
    index += 1
    if index == scalars.count {
      record(
        ParseError(
          LocalizedText(
            "The line continues after \(.value("\\")), but nothing follows.", ko: "\(.value("\\")) 뒤에 이어지는 줄이 없습니다."),
          at: start..<index, isIncomplete: true))
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

  private func text(_ range: Range<Int>) -> String { String(scalars[range]) }

  private mutating func record(_ misread: ParseError) {
    if error == nil { error = misread }
  }
}

// MARK: - Words: adjacent bare text, quotes and variables
extension Lexer {
  private mutating func inWord() {
    let scalar = scalars[index]
    switch scalar {
    case "\n", ";", "|": endWord()
    case _ where Lexer.isBlank(scalar): endWord()
    case "{", "[":
      if index == word?.start, followsRequest, let end = endOfJSON(from: index) {
        add(Word.Part(kind: .quoted, text: text(index..<end), range: index..<end))
        trace.takeOther("'")
        index = end
      } else {
        add(bare())
      }
    case "'", "\"":
      quote = OpenQuote(start: index, from: index)
      index += 1
    case "\\":
      if index + 1 == scalars.count || isLineEnd(after: index) {
        skipLineContinuation()
      } else {
        add(escapedUnquoted())
      }
    case "$" where startsVariable(index):
      let part = variable(quotedKeys: true)
      traceVariable(part.range)
      add(part)
    case "/" where trace.opensPattern: add(pattern())
    default: add(bare())
    }
  }

  private mutating func endWord() {
    guard let complete = word else { return }
    word = nil
    trace.endWord()
    tokens.append(.word(Word(parts: FieldReference.split(complete.parts), range: complete.start..<index)))
  }

  /// Adds a part to the word, joining bare text that was separated by a line continuation or an ordinary backslash.
  private mutating func add(_ part: Word.Part) {
    if part.kind == .bare, word?.parts.last?.kind == .bare, let index = word?.parts.indices.last,
      let start = word?.parts[index].range.lowerBound
    {
      // The text is appended in place, so that a word across many lines isn't copied with each of them.
      word?.parts[index].text += part.text
      word?.parts[index].range = start..<part.range.upperBound
    } else {
      word?.parts.append(part)
    }
  }

  /// Passes a variable to the trace.
  ///
  /// The quoted keys of its path aren't bare text: `$p["a]"]`.
  private mutating func traceVariable(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let scalar = scalars[position]
      position += 1
      guard scalar == "'" || scalar == "\"" else {
        trace.takeBare(scalar)
        continue
      }
      while position < range.upperBound, scalars[position] != scalar {
        position += scalar == "\"" && scalars[position] == "\\" ? 2 : 1
      }
      position += 1
      trace.takeOther(scalar)
    }
  }

  private mutating func bare() -> Word.Part {
    let start = index
    repeat {
      trace.takeBare(scalars[index])
      index += 1
    } while index < scalars.count && isBare(index)
    return Word.Part(kind: .bare, text: text(start..<index), range: start..<index)
  }

  private func isBare(_ index: Int) -> Bool {
    let scalar = scalars[index]
    if Lexer.isBlank(scalar) || "\n;|'\"\\".unicodeScalars.contains(scalar) { return false }
    if scalar == "/", trace.opensPattern { return false }
    return scalar != "$" || !startsVariable(index)
  }

  /// Reads `/…/` after a tilde, including its slashes.
  ///
  /// A slash inside is preceded by a backslash.
  private mutating func pattern() -> Word.Part {
    let start = index
    index += 1
    while index < scalars.count, scalars[index] != "/", scalars[index] != "\n" {
      let isEscape = scalars[index] == "\\" && index + 1 < scalars.count && scalars[index + 1] != "\n"
      index += isEscape ? 2 : 1
    }
    if index < scalars.count, scalars[index] == "/" {
      index += 1
      if index == start + 2 { record(Lexer.emptyPattern(start..<index)) }
    } else {
      record(Lexer.openPattern(start..<index))
    }
    trace.takeOther("/")
    return Word.Part(kind: .pattern, text: text(start..<index), range: start..<index)
  }

  private static func openPattern(_ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("Missing closing slash of the regular expression.", ko: "정규식을 닫는 빗금(/)이 없습니다."),
      suggestion: LocalizedText(
        "For example: \(.command("name~/세트|북/")). Put text that starts with a slash in quotes: \(.command("name~'/usr'")).",
        ko: "예: \(.command("name~/세트|북/")). 빗금으로 시작하는 텍스트는 따옴표로 묶으세요: \(.command("name~'/usr'"))"), at: range)
  }

  private static func emptyPattern(_ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText("The regular expression is empty.", ko: "정규식이 비어 있습니다."),
      suggestion: LocalizedText(
        "Put text with slashes in quotes: \(.command("thumbnail~'//cdn'")).",
        ko: "빗금이 있는 텍스트는 따옴표로 묶으세요: \(.command("thumbnail~'//cdn'"))"), at: range)
  }

  private mutating func escapedUnquoted() -> Word.Part {
    let start = index
    let next = scalars[index + 1]
    let isOrdinary = Lexer.isBlank(next) || "'\"\\;|#$".unicodeScalars.contains(next)
    index += isOrdinary ? 2 : 1
    trace.takeOther(isOrdinary ? next : "\\")
    return Word.Part(
      kind: isOrdinary ? .quoted : .bare, text: isOrdinary ? String(next) : "\\", range: start..<index)
  }

  /// Returns whether a variable begins here: `$name`, `${name.field}`, `$1`, `$@`.
  ///
  /// A dollar sign before anything else is text.
  private func startsVariable(_ index: Int) -> Bool {
    let isBraced = index + 1 < scalars.count && scalars[index + 1] == "{"
    let first = index + (isBraced ? 2 : 1)
    guard first < scalars.count else { return false }
    let next = scalars[first]
    return Lexer.isNameStart(next) || next == "@" || ("1"..."9").contains(next)
  }

  /// Reads a variable.
  ///
  /// `quotedKeys` allows `["key"]` in its path, which isn't possible within double quotes.
  private mutating func variable(quotedKeys: Bool) -> Word.Part {
    let start = index
    let isBraced = scalars[start + 1] == "{"
    let first = start + (isBraced ? 2 : 1)
    index = first + 1
    switch scalars[first] {
    case "@": break
    case "1"..."9": while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
    default: name(quotedKeys: quotedKeys)
    }
    let name = text(first..<index)
    if isBraced {
      if index < scalars.count, scalars[index] == "}" {
        index += 1
      } else {
        record(Lexer.openBrace(name, start..<index))
      }
    }
    return Word.Part(kind: .variable, text: name, range: start..<index)
  }

  private static func openBrace(_ name: String, _ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "Missing \(.value("}")) after \(.field("${" + name)).",
        ko: "\(.field("${" + name)) 뒤에 \(.value("}"), .subject) 없습니다."),
      suggestion: LocalizedText(
        "Braces hold a name and its path: \(.command("${p.name}")). To use it as text, write \(.command("\\$")).",
        ko: "중괄호 안에는 이름과 경로를 씁니다: \(.command("${p.name}")). 문자열이라면 \(.command("\\$"), .object) 쓰세요."), at: range)
  }

  /// Reads the rest of `name`, `name.field` or `name.pages[0].id`.
  private mutating func name(quotedKeys: Bool) {
    while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
    index = ValuePath.read(scalars, from: index, quotedKeys: quotedKeys).end
  }
}

extension Lexer {
  /// The positions of the dollar signs of `$1` and `$@`, the arguments of a script.
  package var arguments: [Int] {
    tokens.flatMap { token -> [Int] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable && Word.isArgument($0.text) }.map(\.range.lowerBound)
    }
  }
}

// MARK: - Bodies of requests
extension Lexer {
  /// A Boolean value that indicates that the current command consists of `POST /path` or `raw POST /path`, possibly
  /// after prefixes or `let NAME =`, so that a bracket begins the body.
  private var followsRequest: Bool {
    let command = tokens[((tokens.lastIndex { !$0.isWord } ?? -1) + 1)...]
    var before = command.dropLast().compactMap { token in
      if case .word(let word) = token { word.bare } else { nil }
    }
    guard let method = before.popLast(), RequestMethod(rawValue: method) != nil else { return false }
    if before.last == "raw" { before.removeLast() }
    return [nil, "let"].contains(before.first { !CommandPrefix.words.contains($0) })
  }

  /// Returns the position after the bracket that closes the first one, or `nil` if the text has none.
  private func endOfJSON(from start: Int) -> Int? {
    var depth = 0
    var isInText = false
    var position = start
    while position < scalars.count {
      switch scalars[position] {
      case "\\" where isInText: position += 1
      case "\"": isInText.toggle()
      case "{" where !isInText, "[" where !isInText: depth += 1
      case "}" where !isInText, "]" where !isInText: depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return min(position, scalars.count) }
    }
    return nil
  }
}

// MARK: - Quoted text and its escapes
extension Lexer {
  private mutating func inQuote() {
    guard let mark = quote.map({ scalars[$0.start] }) else { return }
    switch scalars[index] {
    case mark:
      index += 1
      endQuotedText()
      quote = nil
      trace.takeOther(mark)
    case "\\" where mark == "\"":
      let text = escape()
      quote?.text.append(contentsOf: text.unicodeScalars)
    case "$" where mark == "\"" && startsVariable(index):
      endQuotedText()
      add(variable(quotedKeys: false))
      quote?.from = index
    case let scalar:
      quote?.text.append(scalar)
      index += 1
    }
  }

  private mutating func endQuotedText() {
    guard let open = quote else { return }
    add(Word.Part(kind: .quoted, text: String(open.text), range: open.from..<index))
    quote?.text = String.UnicodeScalarView()
  }

  /// Records that the closing quote is missing.
  private mutating func closeQuote() {
    guard let start = quote?.start else { return }
    endQuotedText()
    quote = nil
    trace.takeOther(scalars[start])
    let mark = String(scalars[start])
    record(
      ParseError(
        LocalizedText("Missing closing quote: \(mark).", ko: "닫는 따옴표(\(mark))가 없습니다."),
        at: start..<index, isIncomplete: true))
  }

  private mutating func escape() -> String {
    let start = index
    guard index + 1 < scalars.count else {
      index += 1
      return ""
    }
    index += 2
    switch scalars[start + 1] {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "\"": return "\""
    case "\\": return "\\"
    case "$": return "$"
    case "\n": return ""
    case "u":
      if let scalar = unicodeEscape() { return String(scalar) }
      record(
        ParseError(
          LocalizedText("Write a code point as \(.value("\\u{AC00}")).", ko: "코드 포인트는 \(.value("\\u{AC00}"))처럼 씁니다."),
          at: start..<index))
    default:
      record(
        ParseError(
          LocalizedText(
            "Unknown escape in double quotes: \(.value(text(start..<index))).",
            ko: "\(.value(text(start..<index)), .topic) 큰따옴표 안에서 쓸 수 없습니다."),
          suggestion: LocalizedText(
            "Use \\n \\t \\r \\\" \\\\ \\$ or \\u{AC00}. In single quotes, nothing is escaped.",
            ko: "\\n \\t \\r \\\" \\\\ \\$ \\u{AC00}을 쓰세요. 작은따옴표 안에서는 모두 입력한 그대로입니다."),
          at: start..<index))
    }
    return text(start..<index)
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard index < scalars.count, scalars[index] == "{" else { return nil }
    var end = index + 1
    while end < scalars.count, end - index <= 8, scalars[end].properties.isASCIIHexDigit { end += 1 }
    guard end < scalars.count, scalars[end] == "}", let value = UInt32(text(index + 1..<end), radix: 16) else {
      return nil
    }
    index = end + 1
    return Unicode.Scalar(value)
  }
}
