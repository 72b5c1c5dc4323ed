import Text

/// The words of a command of the system's shell, such as a pasted `curl` command, and the redirection of its output.
package struct ShellTokenizer {
  /// The delimiters of a variable until its use is known.
  private static let variableStart: Unicode.Scalar = "\u{F0000}"
  private static let variableEnd: Unicode.Scalar = "\u{F0001}"
  /// The start delimiter of a variable whose value is form-encoded when it is inserted.
  private static let encodedStart: Unicode.Scalar = "\u{F0002}"
  /// The start delimiters of a variable whose quotes and backslashes are escaped once or twice when it is inserted.
  private static let escapedStarts: [Unicode.Scalar] = ["\u{F0003}", "\u{F0004}"]

  package static func holdsVariable(_ text: String) -> Bool { text.unicodeScalars.contains(variableEnd) }

  package static func holdsVariable(_ name: String, in text: String) -> Bool {
    ([variableStart, encodedStart] + escapedStarts).contains { start in
      text.utf8.contains((String(start) + name + String(variableEnd)).utf8)
    }
  }

  package static func holdsEscapedVariable(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: escapedStarts.contains)
  }

  /// Returns the text with one escape less for its escaped variables, as a program that reads quotes sees them.
  package static func unescapedOnce(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case escapedStarts[0]: result.append(variableStart)
      case escapedStarts[1]: result.append(escapedStarts[0])
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the text with its variables as a shell writes them.
  package static func spelled(_ text: String) -> String {
    text.replacing(/[\u{F0000}\u{F0002}-\u{F0004}]([A-Za-z0-9_]*)\u{F0001}/.matchingSemantics(.unicodeScalar)) {
      "$" + $0.1
    }
  }

  /// Returns the text with the values of its variables.
  ///
  /// - Parameters:
  ///   - encode: Encodes a value that is part of a form.
  ///   - value: Returns the value of a variable.
  package static func filled(
    _ text: String, encode: (String) -> String, _ value: (String) throws -> String
  ) rethrows -> String {
    try text.replacing(/([\u{F0000}\u{F0002}-\u{F0004}])([A-Za-z0-9_]*)\u{F0001}/.matchingSemantics(.unicodeScalar)) {
      match in
      let value = try value(String(match.2))
      if match.1 == String(encodedStart) { return encode(value) }
      let escapes = escapedStarts.firstIndex { match.1.unicodeScalars.first == $0 }.map { $0 + 1 } ?? 0
      return (0..<escapes).reduce(value) { value, _ in
        value.replacing(/["\\]/.matchingSemantics(.unicodeScalar)) { "\\" + $0.output }
      }
    }
  }

  /// Returns the text with everything but its variables changed.
  package static func mapped(_ text: String, encodesValues: Bool = false, _ change: (String) -> String) -> String {
    var result = ""
    var rest = Substring(text)
    while let match = rest.firstMatch(
      of: /[\u{F0000}\u{F0002}-\u{F0004}][A-Za-z0-9_]*\u{F0001}/.matchingSemantics(.unicodeScalar))
    {
      result += change(String(rest[..<match.range.lowerBound]))
      let named = match.output.unicodeScalars
      result += encodesValues ? String(encodedStart) + String(named.dropFirst()) : String(named)
      rest = rest[match.range.upperBound...]
    }
    return result + change(String(rest))
  }

  /// Returns the line with a variable in place of a secret, so that the secret isn't stored anywhere.
  package static func line(_ line: String, naming variable: String, insteadOf secret: String) -> String {
    let scalars = Array(line.unicodeScalars)
    let sought = Array(secret.unicodeScalars)
    guard !sought.isEmpty else { return line }
    var result = String.UnicodeScalarView()
    var quoting = POSIXQuoting()
    var index = 0
    while index < scalars.count {
      if scalars[index...].starts(with: sought) {
        result.append(contentsOf: quoting.expansion(of: variable).unicodeScalars)
        index += sought.count
      } else {
        _ = quoting.read(scalars[index], before: index + 1 < scalars.count ? scalars[index + 1] : nil)
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }

  package private(set) var words: [String] = []
  /// The command after `|`.
  package private(set) var pipe: String?
  /// The file after `>`.
  package private(set) var file: String?

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var quoting = POSIXQuoting()
  /// The bytes of the word, which `$'…'` can give one by one.
  private var word: [UInt8]?

  /// Splits a line.
  ///
  /// - Throws: `ParseError` for what only a shell can do: several commands, and command substitution other than in our own
  ///   curl lines; and for a word that isn't UTF-8.
  package init(_ line: String) throws(ParseError) {
    scalars = Array(line.unicodeScalars)
    while index < scalars.count, pipe == nil { try step() }
    try flush()
    if words.first == "$" { words.removeFirst() }
  }

  private mutating func flush() throws(ParseError) {
    guard let bytes = word else { return }
    word = nil
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ParseError(
        LocalizedText(
          "The escapes in \(.value("$'…'")) are not UTF-8 text.", ko: "\(.value("$'…'"))의 이스케이프가 UTF-8 텍스트가 아닙니다."),
        suggestion: LocalizedText(
          "Put the bytes in a file and send it with \(.command("--data-binary @FILE")).",
          ko: "바이트를 파일에 넣고 \(.command("--data-binary @파일"), .with) 보내세요."))
    }
    words.append(text)
  }

  private mutating func put(_ text: String) { put(bytes: text.utf8) }
  private mutating func put(_ scalar: Unicode.Scalar) { put(bytes: String(scalar).utf8) }

  private mutating func put(bytes: some Sequence<UInt8>) {
    if word == nil { word = [] }
    word?.append(contentsOf: bytes)
  }

  private mutating func step() throws(ParseError) {
    let scalar = scalars[index]
    index += 1
    switch quoting.read(scalar, before: index < scalars.count ? scalars[index] : nil) {
    case .quote: put("")
    case .escaping: if quoting.quote == nil, scalars[index...].starts(with: "\r\n".unicodeScalars) { index += 1 }
    case .text(let text): put(text)
    case .escape:
      index -= 1
      try ansiEscape()
    case .plain where quoting.quote != nil: if scalar == "`" || !readEscapedVariable() { try expansion(scalar) }
    case .plain: try unquoted(scalar)
    }
  }

  /// Reads the expansion that a dollar sign or a backquote begins.
  private mutating func expansion(_ scalar: Unicode.Scalar) throws(ParseError) {
    if scalar == "`" { throw ShellTokenizer.onlyAShell }
    try variable()
  }

  private mutating func unquoted(_ scalar: Unicode.Scalar) throws(ParseError) {
    switch scalar {
    case " ", "\t", "\n", "\r", "\u{A0}": try flush()
    case "$", "`": try expansion(scalar)
    case "|" where !(index < scalars.count && scalars[index] == "|"):
      try flush()
      pipe = String(String.UnicodeScalarView(scalars[index...])).trimmed
      index = scalars.count
    case ">":
      try flush()
      let rest = String(String.UnicodeScalarView(scalars[index...])).trimmed
      let target = try ShellTokenizer(rest)
      guard target.words.count == 1 else { throw ShellTokenizer.onlyAShell }
      file = target.words[0]
      index = scalars.count
    case ";" where scalars[index...].allSatisfy({ $0.properties.isWhitespace }): try flush()
    case "&" where word?.contains(UInt8(ascii: "?")) == true:
      throw ParseError(
        LocalizedText(
          "The \(.value("&")) in the URL is not quoted. A shell would end the command there.",
          ko: "주소의 \(.value("&"))가 따옴표 밖에 있습니다. 셸에서는 명령이 거기서 끝납니다."),
        suggestion: LocalizedText("Put the URL in quotes.", ko: "주소를 따옴표로 묶으세요."))
    case ";", "|", "&", "<": throw ShellTokenizer.onlyAShell
    case "#" where word == nil:
      while index < scalars.count, scalars[index] != "\n" { index += 1 }
    default: put(scalar)
    }
  }

  /// Reads the substitution that our own curl lines contain for a secret in JSON, `$(printf %s "$NAME" | sed
  /// 's/["\\]/\\&/g')`, with `sed` a second time in a quoted value of `-F`.
  ///
  /// Returns false for anything else.
  private mutating func readEscapedVariable() -> Bool {
    guard index < scalars.count, scalars[index] == "(" else { return false }
    let rest = String(String.UnicodeScalarView(scalars[index...]))
    let command =
      #/\(printf %s "\$([A-Za-z_][A-Za-z0-9_]*)" \| sed 's/\["\\\\\]/\\\\&/g'( \| sed 's/\["\\\\\]/\\\\&/g')?\)/#
    guard let match = rest.prefixMatch(of: command) else { return false }
    index += match.0.unicodeScalars.count
    let start = ShellTokenizer.escapedStarts[match.2 == nil ? 0 : 1]
    put(String(start) + match.1 + String(ShellTokenizer.variableEnd))
    return true
  }

  /// Reads what follows a backslash in `$'…'`, in which browsers write a quote as `\'` and invisible characters as
  /// `\u0021`, as bash does.
  private mutating func ansiEscape() throws(ParseError) {
    let next = scalars[index]
    index += 1
    switch next {
    case "a": put("\u{07}")
    case "b": put("\u{08}")
    case "e", "E": put("\u{1B}")
    case "f": put("\u{0C}")
    case "n": put("\n")
    case "r": put("\r")
    case "t": put("\t")
    case "v": put("\u{0B}")
    case "\\", "'", "\"", "?": put(next)
    case "c": try control()
    case "0"..."7":
      index -= 1
      try put(code: number(radix: 8, upTo: 3), isByte: true)
    case "x" where isHexDigit: try put(code: number(radix: 16, upTo: 2), isByte: true)
    case "u" where isHexDigit: try put(code: number(radix: 16, upTo: 4))
    case "U" where isHexDigit: try put(code: number(radix: 16, upTo: 8))
    case "x" where index < scalars.count && scalars[index] == "{": throw ShellTokenizer.onlyAShell
    default: put("\\" + String(next))
    }
  }

  /// Reads the character of `\cX`.
  private mutating func control() throws(ParseError) {
    guard index < scalars.count, scalars[index].isASCII, scalars[index] != "'" else { throw ShellTokenizer.onlyAShell }
    let letter = scalars[index]
    index += 1
    if letter == "\\", index < scalars.count, scalars[index] == "\\" { index += 1 }
    try put(code: letter == "?" ? 0x7F : letter.value & 0x1F)
  }

  private var isHexDigit: Bool { index < scalars.count && scalars[index].properties.isASCIIHexDigit }

  private mutating func number(radix: Int, upTo count: Int) -> UInt32 {
    var result: UInt32 = 0
    let end = min(index + count, scalars.count)
    while index < end, let digit = Character(scalars[index]).hexDigitValue, scalars[index].isASCII, digit < radix {
      result = result << (radix == 8 ? 3 : 4) | UInt32(digit)
      index += 1
    }
    return result
  }

  /// Appends a byte, or the character with this code.
  ///
  /// - Throws: `ParseError` for the zero byte, where a shell ends the text, and for a code that is no character.
  private mutating func put(code: UInt32, isByte: Bool = false) throws(ParseError) {
    let byte = UInt8(truncatingIfNeeded: code)
    guard let scalar = Unicode.Scalar(code), code != 0, !isByte || byte != 0 else { throw ShellTokenizer.onlyAShell }
    if isByte { put(bytes: [byte]) } else { put(scalar) }
  }

  /// Reads `$NAME` or `${NAME}`.
  ///
  /// A dollar sign before anything else is text.
  private mutating func variable() throws(ParseError) {
    guard index < scalars.count else { return put("$") }
    if scalars[index] == "(" { throw ShellTokenizer.onlyAShell }
    let isBraced = scalars[index] == "{"
    if isBraced { index += 1 }
    let start = index
    while index < scalars.count, scalars[index].isASCII, Lexer.isName(scalars[index]) { index += 1 }
    let name = String(String.UnicodeScalarView(scalars[start..<index]))
    if isBraced {
      guard index < scalars.count, scalars[index] == "}" else { throw ShellTokenizer.onlyAShell }
      index += 1
    }
    guard !name.isEmpty else { return put("$") }
    put(String(ShellTokenizer.variableStart) + name + String(ShellTokenizer.variableEnd))
  }

  private static let onlyAShell = ParseError(
    LocalizedText(
      "The pasted line uses shell features that openmarket does not support.",
      ko: "붙여 넣은 줄에 이 프로그램이 지원하지 않는 셸 문법이 있습니다."),
    suggestion: LocalizedText(
      "Paste a single \(.command("curl")) command. It may end with \(.command("| program")) or \(.command("> file")).",
      ko: "\(.command("curl")) 하나와 그 옵션, 그 뒤의 \(.command("| 프로그램"))이나 \(.command("> 파일"))만 읽습니다."))
}

/// The tokens of a line.
package enum Token: Hashable, Sendable {
  case word(Word)
  /// The character `;`, or the end of one line of several.
  case separator(Range<Int>)
  /// The character `|` and the text after it, for `/bin/sh`.
  ///
  /// The range contains both.
  case pipe(String, Range<Int>)
  /// A comment from `#` to the end of the line.
  case comment(Range<Int>)

  var isWord: Bool { if case .word = self { true } else { false } }

  /// The range in Unicode scalars of the line.
  package var range: Range<Int> {
    switch self {
    case .word(let word): word.range
    case .separator(let range), .pipe(_, let range), .comment(let range): range
    }
  }
}
