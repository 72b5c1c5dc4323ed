import CommandLanguage
import MarketAPI
import Platform
import Text

/// The file that describes a market, with the faults that were found while reading it.
final class DescriptionFile {
  /// The name of the file in messages.
  let name: String
  private let document: TOMLDocument
  private(set) var faults: [DescriptionFault] = []

  init(_ document: TOMLDocument, named name: String) { (self.document, self.name) = (document, name) }

  var root: DescriptionTable { DescriptionTable(file: self, path: [], values: document.table) }

  /// Returns the place of a value as messages name it: `shop.toml:9:11`.
  func position(of path: [String]) -> String { "\(name):\(document.position(of: path))" }

  func report(
    _ what: LocalizedText, _ reason: LocalizedText? = nil, nearest: String? = nil, at path: [String],
    isName: Bool = false
  ) {
    let position = isName ? document.position(ofName: path) : document.position(of: path)
    faults.append(DescriptionFault(position: position, what: what, reason: reason, nearest: nearest))
  }
}

/// A table of the file.
///
/// Each accessor returns `nil` for a missing value, and also for one of another type, which it reports.
struct DescriptionTable {
  let file: DescriptionFile
  let path: [String]
  let values: [String: TOML]

  func has(_ key: String) -> Bool { values[key] != nil }

  /// Reports every key that isn't among the known ones.
  func check(keys known: [String]) {
    for key in values.keys.sorted() where !known.contains(key) {
      file.report(
        LocalizedText("There is no key \(.field(key)) here.", ko: "여기에는 \(.field(key)) 키가 없습니다."),
        LocalizedText("Keys: \(known.joined(separator: ", ")).", ko: "쓸 수 있는 키: \(known.joined(separator: ", "))."),
        nearest: SpellingSuggester.closest(key, in: known), at: path + [key], isName: true)
    }
  }

  /// Reports a key that must be there and isn't.
  func need(_ key: String) {
    guard !has(key) else { return }
    file.report(
      LocalizedText("\(.field(key)) is missing.", ko: "\(.field(key), .subject) 없습니다."), at: path, isName: true)
  }

  func report(_ key: String, _ what: LocalizedText, _ reason: LocalizedText? = nil, nearest: String? = nil) {
    file.report(what, reason, nearest: nearest, at: path + [key])
  }

  private func report(_ key: String, mustBe english: StyledText, ko korean: StyledText) {
    report(
      key, LocalizedText("\(.field(key)) must be " + english + ".", ko: "\(.field(key)) 값은 " + korean + "입니다."))
  }

  func table(_ key: String) -> DescriptionTable? {
    guard let value = values[key] else { return nil }
    guard let table = value.table else {
      report(key, mustBe: "a table", ko: "표")
      return nil
    }
    return DescriptionTable(file: file, path: path + [key], values: table)
  }

  func text(_ key: String) -> String? {
    guard let value = values[key] else { return nil }
    guard case .string(let text) = value else {
      report(key, mustBe: "a quoted text", ko: "따옴표로 묶은 텍스트")
      return nil
    }
    return text
  }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = values[key] else { return nil }
    guard case .integer(let number) = value, range.contains(number) else {
      report(
        key, mustBe: "a whole number from \(range.lowerBound) to \(range.upperBound)",
        ko: "\(range.lowerBound)부터 \(range.upperBound)까지의 정수")
      return nil
    }
    return number
  }

  func flag(_ key: String) -> Bool? {
    guard let value = values[key] else { return nil }
    guard case .boolean(let flag) = value else {
      report(key, mustBe: "true or false", ko: "true 또는 false")
      return nil
    }
    return flag
  }

  func word(_ key: String, of words: [String]) -> String? {
    guard let text = text(key) else { return nil }
    guard words.contains(text) else {
      // An element of a list is named by the list.
      let name = Int(key) == nil ? key : path.last ?? key
      report(
        key,
        LocalizedText(
          "There is no \(.field(name)) \(.value(text)).", ko: "\(.field(name)) \(.value(text), .topic) 없습니다."),
        LocalizedText("One of \(words.joined(separator: ", ")).", ko: "다음 중 하나입니다: \(words.joined(separator: ", "))."),
        nearest: SpellingSuggester.closest(text, in: words))
      return nil
    }
    return text
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, of: Choice.Type = Choice.self) -> Choice?
  {
    word(key, of: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  /// Reads a text that `parse` accepts; `rule` says which texts these are.
  private func parsed<Value>(
    _ key: String, _ parse: (String) -> Value?, _ what: StyledText, ko korean: StyledText, rule: LocalizedText
  ) -> Value? {
    guard let text = text(key) else { return nil }
    if let value = parse(text) { return value }
    report(
      key, LocalizedText("\(.value(text)) is no " + what + ".", ko: "\(.value(text), .topic) " + korean + " 아닙니다."),
      rule)
    return nil
  }

  private static let pointerRule = LocalizedText(
    "It is empty for the whole body, or begins with \(.value("/")), such as \(.value("/data/items")).",
    ko: "전체 본문이면 빈 텍스트이고, 아니면 \(.value("/data/items"))처럼 \(.value("/"))로 시작합니다.")
  private static let pathRule = LocalizedText(
    "It begins with one \(.value("/")). A host, a query, \(.value("..")) and blanks can't be in it.",
    ko: "\(.value("/")) 하나로 시작합니다. 호스트, 쿼리, 상위 폴더, 공백은 쓸 수 없습니다.")

  func pointer(_ key: String) -> JSONPointer? {
    parsed(key, { JSONPointer($0) }, "JSON pointer", ko: "JSON 포인터가", rule: DescriptionTable.pointerRule)
  }

  func location(_ key: String) -> ResponseLocation? {
    parsed(key, { ResponseLocation($0) }, "JSON pointer", ko: "JSON 포인터가", rule: DescriptionTable.pointerRule)
  }

  /// Reads a pointer or a list of pointers.
  func pointers(_ key: String) -> [JSONPointer] { each(key) { $0.pointer($1) } }

  /// Reads the elements of a list, or a value without a list, by a table and the key in it; an element is named by its
  /// index.
  func each<Value>(_ key: String, _ read: (DescriptionTable, _ key: String) -> Value?) -> [Value] {
    guard case .array(let elements)? = values[key] else { return read(self, key).map { [$0] } ?? [] }
    let list = DescriptionTable(
      file: file, path: path + [key],
      values: Dictionary(uniqueKeysWithValues: elements.enumerated().map { (String($0), $1) }))
    return elements.indices.compactMap { read(list, String($0)) }
  }

  /// Reads a path, in which no other placeholders than these are allowed.
  func requestPath(_ key: String = "path", placeholders: [String]) -> RequestPath? {
    guard let path = parsed(key, { RequestPath($0) }, "path", ko: "경로가", rule: DescriptionTable.pathRule) else {
      return nil
    }
    checkPlaceholders(key, in: path.description, placeholders)
    return path
  }

  /// Reports a `{…}` that isn't among the placeholders: nothing else of this program, and no secret, goes there.
  func checkPlaceholders(_ key: String, in text: String, _ placeholders: [String]) {
    guard RequestPath.hasBraces(in: text, besides: placeholders) else { return }
    let list = placeholders.joined(separator: ", ")
    report(
      key, LocalizedText("\(.value(text)) has an unknown placeholder.", ko: "\(.value(text))에 알 수 없는 자리 표시가 있습니다."),
      placeholders.isEmpty
        ? LocalizedText("None can stand here.", ko: "여기에는 쓸 수 없습니다.")
        : LocalizedText("Only \(list) can stand here.", ko: "여기에는 \(list)만 쓸 수 있습니다."))
  }

  /// Reads a table of texts, numbers and Booleans, in the order of their names.
  func pairs(_ key: String, placeholders: [String]) -> [(name: String, value: String)] {
    guard let table = table(key) else { return [] }
    return table.values.keys.sorted().compactMap { name in
      let text: String
      switch table.values[name] {
      case .string(let value): text = value
      case .integer(let value): text = String(value)
      case .boolean(let value): text = String(value)
      case .decimal(let value): text = value
      case .array, .table, nil:
        table.report(name, mustBe: "a text, a number, true or false", ko: "텍스트, 숫자, true, false 중 하나")
        return nil
      }
      table.checkPlaceholders(name, in: text, placeholders)
      return (name, text)
    }
  }
}
