import EmbeddedMarket
import Platform
import ShellRuntime
import Text

/// The vendors of `serve --vendors`: a number, or a file with one vendor on each line.
///
/// A line is `NAME`, `NAME,IDENTIFIER` or `NAME,IDENTIFIER,SECRET`. Missing parts are generated and stored with the
/// market's data. Empty lines and lines that begin with `#` are ignored.
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
      let rows = try VendorList.read(text).lines.enumerated().map { ($0.offset + 1, $0.element.trimmed) }
      vendors = try rows.filter { !$0.1.isEmpty && !$0.1.hasPrefix("#") }.map { number, row in
        try VendorList.vendor(row) { problem in
          CommandLineError.failure(
            "\(.value(text)), line \(number): \(problem.english)",
            ko: "\(.value(text)), \(number)번째 줄: \(problem.korean)")
        }
      }
    }
    try check()
  }

  private static func read(_ path: String) throws -> String {
    guard let bytes = try? Files.read(path), let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandLineError.failure(
        "\(.command("--vendors")) must be a number or a readable file, not \(.value(path)).",
        ko: "\(.command("--vendors"))에는 수나 읽을 수 있는 파일을 쓰세요. 쓸 수 없는 값: \(.value(path)).")
    }
    return text
  }

  private static func vendor(_ row: String, _ problem: (LocalizedText) -> CommandError) throws -> VendorRequest {
    let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard (1...3).contains(cells.count), !cells[0].isEmpty else {
      throw problem(
        LocalizedText("Expected NAME,IDENTIFIER,SECRET.", ko: "NAME,IDENTIFIER,SECRET이 필요합니다."))
    }
    guard row.unicodeScalars.allSatisfy(\.isPrintable) else {
      throw problem(
        LocalizedText("It contains invisible characters.", ko: "보이지 않는 문자가 있습니다."))
    }
    let rest = cells.dropFirst().map { $0.isEmpty ? nil : $0 }
    guard rest.compactMap({ $0 }).joined().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw problem(
        LocalizedText(
          "Identifiers and secrets may only contain printable ASCII characters.",
          ko: "식별자와 시크릿에는 ASCII 문자, 숫자, 기호만 쓸 수 있습니다."))
    }
    return VendorRequest(name: cells[0], identifier: rest.first ?? nil, secret: rest.count > 1 ? rest.last ?? nil : nil)
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
