import Catalog
import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// A sheet of an Excel workbook (ECMA-376, SpreadsheetML) as rows of text.
///
/// Numbers are written as they are in the sheet, dates as `2026-11-25` or `2026-11-25T09:00:00`, and a formula is its
/// last computed value.
package struct Workbook {
  /// The reason why a workbook can't be read.
  package enum Fault: Error, Hashable, Sendable {
    case damaged
    /// It is encrypted, or a format of another program in a ZIP archive.
    case unsupported
    /// It has more rows, cells or text than are accepted.
    case tooLarge
    case noSheet(String, of: [String])
    /// No visible sheet has a cell, or the named one is a chart.
    case noCells(String?, of: [Sheet])
  }

  /// A sheet of the workbook.
  package struct Sheet: Hashable, Sendable {
    /// The visibility of a sheet to a reader of the workbook.
    package enum Kind: Hashable, Sendable {
      case visible
      case hidden
      /// A visible sheet that was found to have no cells.
      case empty
      /// A chart, a dialog or macros.
      case noCells
    }

    package let name: String
    package fileprivate(set) var kind: Kind
    fileprivate let relation: String
  }

  /// The maximum size of a file in bytes.
  package static let maximumBytes = 16 << 20
  /// The maximum size of all parts that are read, after inflating.
  private static let maximumInflatedBytes = 256 << 20
  /// The maximum number of XML elements in all parts that are read, several times as many as the largest table of cells has.
  private static let maximumElements = 16_000_000
  private static let maximumSheets = 1_000
  /// The maximum number of rows.
  package static let maximumRows = 50_000
  /// The last row and the number of columns of a sheet in Excel, `XFD1048576`.
  fileprivate static let lastRow = 1_048_576
  fileprivate static let maximumCells = 500_000
  fileprivate static let maximumTextBytes = 8 << 20
  /// The maximum number of characters in a cell, which is Excel's.
  private static let maximumCellBytes = 4 * 32_767

  package private(set) var rows: [CSVReader.Row] = []
  /// The name of the sheet.
  package private(set) var sheet = ""
  /// The sheets of the workbook in their order.
  package private(set) var sheets: [Sheet] = []
  /// The number of rows with cells that are hidden, by a filter or by hand.
  package private(set) var hiddenRows = 0
  /// The number of cells with a formula and its saved value, by their column from 0.
  package private(set) var formulas: [Int: Int] = [:]
  /// The cells with a formula that was never computed, by the line of their row and their column from 0.
  package private(set) var uncomputed: [Position] = []

  /// The merged cells that extend over several rows, of which only the first row has the value.
  package private(set) var mergedRows: [MergedCells] = []

  /// Cells that are shown as one.
  package struct MergedCells: Hashable, Sendable {
    package var lines: ClosedRange<Int>
    package var columns: ClosedRange<Int>
  }

  /// The place of a cell.
  package struct Position: Hashable, Sendable {
    package var line: Int
    package var column: Int
  }

  /// The numbers of bytes and elements that may still be read of the workbook.
  private var budget = Budget()

  private struct Budget {
    var bytes = Workbook.maximumInflatedBytes
    var elements = Workbook.maximumElements
  }

  /// Returns whether the bytes begin as those of a workbook do, which is a ZIP archive.
  package static func isArchive(_ bytes: Data) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Reads a sheet.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - wanted: The name of the sheet, or `nil` for the first visible one that has cells.
  /// - Throws: `Fault`; `CancellationError`.
  package init(_ bytes: Data, sheet wanted: String?) throws {
    guard bytes.count <= Workbook.maximumBytes else { throw Fault.tooLarge }
    do {
      let archive = try ZipArchive(bytes)
      guard archive.contains("xl/workbook.xml") else { throw Fault.unsupported }
      try read(archive, wanted)
    } catch let fault as ZipArchive.Fault {
      switch fault {
      case .tooLarge: throw Fault.tooLarge
      case .unsupported: throw Fault.unsupported
      case .notAnArchive, .damaged: throw Fault.damaged
      }
    }
  }

  private mutating func read(_ archive: ZipArchive, _ wanted: String?) throws {
    let book = try book(archive)
    let targets = try relations(archive)
    sheets = book.sheets
    guard sheets.count <= Workbook.maximumSheets else { throw Fault.tooLarge }
    for index in sheets.indices {
      if let target = targets[sheets[index].relation], !target.isWorksheet { sheets[index].kind = .noCells }
    }
    let candidates: [Int]
    if let wanted {
      guard let index = sheets.firstIndex(where: { $0.name == wanted }) else {
        throw Fault.noSheet(wanted, of: sheets.map(\.name))
      }
      guard sheets[index].kind != .noCells else { throw Fault.noCells(wanted, of: sheets) }
      candidates = [index]
    } else {
      candidates = sheets.indices.filter { sheets[$0].kind == .visible }
    }
    let strings =
      archive.contains("xl/sharedStrings.xml") ? try sharedStrings(archive) : []
    let styles = archive.contains("xl/styles.xml") ? try dateStyles(archive) : [:]
    var emptyParts: Set<String> = []
    for index in candidates {
      guard let part = targets[sheets[index].relation]?.part else { throw Fault.damaged }
      guard !emptyParts.contains(part) else {
        sheets[index].kind = .empty
        continue
      }
      let reader = SheetReader(strings: strings, styles: styles, countsFrom1904: book.countsFrom1904)
      try parse(archive, part: part) {
        reader.attach(to: $0)
      } check: {
        reader.fault
      }
      guard wanted != nil || reader.rows.contains(where: { !$0.isBlank }) else {
        sheets[index].kind = .empty
        emptyParts.insert(part)
        continue
      }
      return take(reader, sheets[index].name)
    }
    throw Fault.noCells(nil, of: sheets)
  }

  private mutating func take(_ reader: SheetReader, _ name: String) {
    sheet = name
    rows = reader.rows
    hiddenRows = reader.hiddenRows
    // Empty cells at the end of a row are missing in the sheet.
    let width = rows.first?.cells.count ?? 0
    for index in rows.indices where rows[index].cells.count < width {
      rows[index].cells += Array(repeating: CSVReader.Cell(""), count: width - rows[index].cells.count)
    }
    (formulas, uncomputed, mergedRows) = (reader.formulas, reader.uncomputed, reader.mergedRows)
  }

  // MARK: Parts

  private mutating func book(
    _ archive: ZipArchive
  ) throws -> (sheets: [Sheet], countsFrom1904: Bool) {
    final class Found { var sheets: [Sheet] = []; var countsFrom1904 = false }
    let found = Found()
    try parse(archive, part: "xl/workbook.xml") { stream in
      stream.start = { name, attributes in
        if name == "sheet", let title = attributes["name"], let id = attributes["id"] {
          // `hidden` and `veryHidden`.
          let isVisible = attributes["state"].map { $0 == "visible" } ?? true
          found.sheets.append(Sheet(name: title, kind: isVisible ? .visible : .hidden, relation: id))
        }
        if name == "workbookPr" { found.countsFrom1904 = ["1", "true"].contains(attributes["date1904"]) }
      }
    }
    return (found.sheets, found.countsFrom1904)
  }

  /// A part that the workbook refers to.
  private struct Relationship {
    var part: String
    /// A Boolean value that is false for a chart, a dialog and macros.
    var isWorksheet: Bool
  }

  private mutating func relations(_ archive: ZipArchive) throws -> [String: Relationship] {
    final class Found { var targets: [String: Relationship] = [:] }
    let found = Found()
    try parse(archive, part: "xl/_rels/workbook.xml.rels") { stream in
      stream.start = { name, attributes in
        guard name == "Relationship", let id = attributes["Id"], let target = attributes["Target"] else { return }
        found.targets[id] = Relationship(
          part: target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target,
          isWorksheet: attributes["Type"].map { $0.hasSuffix("/worksheet") } ?? true)
      }
    }
    return found.targets
  }

  /// Returns the shared strings, without the pronunciation of East Asian texts.
  private mutating func sharedStrings(_ archive: ZipArchive) throws -> [String] {
    final class Found {
      var strings: [String] = []
      var text: [UInt8] = []
      var isText = false
      var phonetic = 0
      var size = 0
      var fault: Fault?
    }
    let found = Found()
    try parse(archive, part: "xl/sharedStrings.xml") { stream in
      stream.start = { name, _ in
        switch name {
        case "si": found.text = []
        case "rPh": found.phonetic += 1
        case "t": found.isText = found.phonetic == 0
        default: break
        }
      }
      stream.text = { bytes in
        guard found.isText else { return }
        found.text += bytes
        found.size += bytes.count
        if found.size > Workbook.maximumTextBytes || found.text.count > Workbook.maximumCellBytes {
          found.fault = .tooLarge
        }
      }
      stream.end = { name in
        switch name {
        case "t": found.isText = false
        case "rPh": found.phonetic -= 1
        case "si":
          found.strings.append(Workbook.unescaped(String(decoding: found.text, as: UTF8.self)))
          if found.strings.count > Workbook.maximumCells { found.fault = .tooLarge }
        default: break
        }
      }
    } check: {
      found.fault
    }
    return found.strings
  }

  /// Returns the cell styles that show a number as a date, with whether they show a time.
  private mutating func dateStyles(_ archive: ZipArchive) throws -> [Int: Bool] {
    final class Found {
      var formats: [Int: String] = [:]; var styles: [Int: Bool] = [:]; var index = 0; var isCells = false
    }
    let found = Found()
    try parse(archive, part: "xl/styles.xml") { stream in
      stream.start = { name, attributes in
        switch name {
        case "numFmt":
          if let id = attributes["numFmtId"].flatMap({ Int($0) }) { found.formats[id] = attributes["formatCode"] }
        case "cellXfs": found.isCells = true
        case "xf" where found.isCells:
          let id = attributes["numFmtId"].flatMap { Int($0) } ?? 0
          if let hasTime = Workbook.isDate(id, found.formats[id]) { found.styles[found.index] = hasTime }
          found.index += 1
        default: break
        }
      }
      stream.end = { if $0 == "cellXfs" { found.isCells = false } }
    }
    return found.styles
  }

  /// Returns a text with the characters that are written as `_x000D_` because XML can't have them (ST_Xstring).
  static func unescaped(_ text: String) -> String {
    guard text.contains("_x") else { return text }
    return text.replacing(#/_x([0-9A-Fa-f]{4})_/#) { match in
      UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? String(match.0)
    }
  }

  /// Returns whether a number format shows a time, or `nil` if it shows no date.
  private static func isDate(_ id: Int, _ code: String?) -> Bool? {
    if (14...17).contains(id) { return false }
    if id == 22 { return true }
    guard let code = code.map({ withoutText($0).lowercased() }) else { return nil }
    guard code.contains("y") || code.contains("d") && code.contains("m") else { return nil }
    return code.contains("h")
  }

  /// Returns a number format without quoted text, escaped characters and colors such as `[Red]`, which aren't part of the
  /// pattern.
  static func withoutText(_ code: String) -> String {
    let scalars = Array(code.unicodeScalars)
    var result = String.UnicodeScalarView()
    // An opening mark without a closing one is an ordinary character. No later mark of its kind is closed either.
    var closed: [Unicode.Scalar: Bool] = [:]
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let closing: Unicode.Scalar? = scalar == "\"" ? "\"" : scalar == "[" ? "]" : nil
      if scalar == "\\", index + 1 < scalars.count {
        index += 2
        continue
      }
      if let closing, closed[closing] != false {
        let end = scalars[(index + 1)...].firstIndex(of: closing)
        closed[closing] = end != nil
        if let end {
          index = end + 1
          continue
        }
      }
      result.append(scalar)
      index += 1
    }
    return String(result)
  }

  /// Parses a part, within what is left of the budget of the workbook.
  private mutating func parse(
    _ archive: ZipArchive, part: String, attach: (XMLStream) -> Void, check: () -> Fault? = { nil }
  ) throws {
    let stream = XMLStream()
    attach(stream)
    var fault: Fault?
    var (bytes, isCancelled) = (0, false)
    try archive.read(part, limit: budget.bytes) { piece in
      bytes += piece.count
      isCancelled = Task.isCancelled
      let wantsMore = stream.take(piece)
      fault = stream.elements > budget.elements ? .tooLarge : check()
      return wantsMore && fault == nil && !isCancelled
    }
    if isCancelled { throw CancellationError() }
    budget.bytes -= bytes
    budget.elements -= stream.elements
    if let fault { throw fault }
    guard stream.finish() else { throw Fault.damaged }
    if let fault = check() { throw fault }
  }
}

/// Reads the rows of a sheet while it is parsed.
private final class SheetReader {
  private(set) var rows: [CSVReader.Row] = []
  private(set) var formulas: [Int: Int] = [:]
  private(set) var uncomputed: [Workbook.Position] = []
  private(set) var mergedRows: [Workbook.MergedCells] = []
  private(set) var hiddenRows = 0
  private(set) var fault: Workbook.Fault?

  private let strings: [String]
  private let styles: [Int: Bool]
  private let countsFrom1904: Bool
  private var row: [CSVReader.Cell] = []
  private var line = 0
  private var column = 0
  private var type = ""
  private var style = 0
  private var text: [UInt8] = []
  private var isText = false
  private var phonetic = 0
  private var hasFormula = false
  /// A Boolean value that is false for a cell without a value; an empty one is a value.
  private var hasValue = false
  private var isHidden = false
  private var cells = 0
  private var size = 0

  init(strings: [String], styles: [Int: Bool], countsFrom1904: Bool) {
    self.strings = strings
    self.styles = styles
    self.countsFrom1904 = countsFrom1904
  }

  func attach(to stream: XMLStream) {
    stream.start = { [unowned self] in start($0, $1) }
    stream.end = { [unowned self] in end($0) }
    stream.text = { [unowned self] bytes in
      guard isText else { return }
      text += bytes
      if text.count > 131_068 { fault = .tooLarge }
    }
  }

  private func start(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "row":
      // `line` is within the sheet, so that counting on can't overflow.
      let next = attributes["r"].map { Int($0) ?? 0 } ?? line + 1
      guard (1...Workbook.lastRow).contains(next) else { return fault = attributes["r"] == nil ? .tooLarge : .damaged }
      line = next
      (row, column) = ([], 0)
      isHidden = attributes["hidden"].map { $0 == "1" || $0 == "true" } ?? false
    case "c":
      if let reference = attributes["r"] {
        guard let index = SheetReader.column(reference) else { return fault = .damaged }
        if index >= 0 { column = index }
      }
      // A row of millions of cells.
      if column >= CSVReader.maximumCells { fault = .tooLarge }
      type = attributes["t"] ?? "n"
      style = attributes["s"].flatMap { Int($0) } ?? 0
      (text, hasFormula, hasValue) = ([], false, false)
    case "v": (isText, hasValue) = (true, true)
    case "t": isText = type == "inlineStr" && phonetic == 0
    case "rPh": phonetic += 1
    case "f": hasFormula = true
    case "mergeCell":
      guard let merged = attributes["ref"].flatMap(SheetReader.merged) else { break }
      mergedRows.append(merged)
      if mergedRows.count > Workbook.maximumCells { fault = .tooLarge }
    default: break
    }
  }

  private func end(_ name: String) {
    switch name {
    case "v", "t": isText = false
    case "rPh": phonetic -= 1
    case "c":
      let value = value()
      if hasFormula {
        if hasValue || !value.isEmpty {
          formulas[column, default: 0] += 1
        } else {
          uncomputed.append(Workbook.Position(line: line, column: column))
        }
      }
      if !value.isEmpty, fault == nil {
        while row.count < column { row.append(CSVReader.Cell("")) }
        row.append(CSVReader.Cell(value))
        cells += 1
        size += value.utf8.count
      }
      column += 1
    case "row" where !row.isEmpty:
      rows.append(CSVReader.Row(line: line, cells: row))
      if isHidden { hiddenRows += 1 }
    default: break
    }
    if name == "c" || name == "row" {
      let isTooLarge =
        uncomputed.count > Workbook.maximumCells || rows.count > Workbook.maximumRows || cells > Workbook.maximumCells
        || size > Workbook.maximumTextBytes
      if isTooLarge, fault == nil { fault = .tooLarge }
    }
  }

  /// Returns the value of the cell; a shared string that isn't there is a fault.
  private func value() -> String {
    let raw = String(decoding: text, as: UTF8.self)
    switch type {
    case "s":
      if raw.isEmpty { return "" }
      guard let index = Int(raw.trimmed), strings.indices.contains(index) else {
        fault = .damaged
        return ""
      }
      return strings[index]
    case "str", "inlineStr": return Workbook.unescaped(raw)
    case "e": return raw
    case "b": return raw == "1" ? "TRUE" : "FALSE"
    default: return number(raw)
    }
  }

  /// Returns a number without an exponent and without the digits that only its binary form has.
  private func number(_ raw: String) -> String {
    // Most numbers are integers and are read as they are.
    if styles[style] == nil, raw.utf8.count <= 15, raw.utf8.first != UInt8(ascii: "0"),
      raw.utf8.allSatisfy({ (48...57).contains($0) }), !raw.isEmpty
    {
      return raw
    }
    guard raw.wholeMatch(of: #/-?[0-9]{1,20}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?/#) != nil,
      let decimal = Decimal(string: raw, locale: Locale(identifier: "en_US_POSIX"))
    else { return raw }
    if let hasTime = styles[style] { return date(decimal, hasTime) ?? raw }
    // Excel shows fifteen digits: 19.989999999999998 is 19.99.
    var (exact, rounded) = (decimal, Decimal())
    let digits = max(0, 15 - Int(decimal.significandDigits))
    NSDecimalRound(&rounded, &exact, digits, .plain)
    return rounded.description
  }

  /// Returns a date from the days since 1899-12-30, or since 1904-01-01.
  private func date(_ days: Decimal, _ hasTime: Bool) -> String? {
    var (exact, rounded) = (days * 86_400, Decimal())
    NSDecimalRound(&rounded, &exact, 0, .plain)
    guard let seconds = Int64(rounded.description), seconds >= 0, seconds < 2_958_466 * 86_400 else { return nil }
    let epoch: Int64 = countsFrom1904 ? -2_082_844_800 : -2_209_161_600
    let moment = Timestamp(seconds: seconds + epoch, isUTC: false).description
    return hasTime ? moment : String(moment.prefix(10))
  }

  /// Returns the cells of a range such as `A1:C2`, or `nil` for another text and for a range of one row.
  private static func merged(_ range: String) -> Workbook.MergedCells? {
    guard let match = range.wholeMatch(of: /([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})/),
      let first = column(String(match.1)), let last = column(String(match.3)), first <= last,
      let top = Int(match.2), let bottom = Int(match.4), top < bottom
    else { return nil }
    return Workbook.MergedCells(lines: top...bottom, columns: first...last)
  }

  /// Returns the column of a reference such as `AB12`, from 0, -1 for one without a column, or `nil` for a column that no sheet
  /// has.
  private static func column(_ reference: String) -> Int? {
    var column = 0
    for byte in reference.utf8 {
      guard (65...90).contains(byte) else { break }
      column = column * 26 + Int(byte) - 64
      if column > CSVReader.maximumCells { return nil }
    }
    return column - 1
  }
}

extension Decimal {
  /// The number of digits before the decimal point.
  fileprivate var significandDigits: Int {
    let whole = description.drop { $0 == "-" }.prefix { $0 != "." }
    return whole == "0" ? 0 : whole.count
  }
}

extension CommandError {
  /// Creates the error for a workbook that can't be read.
  init(_ fault: Workbook.Fault, workbook file: String) {
    let failure = Message.failure(
      "Cannot read the workbook \(.value(file)). Nothing was sent.",
      ko: "통합 문서 \(.value(file), .object) 읽을 수 없습니다. 아무것도 보내지 않았습니다.")
    let asCSV = LocalizedText(
      "Save the sheet as “CSV UTF-8” and import that file.", ko: "시트를 CSV UTF-8로 저장해 그 파일을 가져오세요.")
    switch fault {
    case .damaged:
      self.init(.usageError, failure.because("It is damaged.", ko: "파일이 손상되었습니다.").next(asCSV))
    case .unsupported:
      self.init(
        .usageError,
        failure.because("It is encrypted, or not an Excel workbook.", ko: "암호화되었거나 엑셀 통합 문서가 아닙니다.").next(asCSV))
    case .tooLarge:
      self.init(
        .usageError,
        failure.because(
          "It has more than \(Workbook.maximumRows) rows, or too much text.",
          ko: "\(Workbook.maximumRows)행이 넘거나 내용이 너무 많습니다."
        ).next(asCSV))
    case .noCells(let name?, _):
      self.init(
        .usageError,
        failure.because(
          "The sheet \(.value(name)) is a chart or has no cells.", ko: "\(.value(name)) 시트는 차트이거나 셀이 없습니다."))
    case .noCells(nil, let sheets):
      let hidden = sheets.filter { $0.kind == .hidden }.map(\.name)
      let error = failure.because("No visible sheet has cells.", ko: "셀이 있는 보이는 시트가 없습니다.")
      guard let first = hidden.first else {
        self.init(.usageError, error)
        return
      }
      self.init(
        .usageError,
        error.next(
          "To read a hidden sheet, name it: \(.command("sheet \(Quoting.quote(first))")).",
          ko: "숨긴 시트를 읽으려면 이름을 쓰세요: \(.command("sheet \(Quoting.quote(first))"))"))
    case .noSheet(let name, let names):
      let list = names.prefix(8).joined(separator: ", ")
      self.init(
        .usageError,
        failure.because("There is no sheet \(.value(name)).", ko: "\(.value(name)) 시트가 없습니다.")
          .next("Sheets: \(.value(list)).", ko: "시트: \(.value(list))"))
    }
  }
}
