import Text

/// A parser for TOML 1.0 without arrays of tables and dates.
///
/// It works on bytes without backtracking, and the nesting depth is limited so that no file can overflow the stack.
struct TOMLParser {
  /// The maximum nesting depth of tables.
  private static let depth = 32
  /// The maximum number of values and tables, each of which is found by the names of all tables around it.
  private static let maximumValues = 100_000
  /// The maximum length of a name in bytes.
  private static let maximumNameBytes = 200
  /// The number of elements of an array whose positions are stored.
  private static let maximumLocatedElements = 100

  /// A table under construction, and whether a line of the file has defined or closed it.
  private final class Node {
    var values: [String: TOML] = [:]
    var tables: [String: Node] = [:]
    /// Set by a `[table]` line or a dotted key; a second `[table]` line is an error then.
    var isDefined = false
    /// Set by a dotted key: only dotted keys of the same table may extend it.
    var isDotted = false
    var contents: [String: TOML] {
      values.merging(tables.mapValues { .table($0.contents) }) { first, _ in first }
    }
  }

  /// The file without a byte order mark.
  let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The number of names of values and tables that were read.
  private var count = 0
  /// The line of each table and value.
  private(set) var lines: [[String]: Int] = [:]
  /// The position of each value outside of inline tables and arrays, in bytes.
  private(set) var ranges: [[String]: Range<Int>] = [:]
  /// The position of each table and value, also inside of inline tables and arrays, in bytes.
  ///
  /// An element of an array is named by its index.
  private(set) var offsets: [[String]: TOMLDocument.Offsets] = [:]

  init(_ text: String) {
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self.bytes = bytes
  }

  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  mutating func document() throws(TOML.SyntaxError) -> [String: TOML] {
    let root = Node()
    var current = root
    var path: [String] = []
    while skipToContent() {
      if peek == UInt8(ascii: "[") {
        let start = position
        (current, path) = try header(root)
        lines[path] = line
        offsets[path] = TOMLDocument.Offsets(name: start, value: start)
      } else {
        try member(of: current, at: path)
      }
      try endOfLine()
    }
    return root.contents
  }

  // MARK: Lines

  private mutating func header(_ root: Node) throws(TOML.SyntaxError) -> (Node, path: [String]) {
    advance()
    if peek == UInt8(ascii: "[") {
      throw fault("arrays of tables ([[…]]) are not supported", ko: "표의 배열([[…]])은 지원하지 않습니다")
    }
    skipBlanks()
    let path = try keys()
    guard peek == UInt8(ascii: "]") else { throw fault("missing ] after the table name", ko: "표 이름은 ]로 끝나야 합니다") }
    advance()
    var node = root
    for name in path {
      guard node.values[name] == nil else {
        throw fault("this name already has a value", ko: "이 이름은 이미 값으로 쓰였습니다")
      }
      let next = node.tables[name] ?? Node()
      guard !next.isDotted else { throw fault("this table was already defined", ko: "이 표는 앞에서 이미 썼습니다") }
      node.tables[name] = next
      node = next
    }
    guard !node.isDefined else { throw fault("duplicate table", ko: "같은 표가 두 번 있습니다") }
    node.isDefined = true
    return (node, path)
  }

  private mutating func member(of table: Node, at prefix: [String]) throws(TOML.SyntaxError) {
    let name = self.position
    let path = try keys()
    lines[prefix + path] = line
    guard peek == UInt8(ascii: "=") else { throw fault("missing = after the name", ko: "이름 뒤에는 =가 와야 합니다") }
    advance()
    skipBlanks()
    let start = self.position
    offsets[prefix + path] = TOMLDocument.Offsets(name: name, value: start)
    try put(try value(depth: 0, at: prefix + path), at: path, in: table)
    ranges[prefix + path] = start..<self.position
  }

  private func put(_ value: TOML, at path: [String], in table: Node) throws(TOML.SyntaxError) {
    var node = table
    for name in path.dropLast() {
      guard node.values[name] == nil else {
        throw fault("this name already has a value", ko: "이 이름에는 이미 값이 있습니다")
      }
      if let next = node.tables[name] {
        guard next.isDotted else { throw fault("this table was already defined elsewhere", ko: "이 표는 다른 곳에서 시작했습니다") }
        node = next
      } else {
        let next = Node()
        (next.isDotted, next.isDefined) = (true, true)
        node.tables[name] = next
        node = next
      }
    }
    guard let name = path.last, node.values[name] == nil, node.tables[name] == nil else {
      throw fault("duplicate name", ko: "같은 이름이 두 번 있습니다")
    }
    node.values[name] = value
  }

  private mutating func endOfLine() throws(TOML.SyntaxError) {
    skipBlanks()
    skipComment()
    guard let byte = peek else { return }
    if byte == 13, position + 1 < bytes.count, bytes[position + 1] == 10 { advance() }
    guard peek == 10 else { throw fault("unexpected text after the value", ko: "값이 끝난 뒤에 다른 것이 있습니다") }
    advance()
  }

  // MARK: Names

  private mutating func keys() throws(TOML.SyntaxError) -> [String] {
    var path = [try key()]
    skipBlanks()
    while peek == UInt8(ascii: ".") {
      advance()
      skipBlanks()
      path.append(try key())
      skipBlanks()
      if path.count > TOMLParser.depth { throw fault("tables are nested too deeply", ko: "표가 너무 깊이 중첩되어 있습니다") }
    }
    count += 1
    if count > TOMLParser.maximumValues {
      throw fault("more than \(TOMLParser.maximumValues) values", ko: "값이 \(TOMLParser.maximumValues)개를 넘습니다")
    }
    return path
  }

  private mutating func key() throws(TOML.SyntaxError) -> String {
    let name = try typedKey()
    guard name.utf8.count <= TOMLParser.maximumNameBytes else {
      throw fault("this name is too long", ko: "이름이 너무 깁니다")
    }
    return name
  }

  private mutating func typedKey() throws(TOML.SyntaxError) -> String {
    switch peek {
    case UInt8(ascii: "\""): return try basic()
    case UInt8(ascii: "'"): return try literal()
    default:
      let start = position
      while let byte = peek, TOMLParser.isBare(byte) { advance() }
      guard position > start else { throw fault("missing name, or a name that needs quotes", ko: "이름이 없거나 따옴표가 필요합니다") }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
  }

  // MARK: Values

  private mutating func value(depth: Int, at path: [String]) throws(TOML.SyntaxError) -> TOML {
    switch peek {
    case nil, 10, 13, UInt8(ascii: "#"): throw fault("missing value", ko: "값이 없습니다")
    case UInt8(ascii: "\""): return .string(isNext("\"\"\"") ? try multilineBasicString() : try basic())
    case UInt8(ascii: "'"): return .string(isNext("'''") ? try multilineLiteralString() : try literal())
    case UInt8(ascii: "{"): return try inline(depth: depth, at: path)
    case UInt8(ascii: "["): return .array(try array(depth: depth, at: path))
    default: return try scalar()
    }
  }

  /// Reads `[…]`, which may extend over several lines and end with a comma.
  private mutating func array(depth: Int, at path: [String]) throws(TOML.SyntaxError) -> [TOML] {
    if depth >= TOMLParser.depth { throw fault("arrays are nested too deeply", ko: "배열이 너무 깊이 중첩되어 있습니다") }
    advance()
    var elements: [TOML] = []
    while skipToContent(), peek != UInt8(ascii: "]") {
      let element = path + [String(elements.count)]
      if elements.count < TOMLParser.maximumLocatedElements {
        offsets[element] = TOMLDocument.Offsets(name: position, value: position)
      }
      elements.append(try value(depth: depth + 1, at: element))
      guard skipToContent(), peek == UInt8(ascii: ",") else { break }
      advance()
    }
    guard peek == UInt8(ascii: "]") else { throw fault("missing ] at the end of the array", ko: "배열은 ]로 끝나야 합니다") }
    advance()
    return elements
  }

  private mutating func inline(depth: Int, at prefix: [String]) throws(TOML.SyntaxError) -> TOML {
    if depth >= TOMLParser.depth { throw fault("tables are nested too deeply", ko: "표가 너무 깊이 중첩되어 있습니다") }
    advance()
    let node = Node()
    skipBlanks()
    if peek == UInt8(ascii: "}") {
      advance()
      return .table([:])
    }
    while true {
      skipBlanks()
      let name = position
      let path = try keys()
      guard peek == UInt8(ascii: "=") else { throw fault("missing = after the name", ko: "이름 뒤에는 =가 와야 합니다") }
      advance()
      skipBlanks()
      offsets[prefix + path] = TOMLDocument.Offsets(name: name, value: position)
      try put(try value(depth: depth + 1, at: prefix + path), at: path, in: node)
      skipBlanks()
      switch peek {
      case UInt8(ascii: ","): advance()
      case UInt8(ascii: "}"):
        advance()
        return .table(node.contents)
      default: throw fault("missing } at the end of the inline table", ko: "중괄호 표는 }로 끝나야 합니다")
      }
    }
  }

  /// Reads a number or a Boolean.
  private mutating func scalar() throws(TOML.SyntaxError) -> TOML {
    let start = position
    while let byte = peek, TOMLParser.isBare(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") {
      advance()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: break
    }
    if let number = TOMLNumber(bytes[start..<position]) {
      if number.isInteger {
        guard let value = Int(number.digits) else { throw fault("the number is too large", ko: "숫자가 너무 큽니다") }
        return .integer(value)
      }
      guard let value = Double(number.digits), value.isFinite else {
        throw fault("the number is too large", ko: "숫자가 너무 큽니다")
      }
      return .decimal(number.digits)
    }
    throw fault(
      "a value must be a quoted string, a number, true or false", ko: "값은 따옴표로 묶은 문자열, 숫자, true, false 중 하나입니다")
  }

  // MARK: Texts

  /// Reads `"…"` on one line, with escapes.
  private mutating func basic() throws(TOML.SyntaxError) -> String {
    advance()
    var text: [UInt8] = []
    while true {
      guard let byte = peek, byte != 10 else { throw fault("missing closing quote", ko: "문자열을 닫는 따옴표가 없습니다") }
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return try decoded(text)
      case UInt8(ascii: "\\"): try escape(into: &text)
      default: text.append(try plain(byte))
      }
    }
  }

  /// Reads `'…'` on one line, without escapes.
  private mutating func literal() throws(TOML.SyntaxError) -> String {
    advance()
    var text: [UInt8] = []
    while true {
      guard let byte = peek, byte != 10 else { throw fault("missing closing quote", ko: "문자열을 닫는 따옴표가 없습니다") }
      if byte == UInt8(ascii: "'") {
        advance()
        return try decoded(text)
      }
      text.append(try plain(byte))
    }
  }

  /// Reads `"""…"""` over several lines, with escapes.
  private mutating func multilineBasicString() throws(TOML.SyntaxError) -> String {
    openLines()
    var text: [UInt8] = []
    while let byte = peek {
      if byte == UInt8(ascii: "\"") {
        if closeLines(byte, &text) { return try decoded(text) }
      } else if byte == UInt8(ascii: "\\") {
        if skipsLineEnd() { continue }
        try escape(into: &text)
      } else {
        text.append(byte == 10 ? takeByte() : try plain(byte))
      }
    }
    throw fault("missing closing quotes", ko: "문자열을 닫는 따옴표가 없습니다")
  }

  /// Reads `'''…'''` over several lines, without escapes.
  private mutating func multilineLiteralString() throws(TOML.SyntaxError) -> String {
    openLines()
    var text: [UInt8] = []
    while let byte = peek {
      if byte == UInt8(ascii: "'") {
        if closeLines(byte, &text) { return try decoded(text) }
      } else {
        text.append(byte == 10 ? takeByte() : try plain(byte))
      }
    }
    throw fault("missing closing quotes", ko: "문자열을 닫는 따옴표가 없습니다")
  }

  /// Skips the opening quotes and a newline that follows immediately.
  private mutating func openLines() {
    for _ in 0..<3 { advance() }
    if peek == 13, position + 1 < bytes.count, bytes[position + 1] == 10 { advance() }
    if peek == 10 { advance() }
  }

  /// Reads quotes.
  ///
  /// Up to two before the closing three belong to the text.
  private mutating func closeLines(_ quote: UInt8, _ text: inout [UInt8]) -> Bool {
    var count = 0
    while peek == quote, count < 5 {
      advance()
      count += 1
    }
    text += Array(repeating: quote, count: count < 3 ? count : count - 3)
    return count >= 3
  }

  /// Skips a backslash at the end of a line and the white space up to the next text.
  private mutating func skipsLineEnd() -> Bool {
    var end = position + 1
    while end < bytes.count, [9, 13, 32].contains(bytes[end]) { end += 1 }
    guard end < bytes.count, bytes[end] == 10 else { return false }
    advance()
    while let byte = peek, [9, 10, 13, 32].contains(byte) { advance() }
    return true
  }

  private mutating func escape(into text: inout [UInt8]) throws(TOML.SyntaxError) {
    advance()
    guard let byte = peek, byte != 10 else { throw fault("missing closing quote", ko: "문자열을 닫는 따옴표가 없습니다") }
    advance()
    switch byte {
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
    case UInt8(ascii: "u"): try scalar(digits: 4, into: &text)
    case UInt8(ascii: "U"): try scalar(digits: 8, into: &text)
    default: throw fault("unknown escape after the backslash", ko: "역슬래시 뒤에 쓸 수 없는 문자입니다")
    }
  }

  private mutating func scalar(digits: Int, into text: inout [UInt8]) throws(TOML.SyntaxError) {
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("\\u must be followed by 4 hex digits, \\U by 8", ko: "\\u 뒤에는 16진수 4자리, \\U 뒤에는 8자리가 와야 합니다")
      }
      code = code << 4 | UInt32(digit)
      advance()
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("invalid character", ko: "올바르지 않은 문자입니다") }
    text += Array(String(Character(scalar)).utf8)
  }

  private mutating func plain(_ byte: UInt8) throws(TOML.SyntaxError) -> UInt8 {
    let endsLine = byte == 13 && position + 1 < bytes.count && bytes[position + 1] == 10
    guard byte >= 32 && byte != 127 || byte == 9 || endsLine else {
      throw fault("control characters are not allowed in strings", ko: "문자열 안에 제어 문자가 있습니다")
    }
    return takeByte()
  }

  private func decoded(_ text: [UInt8]) throws(TOML.SyntaxError) -> String {
    guard let text = String(validating: text, as: UTF8.self) else {
      throw fault("the string is not valid UTF-8", ko: "문자열이 UTF-8이 아닙니다")
    }
    return text
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func advance() {
    if peek == 10 { line += 1 }
    position += 1
  }

  private mutating func takeByte() -> UInt8 {
    let byte = bytes[position]
    advance()
    return byte
  }

  private mutating func skipBlanks() { while peek == 32 || peek == 9 { advance() } }

  private mutating func skipComment() {
    guard peek == UInt8(ascii: "#") else { return }
    while let byte = peek, byte != 10 {
      if byte == 13, position + 1 < bytes.count, bytes[position + 1] == 10 { return }
      advance()
    }
  }

  /// Skips to the next content.
  ///
  /// Returns false at the end of the file.
  private mutating func skipToContent() -> Bool {
    while true {
      skipBlanks()
      skipComment()
      switch peek {
      case nil: return false
      case 10: advance()
      case 13 where position + 1 < bytes.count && bytes[position + 1] == 10: advance()
      default: return true
      }
    }
  }

  private func fault(_ reason: StyledText, ko: StyledText) -> TOML.SyntaxError {
    TOML.SyntaxError(
      line: line, column: TOMLDocument.column(atByte: position, in: bytes), reason: LocalizedText(reason, ko: ko))
  }
}
