import CommandLanguage
import Foundation
import Networking
import Presentation
import Text

/// The differences between two printed outputs: members of JSON by path, rows of JSON and CSV by their `id` if they
/// have one, otherwise lines by number.
struct OutputDifference {
  /// The maximum number of differences in a message.
  static let maximumShown = 20

  /// A difference at one position.
  ///
  /// A value is `nil` if that output lacks the position.
  struct LineChange {
    let location: LocalizedText
    let before: String?
    let after: String?

    private static let longest = 120

    func text(_ language: MessageLanguage) -> StyledText {
      let none = LocalizedText("nothing", ko: "없음")[language]
      func shown(_ text: String?) -> StyledText {
        guard let text else { return none }
        return "\(.foreign(text.count > LineChange.longest ? text.prefix(LineChange.longest) + "…" : text))"
      }
      return "\(location[language]): \(shown(before)) -> \(shown(after))"
    }
  }

  private(set) var changes: [LineChange] = []

  init(from old: String, to new: String) {
    if let before = OutputDifference.values(old), let after = OutputDifference.values(new) {
      compare(before, after, at: "")
    }
    // Outputs with the same values but another notation differ in their lines.
    if changes.isEmpty { compareLines(old, new) }
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

  private mutating func compare(_ old: JSON?, _ new: JSON?, at path: String) {
    switch (old, new) {
    case (.object(let before), .object(let after)):
      for key in before.keys + after.keys.filter({ before[$0] == nil }) {
        compare(before[key], after[key], at: path + ValuePath.text(.key(key)))
      }
    case (.array(let before), .array(let after)):
      if let first = OutputDifference.rows(before), let second = OutputDifference.rows(after) {
        compareRows(first, second, at: path)
      } else {
        for index in 0..<max(before.count, after.count) {
          compare(
            before.indices.contains(index) ? before[index] : nil, after.indices.contains(index) ? after[index] : nil,
            at: "\(path)[\(index)]")
        }
      }
    default:
      guard old?.serialized != new?.serialized else { return }
      let location = path.hasPrefix(".") ? String(path.dropFirst()) : path
      let named = location.isEmpty ? LocalizedText("the value", ko: "값") : LocalizedText(same: "\(.foreign(location))")
      changes.append(LineChange(location: named, before: old?.shortened, after: new?.shortened))
    }
  }

  private mutating func compareRows(_ old: [(id: String, row: JSON)], _ new: [(id: String, row: JSON)], at path: String)
  {
    let (before, after) = (Dictionary(old) { first, _ in first }, Dictionary(new) { first, _ in first })
    for (id, row) in old { compare(row, after[id], at: "\(path)[id \(id)]") }
    for (id, row) in new where before[id] == nil { compare(nil, row, at: "\(path)[id \(id)]") }
    let (first, second) = (old.map(\.id).filter { after[$0] != nil }, new.map(\.id).filter { before[$0] != nil })
    guard first != second else { return }
    changes.append(
      LineChange(
        location: LocalizedText("order of rows", ko: "행의 순서"), before: first.joined(separator: ", "),
        after: second.joined(separator: ", ")))
  }

  /// Returns the rows by their `id`, or `nil` if one has none or if two are equal.
  private static func rows(_ elements: [JSON]) -> [(id: String, row: JSON)]? {
    let rows = elements.compactMap { row in row.object?["id"].map { (id: $0.plainText, row: row) } }
    return rows.count == elements.count && Set(rows.map(\.id)).count == rows.count ? rows : nil
  }

  private mutating func compareLines(_ old: String, _ new: String) {
    let (before, after) = (OutputDifference.lines(old), OutputDifference.lines(new))
    for index in 0..<max(before.count, after.count) {
      let was = before.indices.contains(index) ? before[index] : nil
      let now = after.indices.contains(index) ? after[index] : nil
      guard was != now else { continue }
      changes.append(
        LineChange(location: LocalizedText("line \(index + 1)", ko: "\(index + 1)번째 줄"), before: was, after: now))
    }
    if changes.isEmpty {
      changes.append(LineChange(location: LocalizedText("line endings", ko: "줄 끝"), before: nil, after: nil))
    }
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
