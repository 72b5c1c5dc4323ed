import CommandLanguage
import Foundation
import Networking
import Presentation
import Text

/// A difference between two printed outputs at one position: a member of JSON by its path, a row of JSON or CSV by its `id`
/// if each row has one, otherwise a line by its number.
struct OutputDifference {
  /// The maximum number of differences in a message.
  static let maximumShown = 20
  private static let maximumLength = 120

  let location: LocalizedText
  /// The value in the first output, or `nil` if that output lacks the position.
  let before: String?
  /// The value in the second output, or `nil` if that output lacks the position.
  let after: String?

  func text(_ language: MessageLanguage) -> StyledText {
    let none = LocalizedText("nothing", ko: "없음")[language]
    func shown(_ text: String?) -> StyledText {
      guard let text else { return none }
      let maximum = OutputDifference.maximumLength
      return "\(.foreign(text.count > maximum ? text.prefix(maximum) + "…" : text))"
    }
    return "\(location[language]): \(shown(before)) -> \(shown(after))"
  }

  /// Returns the differences between two outputs that aren't equal.
  static func of(_ old: String, _ new: String) -> [OutputDifference] {
    if let before = values(old), let after = values(new) {
      let differences = of(before, after, at: "")
      // Outputs with the same values but another notation differ in their lines.
      if !differences.isEmpty { return differences }
    }
    return ofLines(old, new)
  }

  /// Returns the output as JSON, if it is JSON, JSON Lines, CSV or TSV, or `nil` for other text.
  private static func values(_ text: String) -> JSON? {
    if let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" {
      if let json = try? JSON(parsing: Data(text.utf8)) { return json }
      let lines = text.lines.filter { !$0.isEmpty }.map { try? JSON(parsing: Data($0.utf8)) }
      let rows = lines.compactMap { $0 }
      return rows.count == lines.count ? .array(rows) : nil
    }
    let head = text.lines.first ?? ""
    guard head.contains(",") || head.contains("\t") else { return nil }
    let cells = cells(text)
    guard let names = cells.first, Set(names).count == names.count,
      cells.allSatisfy({ $0.count == names.count })
    else { return nil }
    return .array(cells.dropFirst().map { row in .object(zip(names, row).map { ($0, .string($1)) }) })
  }

  private static func cells(_ text: String) -> [[String]] {
    ((try? CSVReader.rows(of: text)) ?? []).map { $0.cells.map(\.text) }
  }

  private static func of(_ old: JSON?, _ new: JSON?, at path: String) -> [OutputDifference] {
    switch (old, new) {
    case (.object(let before), .object(let after)): return of(members(before), members(after), at: path)
    case (.array(let before), .array(let after)):
      guard let first = ids(of: before), let second = ids(of: after) else {
        return of(zip(before.indices.map { "[\($0)]" }, before), zip(after.indices.map { "[\($0)]" }, after), at: path)
      }
      return of(zip(first.map { "[id \($0)]" }, before), zip(second.map { "[id \($0)]" }, after), at: path)
        + ofOrder(first.filter(Set(second).contains), second.filter(Set(first).contains))
    default:
      guard old?.serialized != new?.serialized else { return [] }
      let location = path.hasPrefix(".") ? String(path.dropFirst()) : path
      let named = location.isEmpty ? LocalizedText("the value", ko: "값") : LocalizedText(same: "\(.foreign(location))")
      return [OutputDifference(location: named, before: old?.shortened, after: new?.shortened)]
    }
  }

  /// Returns the differences between the values of two objects or arrays by the steps that lead to them from `path`.
  private static func of(
    _ old: some Sequence<(String, JSON)>, _ new: some Sequence<(String, JSON)>, at path: String
  ) -> [OutputDifference] {
    fullOuterJoin(old, new).flatMap { step, before, after in of(before, after, at: path + step) }
  }

  private static func members(_ object: JSONObject) -> [(String, JSON)] {
    object.keys.compactMap { key in object[key].map { (ValuePath.text(.key(key)), $0) } }
  }

  /// Returns the `id` of each row, or `nil` if one has none or if two are equal.
  private static func ids(of rows: [JSON]) -> [String]? {
    let ids = rows.compactMap { $0.object?["id"]?.plainText }
    return ids.count == rows.count && Set(ids).count == ids.count ? ids : nil
  }

  private static func ofOrder(_ old: [String], _ new: [String]) -> [OutputDifference] {
    guard old != new else { return [] }
    let location = LocalizedText("order of rows", ko: "행의 순서")
    return [
      OutputDifference(location: location, before: old.joined(separator: ", "), after: new.joined(separator: ", "))
    ]
  }

  private static func ofLines(_ old: String, _ new: String) -> [OutputDifference] {
    let differences = fullOuterJoin(zip(1..., lines(old)), zip(1..., lines(new))).filter { $0.first != $0.second }.map {
      OutputDifference(location: LocalizedText("line \($0)", ko: "\($0)번째 줄"), before: $1, after: $2)
    }
    guard differences.isEmpty else { return differences }
    return [OutputDifference(location: LocalizedText("line endings", ko: "줄 끝"), before: nil, after: nil)]
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
