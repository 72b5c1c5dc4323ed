import Catalog
import Text

/// The names that a command accepts in assignments.
package struct AssignableNames {
  private let fields: Bool
  private let others: [String]

  package init(_ kind: ValueKind) {
    switch kind {
    case .productAssignments(let names): (fields, others) = (true, names)
    case .namedAssignments(let settings): (fields, others) = (false, settings.map(\.name))
    default: (fields, others) = (true, [])
    }
  }

  /// A Boolean value that indicates whether product fields are accepted.
  var takesFields: Bool { fields }

  /// A Boolean value that indicates whether any name is accepted, any number of times, as for the fields of a request.
  var allowsAny: Bool { others.contains("*") }

  /// Returns whether the name is one that the command declares explicitly.
  func includesExplicitly(_ name: String) -> Bool { name != "*" && others.contains(name) }

  func allows(_ name: String) -> Bool { others.contains("*") || others.contains(name) }

  /// Returns the shared name of the field, or the name itself if the command declares it.
  func name(_ typed: Assignment, names: FieldNameTable, command: String) throws(ParseError) -> String {
    if allows(typed.name) { return typed.name }
    guard fields, let field = names.field(typed.name) else { throw unknown(typed, names, command) }
    guard ProductField.writable.contains(field) || field == .sale else { throw readOnly(field, at: typed.range) }
    return field.rawValue
  }

  /// Returns all names that can be assigned, for completion.
  package func all() -> [String] {
    (fields ? ProductField.writable.filter { $0 != .images }.map(\.rawValue) : []) + others.filter { $0 != "*" }
  }

  private func all(_ language: MessageLanguage) -> String {
    let own = fields ? ProductField.list(ProductField.writable.filter { $0 != .images }, language) : ""
    return ([own] + others.filter { $0 != "*" }).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func unknown(_ typed: Assignment, _ names: FieldNameTable, _ command: String) -> ParseError {
    let known = others + (fields ? names.allNames : [])
    let lists = (all(.english), all(.korean))
    // Of a profile too, but not among its settings.
    let isLogin = command == "profile" && ["identifier", "secret"].contains(typed.name)
    return ParseError(
      LocalizedText(
        "\(.command(command)) has no field \(.field(typed.name)).",
        ko: "\(.command(command))에 \(.field(typed.name)) 필드는 없습니다."),
      suggestion: isLogin
        ? LocalizedText(
          "Switch to that profile and run \(.command("login")) to set it.",
          ko: "그 프로필에서 \(.command("login"), .toward) 입력합니다.")
        : SpellingSuggester.closest(typed.name, in: known).map { name in
          LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
        } ?? LocalizedText("Available: \(lists.0).", ko: "쓸 수 있는 것은 \(lists.1)입니다."), at: typed.range)
  }

  private func readOnly(_ field: ProductField, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "\(.field(field)) is set by the server and cannot be changed.", ko: "\(.field(field)) 값은 서버가 정하므로 바꿀 수 없습니다."),
      suggestion: LocalizedText(
        "You can change \(all(.english)).", ko: "바꿀 수 있는 필드는 \(all(.korean))입니다."),
      at: range)
  }
}
