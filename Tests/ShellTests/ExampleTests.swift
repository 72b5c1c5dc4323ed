import EmbeddedMarket
import Foundation
import LineEditing
import Marketplace
import Shell
import Testing

/// The scripts in `Examples` do what they say, against a fresh market of every edition.
@Suite struct ExampleTests {
  @Test(arguments: ExampleTests.names, Edition.allCases) func script(_ name: String, _ edition: Edition) async throws {
    var options = StartOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await House.visit(options: options, edition: served) { house in
      // The scripts name their files from the top of the package.
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

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".market") }.sorted()
}
