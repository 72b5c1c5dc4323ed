import CommandLanguage
import Commands
import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

/// Files as spreadsheets of different countries save them are read, or the error names a solution.
@Suite(.timeLimit(Trial.limit)) struct ImportSpreadsheetTests {
  /// A format in which a spreadsheet may save the same rows.
  struct Way: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var file: String
    /// The name of the encoding for `iconv`.
    var encoding: String
    var separator = ","
    var start = ""
    var end = "\r\n"
  }

  static let ways = [
    Way(testDescription: "CSV UTF-8 of Excel", file: "monday.csv", encoding: "UTF-8", start: "\u{FEFF}"),
    Way(testDescription: "CSV of Google Sheets", file: "monday.csv", encoding: "UTF-8", end: "\n"),
    Way(testDescription: "CSV of Korean Excel", file: "monday.csv", encoding: "CP949"),
    Way(testDescription: "CSV of German Excel", file: "monday.csv", encoding: "UTF-8", separator: ";"),
    Way(testDescription: "Unicode text of Excel", file: "monday.txt", encoding: "UTF-16", separator: "\t"),
    Way(testDescription: "UTF-16 without a mark", file: "monday.csv", encoding: "UTF-16BE"),
    Way(testDescription: "Tabs in CP949", file: "monday.tsv", encoding: "CP949", separator: "\t", end: "\n"),
    Way(
      testDescription: "CSV that names its separator", file: "monday.csv", encoding: "UTF-16LE", separator: ";",
      start: "sep=;\r\n"),
  ]

  /// The rows have capitals and spaces in the header, an unknown column, a column without a heading, and empty rows.
  private static let rows = [
    [" ID", "Name ", "PRICE", "재고", "메모", ""], ["138", "먹색 요리책", "￦21,000", "25.00", "월요일에 올림", ""],
    ["1.32E+02", "먹색 요가 볼", "2.02E+04", "1,041", "", ""], ["", "", "", "", "", ""],
    [" 126 ", "먹색 접이식 키보드", " 52,000 ", "52", "그대로", ""], ["120", "", "48000.00", "-", "", ""],
    ["", "", "", "", "", ""],
  ]

  @Test(arguments: ways) func everySpreadsheetEncodingGivesTheSamePlan(_ way: Way) async throws {
    let text =
      way.start
      + Self.rows.map { row in
        row.map { $0.contains(way.separator) ? "\"" + $0 + "\"" : $0 }.joined(separator: way.separator) + way.end
      }.joined()
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("utf8", text)
      let made = try await Sh.run(
        "iconv -f UTF-8 -t \(way.encoding) '\(sandbox.folder)/utf8' > '\(sandbox.folder)/\(way.file)'")
      try #require(made.status == 0, "\(made.error)")
      let said = await sandbox.run("dry import ~/\(way.file)")
      let plan = said.unicodeScalars.split(separator: "\n").map(String.init).filter {
        !$0.hasPrefix("! note: Read the file as")
      }
      try Golden("monday").check(plan.joined(separator: "\n") + "\n")
      let told = said.contains("! note: Read the file as \(way.encoding == "CP949" ? "CP949" : "UTF-16").")
      #expect(told == (way.encoding != "UTF-8"), "\(said)")
    }
  }

  /// Unreadable files are rejected with a solution, and nothing is sent.
  @Test func unreadableSpreadsheetIsRefusedWithASolution() async throws {
    let files: [(name: String, bytes: [UInt8])] = [
      ("book.xlsx", [0x50, 0x4B, 0x03, 0x04, 0x14, 0x00]), ("old.csv", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1]),
      ("latin.csv", Array("id,name\n138,caf".utf8) + [0xE9, 0x2C, 0x0A]), ("half.csv", [0xFF, 0xFE, 0x69, 0x00, 0x64]),
      ("memo.csv", Array("메모,비고\n1,2\n".utf8)), ("near.csv", Array("id,prise\n138,1\n".utf8)),
      ("hidden.csv", Array("id,price\n132,2.1E+04\n138,1.9E+4\n".utf8)),
      ("short.csv", Array("id,price,memo,,\n138,19100\n132,20800,x,,,,\n126\n".utf8)),
      ("won.csv", Array("id,price,currency\n138,\"₩19,100\",USD\n".utf8)),
      ("comma.csv", Array("id;price\n138;19,99\n132;19,9990\n".utf8)),
      ("empty.csv", Array(",,\r\n,,\r\n".utf8)),
    ]
    try await Sandbox.with { sandbox in
      var said = ""
      for file in files {
        try Data(file.bytes).write(to: URL(fileURLWithPath: sandbox.folder + "/" + file.name))
        said += "> dry import ~/\(file.name)\n" + (await sandbox.run("dry import ~/\(file.name)"))
      }
      for line in [
        "ls to ~/x.xlsm", "export mine to ~/x.XLS", "export ~/x.ods",
        "export mine to ~/mine.csv bom",
      ] {
        said += "> \(line)\n" + (await sandbox.run(line))
      }
      try Golden("spreadsheets").check(said)
      let exported = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/mine.csv"))
      #expect(exported.starts(with: [0xEF, 0xBB, 0xBF]))
    }
  }
}
