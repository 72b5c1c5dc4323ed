import Catalog
import Foundation
import Presentation
import TestSupport
import Testing
import Text

/// A workbook has the values that were given: exact numbers, texts with any character, names that a sheet can have.
@Suite(.timeLimit(Trial.limit)) struct WorkbookWriterTests {
  /// A number is one of the spreadsheet only if its binary form is written as the same decimal.
  @Test(arguments: [
    ("0", true), ("-5", true), ("19.99", true), ("0.1", true), ("999999999999999", true), ("1234567890123.45", true),
    ("1000000000000000", false), ("9007199254740993", false), ("12345678901234.567", false),
    ("999999999999999.99", false),
    ("0.00001", false),
  ])
  func numberIsExactOrText(_ decimal: String, _ isNumber: Bool) throws {
    let amount = try #require(Amount(plain: decimal))
    let number = WorkbookWriter.exactNumber(amount.description)
    #expect((number != nil) == isNumber)
    if let number { #expect(Decimal(string: String(format: "%.15g", number)) == amount.decimalValue) }
  }

  /// Characters that XML can't have are escaped, and a text that looks like an escape is, too.
  @Test(arguments: [
    ("plain", "plain"), ("a\tb\nc", "a\tb\nc"), ("a\r\nb", "a_x000D_\nb"), ("\u{0}\u{1B}", "_x0000__x001B_"),
    ("_x000D_", "_x005F_x000D_"), ("_x00G0_", "_x00G0_"), ("snake_x_case", "snake_x_case"),
    ("\u{FFFE}", "_xFFFE_"), ("__x0041_", "__x005F_x0041_"),
  ])
  func textIsEscaped(_ text: String, _ written: String) { #expect(WorkbookWriter.escaped(text) == written) }

  @Test func missingLibraryIsAFault() {
    #expect(throws: WorkbookWriter.Fault.noLibrary) { try WorkbookWriter(.english, library: "libnone.so.4") }
    #expect(throws: WorkbookWriter.Fault.noLibrary) { try WorkbookWriter.checkLibrary("libnone.so.4") }
  }

  /// A text that is longer than a cell can be is refused, and never cut.
  @Test func longTextIsRefused() throws {
    let writer = try WorkbookWriter(.english)
    try writer.beginSheet("data", ["name"])
    try writer.append([.text(String(repeating: "가", count: 32_767))])
    #expect(throws: WorkbookWriter.Fault.textTooLong(column: "name", row: 3)) {
      try writer.append([.text(String(repeating: "가", count: 32_768))])
    }
  }

  /// Names of sheets are made valid and different.
  @Test func namesOfSheetsAreValid() throws {
    let writer = try WorkbookWriter(.english)
    for name in ["a/b", "A/B", "[x]:*?", "", String(repeating: "가나", count: 40), "'quoted'"] {
      try writer.beginSheet(name, ["x"])
      try writer.append([.number(1)])
    }
    #expect(try writer.finish().starts(with: [0x50, 0x4B, 0x03, 0x04]))
  }

  @Test func unfinishedWorkbookIsDiscarded() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<20 {
      let writer = try WorkbookWriter(.english)
      try writer.beginSheet("data", ["x"])
      try writer.append([.number(1)])
    }
    // Other tests open files, too.
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < before + 20)
  }

  /// Text of a page is escaped, whatever it contains.
  @Test func textOfAPageIsEscaped() {
    let hostile = "<script>alert(1)</script>&\"'\u{1B}[31m\u{202E}"
    let table = Table([.init("<b>", LocalizedText("<i>", ko: "<i>"))], rows: [[.text(hostile)]])
    let document = Document(
      LocalizedText("\(.foreign(hostile))", ko: "\(.foreign(hostile))"), headings: .titles,
      [Document.Section(LocalizedText("<s>", ko: "<s>"), table)])
    let page = DocumentPage(document, RenderOptions()).text
    #expect(!page.contains("<script") && !page.contains("<i>") && !page.contains("<s>"))
    #expect(!page.contains("\u{1B}") && !page.contains("\u{202E}"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;"))
    #expect(!page.contains("http"))
  }
}
