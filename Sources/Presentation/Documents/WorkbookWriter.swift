import CXLSXWriter
import Catalog
import Foundation
import Synchronization
import Text

/// Writes an Excel workbook (ECMA-376, SpreadsheetML) row by row with libxlsxwriter, which is loaded when it is first used.
///
/// A cell has the type of its value: a number, a time, a Boolean value or a text, which is never a formula. The workbook is
/// written to an unnamed file in memory, and its rows to temporary files, so that no file is left if the program ends.
package final class WorkbookWriter {
  /// The reason why a workbook can't be written.
  package enum Fault: Error, Hashable, Sendable {
    /// The library isn't installed, or lacks a function.
    case noLibrary
    /// A text is longer than a cell can be; the row is counted from 1, the heading included.
    case textTooLong(column: String, row: Int)
    case tooManyRows
    /// A temporary file or the workbook can't be written.
    case cannotWrite
  }

  /// The file of the library, and Debian's package that has it.
  package static let libraryName = "libxlsxwriter.so.4"
  package static let packageName = "libxlsxwriter4"

  /// The maximum number of rows of a sheet and of UTF-16 code units of a cell, which are Excel's.
  private static let maximumRows = 1_048_576
  private static let maximumText = 32_767
  private static let maximumName = 31
  /// The number of rows by which the widths of columns are chosen, and the widths in characters.
  private static let measuredRows = 1_000
  private static let widths = 6...60

  // The functions of a loaded library may be called from any thread.
  private struct Functions: @unchecked Sendable { var functions: XLSXFunctions }

  private static let opened = Mutex<[String: Functions?]>([:])

  private let library: XLSXFunctions
  private let language: MessageLanguage
  private let descriptor: Int32
  /// The workbook, or `nil` once it was closed.
  private var book: OpaquePointer?
  private var formats: [Style: OpaquePointer] = [:]
  private var sheet: OpaquePointer?
  private var names: Set<String> = []
  private var columns: [String] = []
  private var columnWidths: [Int] = []
  private var row = 0

  /// The format of a cell.
  private struct Style: Hashable {
    var number: String?
    var isHeading = false
    var isTotal = false
  }

  /// Returns the functions of the library, or `nil` if it is missing or too old.
  private static func load(_ name: String) -> XLSXFunctions? {
    opened.withLock { opened in
      if let known = opened[name] { return known?.functions }
      var functions = XLSXFunctions()
      let loaded = xlsx_load(&functions, name) == 1 ? Functions(functions: functions) : nil
      opened[name] = .some(loaded)
      return loaded?.functions
    }
  }

  /// Checks that workbooks can be written.
  ///
  /// - Throws: `Fault.noLibrary`.
  package static func checkLibrary(_ name: String = libraryName) throws(Fault) {
    if load(name) == nil { throw .noLibrary }
  }

  /// Begins a workbook without sheets.
  ///
  /// - Parameters:
  ///   - language: The language of localized cells.
  ///   - name: The file of the library.
  /// - Throws: `Fault`.
  package init(_ language: MessageLanguage, library name: String = libraryName) throws(Fault) {
    guard let library = WorkbookWriter.load(name) else { throw .noLibrary }
    self.library = library
    self.language = language
    descriptor = memfd_create("workbook", UInt32(FD_CLOEXEC))
    guard descriptor >= 0 else { throw .cannotWrite }
    var options = XLSXOptions()
    // Each row goes to a temporary file once the next one begins.
    options.constant_memory = 1
    book = library.workbook_new_opt("/proc/self/fd/\(descriptor)", &options)
    if book == nil { throw .cannotWrite }
  }

  deinit {
    if let book { library.free(book) }
    close(descriptor)
  }

  /// Begins a sheet with a heading row, which stays in view when the sheet is scrolled.
  ///
  /// - Throws: `Fault`.
  package func beginSheet(_ name: String, _ headings: [String]) throws(Fault) {
    endSheet()
    guard let book, let sheet = library.add_worksheet(book, freeName(name)) else { throw .cannotWrite }
    self.sheet = sheet
    (columns, row) = (headings, 0)
    columnWidths = headings.map { _ in WorkbookWriter.widths.lowerBound }
    library.freeze_panes(sheet, 1, 0)
    let style = Style(isHeading: true)
    for (index, heading) in headings.enumerated() { try put(text: heading, at: index, style) }
    row = 1
  }

  /// Adds a row to the sheet.
  ///
  /// - Parameters:
  ///   - cells: The cells, as many as headings.
  ///   - isTotal: Whether the row is a sum of those before.
  /// - Throws: `Fault`.
  package func append(_ cells: [Table.Cell], isTotal: Bool = false) throws(Fault) {
    guard row < WorkbookWriter.maximumRows else { throw .tooManyRows }
    for (index, cell) in cells.enumerated() { try put(cell, at: index, isTotal: isTotal) }
    row += 1
  }

  /// Adds the sections of a document as sheets, the remarks of each below its table.
  ///
  /// A document with titles is for people: it begins with a sheet of its own remarks, and its times are those of this
  /// machine.
  ///
  /// - Throws: `Fault`.
  package func append(_ document: Document) throws(Fault) {
    let isForPeople = document.headings == .titles
    if isForPeople {
      try beginSheet(WorkbookWriter.summary[language].plain, [document.title[language].plain])
      for remark in document.remarks { try append([.text(remark[language].plain)]) }
    }
    for section in document.sections {
      let table = section.table
      try beginSheet(
        section.name[language].plain, table.columns.map { isForPeople ? $0.title[language].plain : $0.key })
      for (index, row) in table.rows.enumerated() {
        try append(
          isForPeople ? row.map(\.inLocalTime) : row, isTotal: index >= table.rows.count - section.totals)
      }
      // An empty row ends the table for the programs that detect its extent.
      if !section.remarks.isEmpty { try append([]) }
      for remark in section.remarks { try append([.text(remark[language].plain)]) }
    }
  }

  private static let summary = LocalizedText("summary", ko: "요약")

  /// Returns the complete file.
  ///
  /// - Throws: `Fault`.
  package func finish() throws(Fault) -> Data {
    endSheet()
    guard let book else { throw .cannotWrite }
    // It is freed also if writing fails.
    self.book = nil
    sheet = nil
    guard library.close(book) == 0 else { throw .cannotWrite }
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { throw .cannotWrite }
    var data = Data(count: Int(size))
    var done = 0
    while done < data.count {
      let count = data.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
      }
      guard count > 0 else { throw .cannotWrite }
      done += count
    }
    return data
  }

  private func endSheet() {
    guard let sheet else { return }
    for (index, width) in columnWidths.enumerated() {
      let shown = Double(min(width, WorkbookWriter.widths.upperBound))
      _ = library.set_column(sheet, UInt16(index), UInt16(index), shown, nil)
    }
  }

  /// Returns a name that a sheet can have and no sheet of the workbook has.
  private func freeName(_ name: String) -> String {
    let forbidden = Set<Character>(["[", "]", ":", "*", "?", "/", "\\", "'"])
    let plain = String(Sanitizer.sanitized(name, limit: 200).map { forbidden.contains($0) ? " " : $0 }).trimmed
    let base = plain.isEmpty ? "sheet" : plain
    var number = 1
    while true {
      let ending = number == 1 ? "" : " \(number)"
      var start = base
      while (start + ending).utf16.count > WorkbookWriter.maximumName { start.removeLast() }
      // Names that differ in case alone are equal for Excel.
      if names.insert((start + ending).lowercased()).inserted { return start + ending }
      number += 1
    }
  }

  // MARK: Cells

  private func put(_ cell: Table.Cell, at column: Int, isTotal: Bool) throws(Fault) {
    let style = Style(isTotal: isTotal)
    switch cell {
    case .none: break
    case .text(let text): try put(text: text, at: column, style)
    case .localized(let wording): try put(text: wording[language].plain, at: column, style)
    case .record, .list: try put(text: JSONWriter.data { $0.write(cell) }, at: column, style)
    case .bool(let flag):
      try check(library.write_boolean(sheet, UInt32(row), UInt16(column), flag ? 1 : 0, format(style)))
    case .number(let number): try put(Amount(number), at: column, style, grouped: false)
    case .decimal(let amount): try put(amount, at: column, style, grouped: false)
    case .amount(let amount, _): try put(amount, at: column, style, grouped: true)
    case .timestamp(let moment): try put(moment, at: column, style)
    }
  }

  /// Writes an amount as a number, or as text if the binary number of a spreadsheet isn't equal to it.
  private func put(_ amount: Amount, at column: Int, _ style: Style, grouped: Bool) throws(Fault) {
    let text = amount.description
    guard let number = WorkbookWriter.exactNumber(text) else { return try put(text: text, at: column, style) }
    var style = style
    let decimals = text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0
    if grouped, decimals <= 2 { style.number = decimals == 0 ? "#,##0" : "#,##0.00" }
    measure(text.count + text.count / 3, column)
    try check(library.write_number(sheet, UInt32(row), UInt16(column), number, format(style)))
  }

  /// Returns the binary number that is printed as a decimal in the file, or `nil` if it isn't equal to that decimal.
  ///
  /// Spreadsheets show fifteen digits, and read numbers with more of them as others.
  ///
  /// - Parameter text: The output of `Amount.description`.
  package static func exactNumber(_ text: String) -> Double? {
    let digits = text.utf8.filter { (48...57).contains($0) }.drop { $0 == 48 }
    guard digits.count <= 15, let number = Double(text), number.isFinite else { return nil }
    // The form in which the library writes numbers.
    let written = String(format: "%.16G", number)
    return Amount(plain: written) == Amount(plain: text) ? number : nil
  }

  /// Writes a time as a date of the spreadsheet, in days since 1899-12-30, or as text outside of the range of these.
  private func put(_ moment: Timestamp, at column: Int, _ style: Style) throws(Fault) {
    // Until March of 1900 the days of spreadsheets are off by one.
    let first: Int64 = -2_177_452_800
    guard (first...Timestamp.representableRange.upperBound).contains(moment.seconds) else {
      return try put(text: moment.description, at: column, style)
    }
    var style = style
    style.number = moment.isUTC ? "yyyy-mm-dd hh:mm:ss \"UTC\"" : "yyyy-mm-dd hh:mm:ss"
    measure(moment.isUTC ? 24 : 20, column)
    let days = Double(moment.seconds + 2_209_161_600) / 86_400
    try check(library.write_number(sheet, UInt32(row), UInt16(column), days, format(style)))
  }

  private func put(text: String, at column: Int, _ style: Style) throws(Fault) {
    guard !text.isEmpty else { return }
    var style = style
    // A text cell stays one when it is edited. Excel shows longer ones in this format as #.
    if CSVInjection.escape(text) != text, text.utf16.count <= 255 { style.number = "@" }
    let escaped = WorkbookWriter.escaped(text)
    guard escaped.utf16.count <= WorkbookWriter.maximumText else {
      throw .textTooLong(column: columns.indices.contains(column) ? columns[column] : "", row: row + 1)
    }
    measure(text, column)
    try check(library.write_string(sheet, UInt32(row), UInt16(column), escaped, format(style)))
  }

  /// Returns a text in which characters that XML can't have are written as `_x000D_` (ECMA-376, ST_Xstring), and the text
  /// that looks like such a character, too.
  package static func escaped(_ text: String) -> String {
    let needsEscape = text.unicodeScalars.contains { isForbidden($0) || $0 == "_" }
    guard needsEscape else { return text }
    var result = String.UnicodeScalarView()
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      if isForbidden(scalar) || scalar == "_" && beginsEscape(scalars[index...]) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result.append(contentsOf: "_x\(String(repeating: "0", count: 4 - digits.count))\(digits)_".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether a scalar can't be in XML as it is: parsers read a carriage return as a newline.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA: false
    case 0...0x1F, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  private static func beginsEscape(_ scalars: Substring.UnicodeScalarView) -> Bool {
    let start = Array(scalars.prefix(7))
    return start.count == 7 && start[1] == "x" && start[6] == "_"
      && start[2...5].allSatisfy(\.properties.isASCIIHexDigit)
  }

  private func measure(_ text: String, _ column: Int) {
    guard row < WorkbookWriter.measuredRows else { return }
    let line = text.prefix { !$0.isNewline }.prefix(WorkbookWriter.widths.upperBound)
    measure(WidthMeasurer().of(String(line)) + 1, column)
  }

  private func measure(_ width: Int, _ column: Int) {
    guard row < WorkbookWriter.measuredRows, columnWidths.indices.contains(column), width > columnWidths[column] else {
      return
    }
    columnWidths[column] = width
  }

  private func format(_ style: Style) -> OpaquePointer? {
    if style == Style() { return nil }
    if let known = formats[style] { return known }
    guard let book, let format = library.add_format(book) else { return nil }
    if style.isHeading || style.isTotal { library.set_bold(format) }
    // A thin line.
    if style.isHeading { library.set_bottom(format, 1) }
    if style.isTotal { library.set_top(format, 1) }
    if let number = style.number { library.set_num_format(format, number) }
    formats[style] = format
    return format
  }

  private func check(_ code: Int32) throws(Fault) {
    if code != 0 { throw .cannotWrite }
  }
}

extension Table.Cell {
  /// The cell with the time of this machine instead of that in UTC.
  fileprivate var inLocalTime: Table.Cell {
    if case .timestamp(let moment) = self, moment.isUTC { .timestamp(moment.local) } else { self }
  }
}
