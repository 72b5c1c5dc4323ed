import Foundation
import Pacing
import Testing

/// The pictures in README show the output of `Examples/screenshots.market`.
///
/// With OPENMARKET_RECORD=1 they are drawn again, and the test fails as a reminder to review them.
@Suite(.timeLimit(Trial.limit)) struct ScreenshotTests {
  private static let columns = 92

  @Test func thePicturesInREADMEAreWhatTheProgramPrints() async throws {
    let script = try String(contentsOfFile: ExampleTests.folder + "/screenshots.market", encoding: .utf8)
    let readme = try String(contentsOfFile: ExampleTests.folder + "/../README.md", encoding: .utf8)
    try await House.visit(width: ScreenshotTests.columns) { house in
      for (index, line) in script.split(separator: "\n").filter({ !$0.hasPrefix("#") }).enumerated() {
        let shown = await house.say(String(line))
        let screen = "\u{1B}[36mdemo@15\u{1B}[0m> \(line)\n" + shown
        let name = "screenshots/\(index + 1).svg"
        try Golden(name, in: ExampleTests.folder).check(
          ScreenPicture(screen.trimmingNewlines, columns: ScreenshotTests.columns).svg)
        #expect(readme.contains("Examples/" + name), "README shows \(name)")
      }
    }
  }
}

extension String {
  fileprivate var trimmingNewlines: String { trimmingCharacters(in: .newlines) }
}
