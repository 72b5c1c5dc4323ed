import Networking
import Text

/// A word of a line with its parts.
///
/// Only text that was typed bare can be an option or an operator.
package struct Word: Hashable, Sendable {
  /// The notation of a part of a word.
  package enum Kind: Hashable, Sendable {
    case bare
    /// Text within quotes or after a backslash.
    case quoted
    /// A regular expression including its slashes.
    case pattern
    /// A variable or a reference to a value.
    ///
    /// Before expansion, `text` is the name without the dollar sign: `name`, `name.field`, `1`, `@`, or a reference
    /// such as `_.price` and `@3.name`.
    case variable
  }

  /// A part of a word in one notation.
  package struct Part: Hashable, Sendable {
    package var kind: Kind
    package var text: String
    package var range: Range<Int>
    /// The typed value of a variable after expansion.
    package var value: NamedValue?
    /// The variable as written, after expansion: `$p.price`.
    package var name: String?

    package init(kind: Kind, text: String, range: Range<Int>) {
      self.kind = kind
      self.text = text
      self.range = range
    }
  }

  package var parts: [Part]
  /// The range in Unicode scalars of the line.
  package var range: Range<Int>
  /// The variable of the word that has no value.
  ///
  /// Such a word can't be checked.
  package var unknown: String?
  /// The member used in the word that its response or product doesn't have.
  package var missing: String?

  package init(parts: [Part], range: Range<Int>) {
    self.parts = parts
    self.range = range
  }

  /// The text of the word.
  package var text: String { parts.map(\.text).joined() }

  /// The text if all of it was typed bare, otherwise `nil`.
  ///
  /// Only such words can be options, clauses or operators.
  package var bare: String? {
    guard parts.allSatisfy({ $0.kind == .bare }) else { return nil }
    return text
  }

  /// The bare text at the beginning, or an empty text if the word begins with a quote or a variable.
  package var bareBeginning: String {
    guard let first = parts.first, first.kind == .bare else { return "" }
    return first.text
  }

  package var isUnknown: Bool { unknown != nil || missing != nil }
}

extension Word {
  /// Returns the words of a command with their variables expanded, each within its word.
  ///
  /// A variable without a value makes its word unknown.
  ///
  /// A word that is only `$@` becomes one word per argument. Without `arguments` no script is running: `$5` and `$@`
  /// are text.
  ///
  /// - Throws: `ParseError` if the values exceed `maximumExpanded` in total, because repeated doubling of a variable must
  ///   not fill the memory.
  static func expanded(
    _ words: [Word], by variables: NamedValues, arguments: [String]?
  ) throws(ParseError) -> [Word] {
    var result: [Word] = []
    var bytes = 0
    func count(_ text: String?, _ range: Range<Int>) throws(ParseError) {
      bytes += text?.utf8.count ?? 0
      guard bytes > maximumExpanded else { return }
      throw ParseError(
        LocalizedText(
          "With its variables expanded, the line is larger than 4 MiB.", ko: "변수의 값을 넣으면 명령이 4 MiB보다 커집니다."),
        at: range)
    }
    for word in words {
      guard let arguments, word.isAllArguments else {
        result.append(try word.expanded(by: variables, arguments: arguments, count))
        continue
      }
      for text in arguments {
        try count(text, word.range)
        var part = Part(kind: .variable, text: text, range: word.range)
        part.value = NamedValue(word: text)
        result.append(Word(parts: [part], range: word.range))
      }
    }
    return result
  }

  /// The maximum total size in bytes of all variables of a command.
  static let maximumExpanded = 4 << 20

  private var isAllArguments: Bool {
    let said = parts.filter { $0.kind == .variable || !$0.text.isEmpty }
    return said.count == 1 && said[0].kind == .variable && said[0].text == "@"
  }

  /// Returns the word with its variables expanded.
  ///
  /// For `$name.field`, `name.field` is tried first, then `name` followed by the text `.field`: `$file.csv`.
  private func expanded(
    by variables: NamedValues, arguments: [String]?, _ count: (String?, Range<Int>) throws(ParseError) -> Void
  ) throws(ParseError) -> Word {
    guard parts.contains(where: { $0.kind == .variable }) else { return self }
    var copy = self
    for (index, part) in parts.enumerated() where part.kind == .variable {
      let value =
        Word.isArgument(part.text)
        ? Word.argument(part.text, arguments) : Word.value(of: part.text, variables)
      if index + 1 < parts.count { try requirePath(of: part, before: parts[index + 1], variables) }
      try count(value?.text, part.range)
      copy.parts[index].text = value?.text ?? ""
      copy.parts[index].value = value
      copy.parts[index].name = Word.written(part.text)
      switch value {
      case nil: copy.unknown = copy.unknown ?? Word.unknownName(part.text, variables)
      case .missing: copy.missing = copy.missing ?? part.text
      case .value, .elements: break
      }
    }
    return copy
  }

  /// Throws if bare text after the value of a response looks like the rest of a path, because it would silently become
  /// text.
  private func requirePath(
    of part: Part, before rest: Part, _ variables: NamedValues
  ) throws(ParseError) {
    // Braces end a path: `${p.name}.txt`.
    let isBraced = part.range.count > part.text.unicodeScalars.count + 1
    guard rest.kind == .bare, rest.range.lowerBound == part.range.upperBound, !isBraced,
      rest.text.unicodeScalars.first.map({ $0 == "[" || $0 == "." }) == true,
      Word.isNested(ValuePath.split(part.text).root, variables)
    else { return }
    var error = ParseError(
      LocalizedText(
        "Unexpected text after the path \(.field("$" + part.text)): \(.value(rest.text)).",
        ko: "\(.field("$" + part.text)) 경로 뒤에 올 수 없는 텍스트: \(.value(rest.text))."),
      suggestion: LocalizedText(
        "Continue a path with \(.command(".key [0] [-1] [\"key\"]")), or with \(.command("[*]")) in \(.command("assert all")) and \(.command("assert any")).",
        ko:
          "경로에는 \(.command(".key [0] [-1] [\"key\"]"))를 쓰고, \(.command("[*]"))는 \(.command("assert all"))과 \(.command("assert any"))에 씁니다."
      ),
      at: rest.range.lowerBound..<range.upperBound)
    error.showsCaret = true
    throw error
  }

  /// Returns the name that has no value: of `$q.x` it is `q` if there is no such variable.
  private static func unknownName(_ name: String, _ variables: NamedValues) -> String {
    let root = ValuePath.split(name).root
    return root.hasPrefix("_") || root.hasPrefix("@") || isArgument(root) || variables(root) != nil ? name : root
  }

  private static func isNested(_ root: String, _ variables: NamedValues) -> Bool {
    if variables(root)?.isNested == true { return true }
    if case .value? = variables(root + ".status") { return true }
    return false
  }

  static func isArgument(_ name: String) -> Bool { name == "@" || name.utf8.allSatisfy { (48...57).contains($0) } }

  private static func argument(_ name: String, _ arguments: [String]?) -> NamedValue? {
    guard let arguments else { return .value(.string("$" + name)) }
    if name == "@" { return .value(.string(arguments.joined(separator: " "))) }
    guard let number = NumberLiteral.integer(name), arguments.indices.contains(number - 1) else { return nil }
    return NamedValue(word: arguments[number - 1])
  }

  private static func value(of name: String, _ variables: NamedValues) -> NamedValue? {
    if let value = variables(name) { return value }
    let (root, rest) = ValuePath.split(name)
    guard !rest.isEmpty, !name.hasPrefix("@") else { return nil }
    func followed(by text: some StringProtocol, _ name: String) -> NamedValue? {
      variables(name)?.text.map { .value(.string($0 + text)) }
    }
    let steps = ValuePath(rest)?.steps ?? []
    guard case .key(let first)? = steps.first else { return followed(by: rest, root) }
    guard FieldNameTable.allEditions.field(first) != nil else {
      // `_.csv` is the name of a file.
      return root == "_" ? .value(.string(name)) : followed(by: rest, root)
    }
    // `$p.name.txt` is the name of a product followed by text.
    return steps.count < 2 ? nil : followed(by: rest.dropFirst(first.count + 1), root + "." + first)
  }
}

extension Word {
  /// Returns the word if every variable in it has a value.
  ///
  /// - Throws: `ParseError` for a variable without a value, a missing member, and `[*]`, which has several values.
  func known() throws(ParseError) -> Word {
    if let unknown { throw Word.withoutValue(unknown, at: range) }
    if let missing { throw Word.withoutMember(missing, at: range) }
    if let part = parts.first(where: { if case .elements? = $0.value { true } else { false } }) {
      throw Word.misplacedElements(at: part.range)
    }
    return self
  }

  /// Returns the error for `[*]` in a position that needs one value.
  package static func misplacedElements(at range: Range<Int>? = nil) -> ParseError {
    ParseError(
      LocalizedText("\(.command("[*]")) stands for several values.", ko: "\(.command("[*]"), .topic) 여러 값을 가리킵니다."),
      suggestion: LocalizedText(
        "Use it on the left of a comparison: \(.command("assert all $p.pages[*].price > 0")), or with \(.command("any")).",
        ko: "비교의 왼쪽에 쓰세요: \(.command("assert all $p.pages[*].price > 0")). \(.command("any"))도 쓸 수 있습니다."), at: range)
  }

  /// Returns the error for a member that a response or a product doesn't have.
  package static func withoutMember(_ name: String, at range: Range<Int>? = nil) -> ParseError {
    let (root, _) = ValuePath.split(name)
    let shown = root == "_" || root.hasPrefix("@") ? root : "$" + root
    return ParseError(
      LocalizedText(
        "\(.field(written(name))) has no value.", ko: "\(.field(written(name))) 값이 없습니다."),
      suggestion: LocalizedText(
        "Run \(.command("echo " + shown)) to see the value of \(.command(shown)).",
        ko: "\(.command(shown))의 내용은 \(.command("echo " + shown), .toward) 볼 수 있습니다."),
      at: range)
  }

  /// Returns the name as written in a line.
  static func written(_ name: String) -> String { name.hasPrefix("_") || name.hasPrefix("@") ? name : "$" + name }

  /// Returns the error for a variable without a value, with advice on how to set it.
  package static func withoutValue(_ name: String, at range: Range<Int>? = nil) -> ParseError {
    if isArgument(name) {
      return ParseError(
        LocalizedText("The script needs an argument \(name).", ko: "스크립트에 \(name)번째 인자가 없습니다."),
        suggestion: LocalizedText(
          "Pass arguments after the file: \(.command("source FILE ARGS")). To use it as text, write \(.command("\\$" + name)).",
          ko: "인자는 파일 뒤에 적습니다: \(.command("source FILE ARGS")). 문자열이라면 이렇게 적습니다: \(.command("\\$" + name))"),
        at: range)
    }
    if name.hasPrefix("@") { return ofRow(name, at: range) }
    if name == "_" || name.hasPrefix("_.") {
      return ParseError(
        LocalizedText("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
        suggestion: LocalizedText(
          "It refers to the last product. Show one first: \(.command("show 42"))",
          ko: "마지막으로 본 상품의 값입니다: \(.command("show 42"))"),
        at: range)
    }
    if let dot = name.unicodeScalars.firstIndex(where: { $0 == "." || $0 == "[" }) {
      let variable = String(name[..<dot])
      return ParseError(
        LocalizedText("\(.field("$" + name)) has no value.", ko: "\(.field("$" + name)) 값이 없습니다."),
        suggestion: LocalizedText(
          "Only products (\(.command("let \(variable) = show 42"))) and responses (\(.command("let \(variable) = get /path"))) have fields.",
          ko:
            "필드는 상품(\(.command("let \(variable) = show 42")))이나 응답(\(.command("let \(variable) = get /path")))을 담은 변수에 있습니다."
        ),
        at: range)
    }
    return ParseError(
      LocalizedText("Unknown variable: \(.field("$" + name)).", ko: "\(.field("$" + name)) 변수가 없습니다."),
      suggestion: LocalizedText(
        "Run \(.command("let NAME = VALUE")) to set it.", ko: "값을 지정하려면 \(.command("let 이름 = 값"), .object) 실행하세요."),
      at: range)
  }

  private static func ofRow(_ name: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("\(.field(name)) has no value.", ko: "\(.field(name)) 값이 없습니다."),
      suggestion: LocalizedText(
        "It refers to a row of the last list; run \(.command("ls")) first. For a file with that name, write \(.command("@./" + name.dropFirst())).",
        ko: "마지막 목록에 있는 행의 값입니다: \(.command("ls")). 그런 이름의 파일이라면 이렇게 적습니다: \(.command("@./" + name.dropFirst()))"),
      at: range)
  }
}

/// Follows the bare text of a line to detect the beginning of a regular expression or a JSON shape, in which spaces,
/// quotes, `;`, `|` and line ends have another meaning.
struct WordTrace: Sendable {
  /// The number of open brackets in the shape after `assert … matches`.
  ///
  /// The line continues until they are closed.
  private(set) var openBrackets = 0

  /// The words that begin a condition, in which `~/` after a space is a regular expression and not a path in the home
  /// folder.
  private static let conditionWords: Set = ["where", "WHERE", "assert", "if", "until"]
  private static let fileWords: Set = ["to", "from"]
  private static let longestWord = 8

  private var isCondition: Bool
  private var isAssertion = false
  /// The bare text of the current word, up to the length of the longest word in the lists above.
  private var word = ""
  private var isBare = true
  /// The last three characters of the current word, latest first.
  private var last: [Unicode.Scalar] = []
  private var isInShape = false
  private var previousWord: String?
  private var previousEndsInTilde = false

  init(isCondition: Bool = false) { self.isCondition = isCondition }

  /// A Boolean value that indicates whether a slash begins a regular expression here: `name~/…/`, `name ~/…/`, `name ~
  /// /…/`.
  var opensPattern: Bool {
    guard let tilde = last.first else { return isCondition && previousEndsInTilde }
    guard tilde == "~" else { return false }
    let operand = last.dropFirst().first == "!" ? last.dropFirst(2).first : last.dropFirst().first
    guard let operand else { return isCondition && !WordTrace.fileWords.contains(previousWord ?? "") }
    return Lexer.isName(operand) || ")]'\"".unicodeScalars.contains(operand)
  }

  /// Processes a character of a word outside of quotes and regular expressions.
  mutating func takeBare(_ scalar: Unicode.Scalar) {
    if last.isEmpty, previousWord == "matches", isAssertion, scalar == "{" || scalar == "[" { isInShape = true }
    if isInShape {
      if scalar == "{" || scalar == "[" { openBrackets += 1 }
      if scalar == "}" || scalar == "]" { openBrackets -= 1 }
      if openBrackets <= 0 { (isInShape, openBrackets) = (false, 0) }
    }
    if word.unicodeScalars.count <= WordTrace.longestWord { word.unicodeScalars.append(scalar) }
    push(scalar)
  }

  /// Processes the end of a quote or of a regular expression, or a character after a backslash.
  mutating func takeOther(_ scalar: Unicode.Scalar) {
    isBare = false
    push(scalar)
  }

  private mutating func push(_ scalar: Unicode.Scalar) {
    last.insert(scalar, at: 0)
    if last.count > 3 { last.removeLast() }
  }

  mutating func endWord() {
    guard !last.isEmpty else { return }
    if isBare, WordTrace.conditionWords.contains(word) { isCondition = true }
    if isBare, word == "assert" { isAssertion = true }
    // `if EXPR: LINE` begins another command.
    if last.first == ":", openBrackets == 0 { (isCondition, isAssertion) = (false, false) }
    previousEndsInTilde = last.first == "~"
    previousWord = isBare ? word : nil
    (word, isBare, last) = ("", true, [])
  }

  /// Processes the end of a physical line, and returns whether the command ends with it.
  mutating func endsCommandAtNewline() -> Bool {
    endWord()
    guard openBrackets == 0 else { return false }
    endCommand()
    return true
  }

  /// Processes a `;`.
  mutating func endCommand() { self = WordTrace() }
}

/// Quotes text so that the lexer parses it as one word with exactly that text.
package enum Quoting {
  /// Returns the text bare if possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even if that isn't necessary, for a text that equals an option.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && $0.isPrintable } && !exceedsMarkLimit(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && scalar.isPrintable && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !containsPatternStart(text) && !FieldReference.containsReference(text) && !exceedsMarkLimit(text)
  }

  /// Returns whether `~/` follows other text, where a regular expression would begin.
  private static func containsPatternStart(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return zip(scalars.dropFirst(), scalars.dropFirst(2)).contains { $0 == "~" && $1 == "/" }
  }

  /// Returns whether the text has combining marks without a base character, or more per character than the sanitizer
  /// leaves.
  private static func exceedsMarkLimit(_ text: String) -> Bool {
    var marks = Sanitizer.marks
    return text.unicodeScalars.contains { scalar in
      marks = scalar.isCombiningMark ? marks + 1 : 0
      return marks > Sanitizer.marks
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // A combining mark must not follow the quote, which isn't a letter.
    var marks = Sanitizer.marks
    for scalar in text.unicodeScalars {
      marks = scalar.isCombiningMark ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if !scalar.isPrintable || marks > Sanitizer.marks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

extension String {
  /// Creates a text from scalars of a line.
  ///
  /// The ranges of words and errors count scalars.
  package init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar) }
    self.init(text)
  }
}
