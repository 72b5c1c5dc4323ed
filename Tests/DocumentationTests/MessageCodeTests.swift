import Foundation
import Presentation
import Testing

/// The codes in the Language article.
struct MessageCodeTests {
  /// Every code is listed once, and no other.
  @Test func articleListsEveryCode() throws {
    let path =
      #filePath.prefix(upTo: #filePath.range(of: "/Tests/")!.lowerBound)
      + "/Sources/CommandLanguage/CommandLanguage.docc/Language.md"
    let text = try String(contentsOfFile: String(path), encoding: .utf8)
    let table = text.split(separator: "\n").drop { $0 != "| exit | codes |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let listed = table.flatMap { $0.matches(of: /`([a-z-]+)`/).map { String($0.1) } }
    #expect(listed.sorted() == MessageCode.allCases.map(\.rawValue).sorted())
  }
}
