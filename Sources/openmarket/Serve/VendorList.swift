import EmbeddedMarket
import Platform
import Presentation
import ShellRuntime
import Text

/// The vendors of `serve --vendors`: a number, or a file with one vendor on each line.
///
/// A line is `NAME`, `NAME,IDENTIFIER` or `NAME,IDENTIFIER,SECRET`, or has the columns that a first line names. Missing
/// parts are generated and stored with the market's data. Empty lines and lines that begin with `#` are ignored.
///
/// The file is CSV as spreadsheets write it: with quotes, a byte order mark, `;` or tabs as separators, in UTF-8,
/// UTF-16 or the Korean code page.
struct VendorList {
  static let maximumCount = 500

  let vendors: [VendorRequest]

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
      vendors = try VendorList.vendors(VendorList.read(text), file: text)
    }
    try check()
  }

  private static func read(_ path: String) throws -> String {
    guard let bytes = try? Files.read(path) else {
      throw CommandLineError.failure(
        "\(.command("--vendors")) must be a number or a readable file, not \(.value(path)).",
        ko: "\(.command("--vendors"))에는 수나 읽을 수 있는 파일을 쓰세요. 쓸 수 없는 값: \(.value(path)).")
    }
    guard let text = DecodedText(bytes)?.text else {
      throw CommandLineError.failure(
        "\(.value(path)) is not a text file. In a spreadsheet, save it as CSV UTF-8.",
        ko: "\(.value(path), .topic) 텍스트 파일이 아닙니다. 스프레드시트에서 CSV UTF-8로 저장하세요.")
    }
    return text
  }

  private static func vendors(_ text: String, file path: String) throws -> [VendorRequest] {
    let withoutComments = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.hasPrefix("#") ? "" : $0 }.joined(separator: "\n")
    func problem(_ problem: LocalizedText, _ line: Int) -> CommandError {
      CommandLineError.failure(
        "\(.value(path)), line \(line): \(problem.english)", ko: "\(.value(path)), \(line)번째 줄: \(problem.korean)")
    }
    var rows: [CSVReader.Row]
    do {
      rows = try CSVReader.rows(of: withoutComments)
    } catch {
      throw problem(LocalizedText("\(error.message.english).", ko: "\(error.message.korean)."), error.line)
    }
    var columns = Column.allCases
    if let first = rows.first, let named = Column.columns(first.cells.map(\.text)) {
      columns = named
      rows.removeFirst()
    }
    return try rows.filter { $0.cells.contains { !$0.text.trimmed.isEmpty } }.map { row in
      try vendor(row.cells.map(\.text.trimmed), columns) { problem($0, row.line) }
    }
  }

  private static func vendor(
    _ cells: [String], _ columns: [Column], _ problem: (LocalizedText) -> CommandError
  ) throws -> VendorRequest {
    func value(_ column: Column) -> String? {
      guard let index = columns.firstIndex(of: column), index < cells.count, !cells[index].isEmpty else { return nil }
      return cells[index]
    }
    guard cells.count <= columns.count, let name = value(.name) else {
      throw problem(
        LocalizedText("Expected NAME,IDENTIFIER,SECRET.", ko: "NAME,IDENTIFIER,SECRET이 필요합니다."))
    }
    guard cells.joined().unicodeScalars.allSatisfy(\.isPrintable) else {
      throw problem(
        LocalizedText("It contains invisible characters.", ko: "보이지 않는 문자가 있습니다."))
    }
    let credentials = [value(.identifier), value(.secret)].compactMap { $0 }
    guard credentials.joined().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw problem(
        LocalizedText(
          "Identifiers and secrets may only contain printable ASCII characters.",
          ko: "식별자와 시크릿에는 ASCII 문자, 숫자, 기호만 쓸 수 있습니다."))
    }
    return VendorRequest(name: name, identifier: value(.identifier), secret: value(.secret))
  }

  /// Throws if a name or an identifier occurs twice: equal names would be one vendor, and an identifier must identify
  /// one.
  private func check() throws {
    let identifiers = vendors.compactMap { $0.identifier?.lowercased() } + [EmbeddedMarket.demoVendor.identifier]
    guard Set(vendors.map(\.name)).count == vendors.count, Set(identifiers).count == identifiers.count else {
      throw CommandLineError.failure(
        "\(.command("--vendors")): names and identifiers must be unique.",
        ko: "\(.command("--vendors")): 이름과 식별자가 서로 달라야 합니다.")
    }
  }
}

/// A column of the list of vendors.
private enum Column: CaseIterable {
  case name
  case identifier
  case secret

  private var titles: Set<String> {
    switch self {
    case .name: ["이름", "판매자", "학생", "팀", "name", "vendor", "student", "team"]
    case .identifier: ["식별자", "아이디", "identifier", "id"]
    case .secret: ["시크릿", "비밀번호", "secret", "password"]
    }
  }

  /// Returns the columns that a first line names, or `nil` if it is not a line of titles.
  static func columns(_ cells: [String]) -> [Column]? {
    let columns = cells.map { cell in allCases.first { $0.titles.contains(cell.trimmed.lowercased()) } }
    let named = columns.compactMap { $0 }
    guard named.count == cells.count, Set(named).count == named.count, named.contains(.name) else { return nil }
    return named
  }
}
