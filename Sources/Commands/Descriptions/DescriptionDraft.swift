import Catalog
import MarketAPI
import Networking
import Platform
import Text

/// The text of a description under construction: lines of TOML, each with a comment that says why.
///
/// Text of a document is quoted in values and escaped in comments, so that it stays on its line.
struct DescriptionDraft {
  private var english = ""
  private var korean = ""

  /// The column at which the comment after a value begins, and the last one that a line should have.
  private static let commentColumn = 38
  private static let lastColumn = 118
  private static let cells = WidthMeasurer()

  /// The text of the file.
  var text: LocalizedText { LocalizedText(StyledText(english), ko: StyledText(korean)) }

  mutating func blank() { append("", "") }

  /// Begins a table.
  mutating func table(_ name: String) {
    blank()
    append("[\(name)]", "[\(name)]")
  }

  /// Adds a value, given as TOML.
  ///
  /// - Parameters:
  ///   - key: The key, as TOML.
  ///   - value: The value, as TOML.
  ///   - reason: The reason, or `nil` if it isn't a guess.
  ///   - isUncertain: Whether nothing may be written to the market until the user has confirmed the value.
  mutating func set(_ key: String, _ value: String, because reason: LocalizedText? = nil, isUncertain: Bool = false) {
    add("\(key) = \(value)", because: reason, mark: isUncertain ? "CHECK " : "")
  }

  /// Adds a line as a comment: the user may remove the `#` in front of it.
  mutating func suggest(_ line: String, because reason: LocalizedText? = nil) {
    add("# " + line, because: reason, mark: "")
  }

  /// Adds lines of comment.
  mutating func note(_ text: LocalizedText) {
    func lines(_ text: StyledText) -> [String] {
      Wrapping.wrap(
        StyledText(DescriptionDraft.escaped(text)), width: DescriptionDraft.lastColumn - 2,
        cells: DescriptionDraft.cells
      ).map { "# " + $0.map(\.text).joined() }
    }
    for line in lines(text.english) { english += line + "\n" }
    for line in lines(text.korean) { korean += line + "\n" }
  }

  private mutating func add(_ code: String, because reason: LocalizedText?, mark: String) {
    guard let reason else { return append(code, code) }
    func beside(_ text: StyledText) -> String {
      let space = max(2, DescriptionDraft.commentColumn - DescriptionDraft.cells.of(code))
      return code + String(repeating: " ", count: space) + "# " + mark + DescriptionDraft.escaped(text)
    }
    let (one, other) = (beside(reason.english), beside(reason.korean))
    if mark.isEmpty, max(DescriptionDraft.cells.of(one), DescriptionDraft.cells.of(other)) > DescriptionDraft.lastColumn
    {
      note(reason)
      append(code, code)
    } else {
      append(one, other)
    }
  }

  private mutating func append(_ one: String, _ other: String) {
    english += one + "\n"
    korean += other + "\n"
  }

  /// Returns a text as the part of a comment: one line, in which nothing is invisible.
  private static func escaped(_ text: StyledText) -> String { Sanitizer.sanitized(text.plain, limit: 1_000) }

  /// Returns a text of a document as it is cited in a comment.
  static func cited(_ text: String) -> String {
    let start = String(text.unicodeScalars.prefix(80))
    return TOML.quoted(start == text ? text : start + "…")
  }
}

// MARK: Values as TOML
extension DescriptionDraft {
  static func literal(_ pointer: JSONPointer) -> String { TOML.quoted(pointer.description) }

  static func literal(_ place: ResponseLocation) -> String { TOML.quoted(place.description) }

  /// Returns a list, or its only element.
  static func literal(_ pointers: [JSONPointer]) -> String {
    pointers.count == 1 ? literal(pointers[0]) : "[" + pointers.map { literal($0) }.joined(separator: ", ") + "]"
  }

  /// Returns an inline table.
  static func literal(_ members: [(String, String)]) -> String {
    "{ " + members.map { "\($0.0) = \($0.1)" }.joined(separator: ", ") + " }"
  }

  /// Returns the value of a field: a pointer, or a table with more.
  static func literal(_ guess: FieldGuesses.Guess, of field: ProductField) -> String {
    var members = [("at", literal(guess.pointer))]
    switch field {
    case .price, .discount, .sale, .created, .modified: members.append(("as", TOML.quoted(guess.notation.rawValue)))
    default: break
    }
    if let digits = guess.digits { members.append(("digits", String(digits))) }
    if let each = guess.each { members.append(("each", literal(each))) }
    if let removal = guess.removal { members.append(("remove", TOML.quoted(removal))) }
    if !guess.isInList { members.append(("in-list", "false")) }
    if !guess.isWritable { members.append(("writable", "false")) }
    return members.count == 1 ? members[0].1 : literal(members)
  }
}

// MARK: Parts of every description
extension DescriptionDraft {
  /// Adds the beginning of the file.
  ///
  /// - Parameter source: What the description was derived from.
  mutating func addHead(_ source: LocalizedText) {
    note(
      LocalizedText(
        source.english + " Each line is a guess, and the comment beside it says why.",
        ko: source.korean + " 줄마다 추측이며, 이유는 곁의 주석에 있습니다."))
    note(
      LocalizedText(
        "A guess about money has the word CHECK in its comment. Until you have confirmed it and removed the comment, nothing is written to the market.",
        ko: "금액에 대한 추측에는 주석에 CHECK가 있습니다. 확인하고 주석을 지우기 전에는 마켓에 아무것도 쓰지 않습니다."))
    note(
      LocalizedText(
        "Next: api check FILE, then contract at the server, and contract writes if it is changed.",
        ko: "다음: api check FILE, 서버에서 contract, 변경하려면 contract writes."))
  }

  /// Adds what no document says of the ids and the server.
  mutating func addIDs() {
    suggest(
      "ids = \"grow\"",
      because: LocalizedText(
        "or reused, if a new product can get the id of a deleted one", ko: "또는 reused(지운 번호를 다시 쓰면)"))
    suggest(
      "keeps-writes = false",
      because: LocalizedText("if the server answers a change and forgets it", ko: "서버가 변경에 응답만 하고 잊으면"))
  }

  /// Adds the table of fields, and what is missing in it.
  ///
  /// - Parameters:
  ///   - guesses: The fields.
  ///   - id: The place of the id.
  ///   - model: The shape of a product, of which the other members are named.
  mutating func addFields(_ guesses: FieldGuesses, id: JSONPointer, model: ValueShape?) {
    table("fields")
    for field in ProductField.allCases {
      if let guess = guesses.fields[field] {
        set(
          field.rawValue, DescriptionDraft.literal(guess, of: field), because: guess.reason,
          isUncertain: guess.isUncertain)
      } else if let suggestion = DescriptionDraft.suggestions[field] {
        suggest(
          "\(field.rawValue) = \(suggestion)",
          because: guesses.refusals[field]
            ?? (field == .currency
              ? LocalizedText("no member names it: write that of the market", ko: "통화를 나타내는 멤버가 없음: 마켓의 통화를 쓰기")
              : LocalizedText("no member is called so", ko: "그런 이름의 멤버가 없음")))
      } else if let refusal = guesses.refusals[field] {
        suggest("\(field.rawValue) = \"/…\"", because: refusal)
      }
    }
    let used = Set(([id] + guesses.fields.values.map(\.pointer)).compactMap(\.tokens.first))
    let others = (model?.members ?? []).map(\.name).filter { !used.contains($0) }
    guard !others.isEmpty else { return }
    let names = others.prefix(20).map { DescriptionDraft.cited(JSONPointer.root.appending($0).description) }
    let list = names.joined(separator: ", ") + (others.count > 20 ? ", …" : "")
    note(LocalizedText("Members that no field uses: \(list)", ko: "필드로 쓰지 않은 멤버: \(list)"))
  }

  /// The values of fields that a description should have.
  private static let suggestions: [ProductField: String] = [
    .price: "{ at = \"/…\", as = \"decimal\" }", .currency: "{ constant = \"USD\" }", .stock: "\"/…\"",
  ]

  mutating func suggestGone() {
    suggest("gone = 404", because: LocalizedText("the response for a product that is not there", ko: "없는 상품의 응답"))
  }

  mutating func suggestErrors() {
    blank()
    suggest("[errors]")
    suggest(
      "message = \"/message\"",
      because: LocalizedText("the server's own words in the response to an error", ko: "오류 응답에서 서버의 메시지"))
  }

  /// Returns the word for a market that a title gives, or `nil`.
  static func name(of title: String) -> String? {
    var name = ""
    for scalar in title.lowercased().unicodeScalars.prefix(200) {
      guard name.utf8.count < 31 else { break }
      if ("a"..."z").contains(scalar) || !name.isEmpty && ("0"..."9").contains(scalar) {
        name.unicodeScalars.append(scalar)
      } else if !name.isEmpty, !name.hasSuffix("-") {
        name += "-"
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    return name.isEmpty || Edition(rawValue: name) != nil ? nil : name
  }
}
