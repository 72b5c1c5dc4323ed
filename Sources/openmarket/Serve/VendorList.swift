import EmbeddedMarket
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The vendors of `serve --vendors`: a number, or a file with one vendor on each line.
///
/// A line is `NAME`, `NAME,IDENTIFIER` or `NAME,IDENTIFIER,SECRET`, or has the columns that a first line of titles names; other
/// columns are not used. Missing parts are generated and stored with the market's data. Empty lines and lines that begin
/// with `#` are ignored.
///
/// The file is CSV as spreadsheets write it: with quotes, a byte order mark, `;` or tabs as separators, in UTF-8,
/// UTF-16 or the Korean code page.
struct VendorList {
  static let maximumCount = 500

  private(set) var vendors: [VendorRequest] = []
  /// The titles of the columns that are not used.
  private(set) var unusedColumns: [String] = []

  /// - Throws: `CommandError` that names the invalid line or number.
  init(_ text: String) throws {
    if let count = Int(text) {
      guard (0...VendorList.maximumCount).contains(count) else {
        throw CommandLineError.failure(
          "\(.command("--vendors")) must be a number from 0 to \(VendorList.maximumCount), or a file.",
          ko: "\(.command("--vendors"))에는 0부터 \(VendorList.maximumCount)까지의 수나 파일을 쓸 수 있습니다.")
      }
      vendors = count == 0 ? [] : (1...count).map { VendorRequest(name: "vendor\($0)") }
    } else {
      try read(VendorList.text(of: text), file: text)
    }
  }

  /// Reads the list that a lesson names.
  ///
  /// - Throws: `CommandError` that names the invalid line; `FileError`.
  init(_ file: ConfinedPath) throws {
    try read(VendorList.text(of: file.contents(limit: VendorList.maximumBytes), file.shown), file: file.shown)
  }

  private static let maximumBytes = 16 << 20

  /// The note about columns that are not used, or `nil` if there are none.
  var remark: Message? {
    guard !unusedColumns.isEmpty else { return nil }
    let titles = unusedColumns.joined(separator: ", ")
    return .note(
      "Columns of the list of vendors that are not used: \(.foreign(titles)).",
      ko: "판매자 목록에서 쓰지 않는 열: \(.foreign(titles)).")
  }

  private static func text(of path: String) throws -> String {
    guard let bytes = try? Files.read(path, limit: maximumBytes) else {
      throw CommandLineError.failure(
        "\(.command("--vendors")) must be a number or a readable file, not \(.value(path)).",
        ko: "\(.command("--vendors"))에는 수나 읽을 수 있는 파일을 쓰세요. 쓸 수 없는 값: \(.value(path)).")
    }
    return try text(of: bytes, path)
  }

  private static func text(of bytes: Data, _ path: String) throws -> String {
    guard let text = (try? DecodedText(bytes))?.text else {
      throw CommandLineError.failure(
        "\(.value(path)) is not a text file. In a spreadsheet, save it as CSV UTF-8.",
        ko: "\(.value(path), .topic) 텍스트 파일이 아닙니다. 스프레드시트에서 CSV UTF-8로 저장하세요.")
    }
    // Names that look equal are equal: some systems write Hangul as single letters.
    return text.nfcNormalized
  }

  private mutating func read(_ text: String, file path: String) throws {
    let withoutComments = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.hasPrefix("#") ? "" : $0 }.joined(separator: "\n")
    func problem(_ problem: LocalizedText, _ line: Int) -> CommandError {
      CommandLineError.failure(
        "\(.value(path)), line \(line): \(problem.english)", ko: "\(.value(path)), \(line)번째 줄: \(problem.korean)")
    }
    var rows: [CSVReader.Row]
    do {
      rows = try CSVReader.rows(of: withoutComments).filter { $0.cells.contains { !$0.text.trimmed.isEmpty } }
    } catch {
      throw problem(LocalizedText("\(error.message.english).", ko: "\(error.message.korean)."), error.line)
    }
    var columns: [Column?] = Column.allCases
    var hasTitles = false
    if let first = rows.first, let titles = ColumnTitles(first.cells.map(\.text)) {
      columns = try titles.columns { problem($0, first.line) }
      unusedColumns = titles.unused
      hasTitles = true
      rows.removeFirst()
    }
    guard !rows.isEmpty else {
      throw CommandLineError.failure(
        "\(.value(path)) has no vendors.", ko: "\(.value(path))에 판매자가 없습니다.")
    }
    var lines: [String: Int] = [:]
    for row in rows {
      let vendor = try VendorList.vendor(row.cells.map(\.text.trimmed), columns: columns, hasTitles: hasTitles) {
        problem($0, row.line)
      }
      try VendorList.check(vendor, line: row.line, lines: &lines) { problem($0, row.line) }
      vendors.append(vendor)
    }
  }

  private static func vendor(
    _ cells: [String], columns: [Column?], hasTitles: Bool, problem: (LocalizedText) -> CommandError
  ) throws -> VendorRequest {
    func value(_ column: Column) -> String? {
      guard let index = columns.firstIndex(of: column), index < cells.count, !cells[index].isEmpty else { return nil }
      return cells[index]
    }
    guard cells.count <= columns.count, let name = value(.name) else {
      throw problem(
        hasTitles
          ? LocalizedText("There is no name, or a cell without a title.", ko: "이름이 없거나, 제목이 없는 칸이 있습니다.")
          : LocalizedText("Expected NAME,IDENTIFIER,SECRET.", ko: "NAME,IDENTIFIER,SECRET이 필요합니다."))
    }
    let credentials = [value(.identifier), value(.secret)].compactMap { $0 }
    // `1,Kim,kim@example.com` is another kind of list: its addresses, which others know, would be secrets.
    if !hasTitles, cells.count > 1 && name.allSatisfy(\.isNumber) || value(.secret)?.contains("@") == true {
      throw problem(
        LocalizedText(
          "Expected NAME,IDENTIFIER,SECRET. For other columns, add a first line with their titles: \(Column.list).",
          ko: "NAME,IDENTIFIER,SECRET이 필요합니다. 열이 다르면 첫 줄에 제목을 쓰세요: \(Column.list)."))
    }
    let used = [name] + credentials
    guard used.joined().unicodeScalars.allSatisfy(\.isPrintable) else {
      throw problem(
        LocalizedText("It contains invisible characters.", ko: "보이지 않는 문자가 있습니다."))
    }
    guard credentials.joined().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw problem(
        LocalizedText(
          "Identifiers and secrets may only contain printable ASCII characters.",
          ko: "식별자와 시크릿에는 ASCII 문자, 숫자, 기호만 쓸 수 있습니다."))
    }
    return VendorRequest(name: name, identifier: value(.identifier), secret: value(.secret))
  }

  /// Throws if the name or the identifier occurred before: equal names would be one vendor, and an identifier must identify
  /// one.
  private static func check(
    _ vendor: VendorRequest, line: Int, lines: inout [String: Int], problem: (LocalizedText) -> CommandError
  ) throws {
    let identifier = vendor.identifier?.lowercased()
    if identifier == EmbeddedMarket.demoVendor.identifier {
      throw problem(
        LocalizedText("The identifier is that of the sample market.", ko: "예시 마켓의 식별자입니다."))
    }
    if EmbeddedMarket.isSampleVendor(named: vendor.name) {
      throw problem(
        LocalizedText(
          "\(.foreign(vendor.name)) is a vendor of the sample market. Use another name.",
          ko: "\(.foreign(vendor.name), .topic) 예시 마켓의 판매자입니다. 다른 이름을 쓰세요."))
    }
    for (key, text) in [("name", vendor.name), ("identifier", identifier ?? "")] where !text.isEmpty {
      if let earlier = lines.updateValue(line, forKey: key + ":" + text) {
        throw problem(
          LocalizedText(
            "\(.foreign(text)) is also in line \(earlier). Names and identifiers must be unique.",
            ko: "\(.foreign(text), .subject) \(earlier)번째 줄에도 있습니다. 이름과 식별자는 서로 달라야 합니다."))
      }
    }
  }
}

/// A column of the list of vendors.
private enum Column: CaseIterable {
  case name
  case identifier
  case secret

  /// The first title of each column.
  static let list = "name(이름), identifier(식별자), secret(시크릿)"

  /// The titles, as `ColumnTitles` compares them.
  var titles: Set<String> {
    switch self {
    case .name:
      ["이름", "성명", "성함", "판매자", "학생", "학생명", "팀", "팀명", "닉네임", "name", "vendor", "student", "team", "nickname"]
    case .identifier: ["식별자", "아이디", "identifier", "id", "userid", "username", "login"]
    case .secret: ["시크릿", "비밀번호", "암호", "비번", "secret", "password"]
    }
  }

  /// Endings of titles, such as `학생 이름` and `Student name`.
  var endings: [String] { self == .name ? ["이름", "성명", "name"] : [] }
}

/// The titles in the first line of a list.
private struct ColumnTitles {
  private let titles: [String]
  private let found: [Column?]

  /// Titles of columns that lists of a class have and that are not used.
  private static let others: Set<String> = [
    "#", "no", "nr", "number", "번호", "순번", "연번", "출석번호", "학번", "반", "학년", "학교", "학과", "소속", "성별", "비고", "메모",
    "class", "grade", "school", "gender", "note", "notes", "memo", "remark", "email", "mail", "emailaddress", "이메일",
    "이메일주소",
    "메일", "메일주소", "전자우편", "phone", "phonenumber", "tel", "mobile", "전화", "전화번호", "연락처", "휴대폰", "휴대전화", "github",
    "date", "timestamp", "타임스탬프", "생년월일",
  ]

  /// Creates the titles, or returns `nil` if no cell of the line is one.
  init?(_ cells: [String]) {
    titles = cells.map(\.trimmed)
    let plain = titles.map(ColumnTitles.plain)
    found = plain.map { title in
      Column.allCases.first { $0.titles.contains(title) }
        ?? Column.allCases.first { column in column.endings.contains { title.hasSuffix($0) } }
    }
    guard found.contains(where: { $0 != nil }) || plain.contains(where: ColumnTitles.others.contains) else {
      return nil
    }
  }

  /// Returns a title in lower case, without spaces, hyphens, and what is in parentheses.
  private static func plain(_ title: String) -> String {
    String(title.lowercased().prefix { $0 != "(" }.filter { !$0.isWhitespace && !"-_.:*".contains($0) })
  }

  var unused: [String] { zip(titles, found).filter { $0.1 == nil && !$0.0.isEmpty }.map(\.0) }

  /// Returns the columns, with `nil` for those that are not used.
  ///
  /// - Throws: An error of `problem` without a column of names, and if two columns are the same.
  func columns(_ problem: (LocalizedText) -> CommandError) throws -> [Column?] {
    guard found.contains(.name) else {
      let unused = unused.joined(separator: ", ")
      throw problem(
        LocalizedText(
          "None of the titles is name: \(.foreign(titles.joined(separator: ", "))). Not known: \(.foreign(unused)); the titles are \(Column.list).",
          ko:
            "이름 열의 제목이 없습니다: \(.foreign(titles.joined(separator: ", "))). 모르는 제목: \(.foreign(unused)). 쓸 수 있는 제목: \(Column.list)."
        ))
    }
    for column in Column.allCases where found.count(where: { $0 == column }) > 1 {
      let same = zip(titles, found).filter { $0.1 == column }.map(\.0).joined(separator: ", ")
      throw problem(
        LocalizedText(
          "Two titles are for one column: \(.foreign(same)).", ko: "같은 열의 제목이 두 개입니다: \(.foreign(same))."))
    }
    return found
  }
}
