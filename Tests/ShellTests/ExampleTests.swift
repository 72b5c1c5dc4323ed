import Foundation
import LineEditing
import Shell
import Testing

/// The scripts in `Examples` do what they say, against a fresh market.
@Suite struct ExampleTests {
  @Test(arguments: ExampleTests.names) func script(_ name: String) async throws {
    try await House.visit { house in
      // The scripts name their pictures from the top of the package.
      let text = try String(contentsOfFile: ExampleTests.folder + "/" + name, encoding: .utf8)
        .replacing("Examples/", with: ExampleTests.folder + "/")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Input.line(String($0)) }
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
