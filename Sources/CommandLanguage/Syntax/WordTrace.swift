/// Follows the bare text of a line to detect the beginning of a regular expression or a JSON shape, in which spaces,
/// quotes, `;`, `|` and line ends have another meaning.
///
/// `Lexer` and `ContinuationScanner` pass it the same characters, so that they agree about both.
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
