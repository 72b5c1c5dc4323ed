import EmbeddedMarket
import Engine
import Foundation
import LineEditing
import Marketplace
import Pacing
import Platform
import Shell
import Testing

/// Each script in `Examples` succeeds with a fresh market of every edition, or of those in a line `# Editions:
/// training, open`.
@Suite(.timeLimit(Trial.limit)) struct ExampleTests {
  @Test(arguments: ExampleTests.all) func script(_ name: String, _ edition: Edition) async throws {
    var options = StartOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await House.visit(options: options, edition: served) { house in
      // The scripts name their files relative to the package.
      let text = try String(contentsOfFile: ExampleTests.folder + "/" + name, encoding: .utf8)
        .replacing("Examples/", with: ExampleTests.folder + "/")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Input.line(String($0)) }
      var reading = Script.Manner()
      reading.checksOnly = true
      #expect(await Script(house.shell, reading).run(lines, named: name) == .success, "\(house.console.take())")
      let code = await Script(house.shell, Script.Manner()).run(lines, named: name)
      #expect(code == .success, "\(name): \(house.console.take())")
    }
  }

  static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Examples"

  static let all: [(String, Edition)] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".market") }.sorted().flatMap { name in editions(of: name).map { (name, $0) } }
  }()

  private static func editions(of name: String) -> [Edition] {
    let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
    guard let named = text.firstMatch(of: /\n# Editions: ([a-z0-9, ]+)/)?.1 else { return Edition.allCases }
    let words = named.split { $0 == "," || $0 == " " }
    return Edition.allCases.filter { words.contains(Substring($0.rawValue)) }
  }
}
