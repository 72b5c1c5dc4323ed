import CommandLanguage
import Foundation
import Presentation
import Text

/// A table of a supplier: its heading row, below titles and notes, and the rows of products below it.
package struct SupplierSheet: Sendable {
  /// The headings by their columns, with single spaces; empty for a column without a heading.
  ///
  /// Of a heading in two rows, the texts of both are joined. A heading that occurs twice has its number: `수량 (2)`.
  package let headings: [String]
  /// The line of the heading row.
  package let line: Int
  /// The rows of the file that have cells, and the positions of the heading rows among them.
  private let filled: [CSVReader.Row]
  private let heads: ClosedRange<Int>
  /// The number of different known words among the headings.
  package let score: Int
  /// The line of the last heading row.
  package var lastHeadingLine: Int { filled[heads.upperBound].line }

  /// The number of rows in which a heading row is looked for.
  private static let maximumTitleRows = 60

  /// Returns the tables with each row as the heading row that may be one, in their order.
  ///
  /// - Parameters:
  ///   - rows: The rows of a file or a sheet.
  ///   - names: The names of fields.
  package static func candidates(_ rows: [CSVReader.Row], _ names: FieldNameTable) -> [SupplierSheet] {
    let filled = rows.filter { !$0.isBlank }
    var found: [SupplierSheet] = []
    for index in filled.indices.prefix(maximumTitleRows) {
      let single = texts(filled[index])
      found.append(SupplierSheet(single, words: single, at: index, through: index, of: filled, names))
      guard index + 1 < filled.count, let (headings, words) = joined(single, texts(filled[index + 1])) else { continue }
      let double = SupplierSheet(headings, words: words, at: index, through: index + 1, of: filled, names)
      let lower = SupplierSheet(
        texts(filled[index + 1]), words: texts(filled[index + 1]), at: index + 1, through: index + 1, of: filled, names)
      if double.score > max(found[found.count - 1].score, lower.score) { found.append(double) }
    }
    return found
  }

  /// Returns the table whose heading row has the most known words, or `nil` if no row has two texts of which one is known.
  package static func best(of candidates: [SupplierSheet]) -> SupplierSheet? {
    candidates.reduce(nil) { best, next in
      let isHeading = next.score > 0 && next.headings.count(where: { !$0.isEmpty }) > 1
      return isHeading && next.score > best?.score ?? 0 ? next : best
    }
  }

  private init(
    _ headings: [String], words: [String], at first: Int, through last: Int, of rows: [CSVReader.Row],
    _ names: FieldNameTable
  ) {
    self.headings = SupplierSheet.distinct(headings)
    line = rows[first].line
    score = Set(words.compactMap { HeadingWord($0, names) }).count
    (filled, heads) = (rows, first...last)
  }

  /// Returns the headings that a table has if this row is its heading row.
  package static func headings(of row: CSVReader.Row) -> [String] { distinct(texts(row)) }

  /// Returns the headings up to the last one that isn't empty, each of them once.
  private static func distinct(_ headings: [String]) -> [String] {
    var headings = headings
    while headings.last?.isEmpty == true { headings.removeLast() }
    // A heading may look like a numbered one.
    var used = Set(headings)
    var counts: [String: Int] = [:]
    for index in headings.indices where !headings[index].isEmpty {
      let heading = headings[index]
      var count = counts[heading, default: 0] + 1
      if count > 1 {
        while used.contains("\(heading) (\(count))") { count += 1 }
        headings[index] = "\(heading) (\(count))"
        used.insert(headings[index])
      }
      counts[heading] = count
    }
    return headings
  }

  /// Returns the rows below the headings, and the lines of heading rows that are repeated among them.
  package func body() -> (rows: [CSVReader.Row], repeated: [Int]) {
    let texts = heads.map { SupplierSheet.texts(filled[$0]) }
    var (rows, repeated): ([CSVReader.Row], [Int]) = ([], [])
    for row in filled[(heads.upperBound + 1)...] {
      if texts.contains(SupplierSheet.texts(row)) { repeated.append(row.line) } else { rows.append(row) }
    }
    return (rows, repeated)
  }

  /// Returns the headings of two rows, and the texts to look for among the known words; or `nil` if the lower row is no
  /// heading row.
  ///
  /// A heading of the upper row that extends over several columns, as merged cells do, belongs to those without one.
  private static func joined(_ upper: [String], _ lower: [String]) -> (headings: [String], words: [String])? {
    let texts = lower.filter { !$0.isEmpty }
    guard !texts.isEmpty, texts.allSatisfy({ SpreadsheetNumber($0) == nil }) else { return nil }
    var headings: [String] = []
    var words: [String] = []
    var group = ""
    for index in 0..<max(upper.count, lower.count) {
      let above = index < upper.count ? upper[index] : ""
      let below = index < lower.count ? lower[index] : ""
      if !above.isEmpty { group = above }
      let over = above.isEmpty && !below.isEmpty ? group : above
      headings.append(over.isEmpty ? below : below.isEmpty ? over : over + " " + below)
      words.append(below.isEmpty ? over : below)
    }
    return (headings, words)
  }

  private static func texts(_ row: CSVReader.Row) -> [String] {
    var texts = row.cells.map { text($0.text) }
    while texts.last?.isEmpty == true { texts.removeLast() }
    return texts
  }

  /// Returns the text of a heading with single spaces.
  package static func text(_ cell: String) -> String {
    cell.split(whereSeparator: \.isWhitespace).joined(separator: " ").precomposedStringWithCanonicalMapping
  }

  /// Returns the column of a heading.
  package func column(of heading: String) -> Int? { headings.firstIndex(of: heading) }

  /// The headings that aren't empty.
  package var names: [String] { headings.filter { !$0.isEmpty } }
}

extension CSVReader.Row {
  /// Returns the text of a cell without the mark that prevents spreadsheets from computing it, or an empty one.
  func text(_ column: Int) -> String {
    cells.indices.contains(column) ? CSVInjection.unescape(cells[column].text).trimmed : ""
  }

  /// The first text of the row.
  var firstText: String { cells.lazy.map(\.text.trimmed).first { !$0.isEmpty } ?? "" }
}
