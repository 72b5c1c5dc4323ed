/// Follows the bare text of a line to see where a regular expression or a shape of JSON begins, in which blanks, quotes,
/// `;`, `|` or the end of a line have another meaning.
///
/// ``Lexer`` and ``LineScanner`` feed it the same characters, so that they agree about both.
struct WordTrace: Sendable {
  /// Brackets of the shape behind `assert … matches` that are still open; the line goes on until they are closed.
  private(set) var openBrackets = 0

  /// The word begins a condition: `~/` after a blank is a regular expression from there on, and no path in the home folder.
  private static let conditionWords: Set = ["where", "WHERE", "assert", "if", "until"]
  private static let fileWords: Set = ["to", "from"]
  private static let longestWord = 8

  private var isCondition: Bool
  private var isAssertion = false
  /// The bare text of the current word, as long as a word of the lists above may be.
  private var word = ""
  private var isBare = true
  /// The last three characters of the current word, the latest first.
  private var last: [Unicode.Scalar] = []
  private var isInShape = false
  private var previousWord: String?
  private var previousEndsInTilde = false

  init(isCondition: Bool = false) { self.isCondition = isCondition }

  /// Whether a slash here begins a regular expression: `name~/…/`, `name ~/…/`, `name ~ /…/`.
  var opensPattern: Bool {
    guard let tilde = last.first else { return isCondition && previousEndsInTilde }
    guard tilde == "~" else { return false }
    let operand = last.dropFirst().first == "!" ? last.dropFirst(2).first : last.dropFirst().first
    guard let operand else { return isCondition && !WordTrace.fileWords.contains(previousWord ?? "") }
    return Lexer.isName(operand) || ")]'\"".unicodeScalars.contains(operand)
  }

  /// Takes a character of a word that stands outside of quotes and regular expressions.
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

  /// Takes the end of a quote or of a regular expression, or a character behind a backslash.
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
    // `if EXPR: LINE`: another command begins.
    if last.first == ":", openBrackets == 0 { (isCondition, isAssertion) = (false, false) }
    previousEndsInTilde = last.first == "~"
    previousWord = isBare ? word : nil
    (word, isBare, last) = ("", true, [])
  }

  /// Takes the end of a physical line.
  ///
  /// - Returns: whether the command ends with it.
  mutating func endsCommandAtNewline() -> Bool {
    endWord()
    guard openBrackets == 0 else { return false }
    endCommand()
    return true
  }

  /// Takes a `;`.
  mutating func endCommand() { self = WordTrace() }
}
