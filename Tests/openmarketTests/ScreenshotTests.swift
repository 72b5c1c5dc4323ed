import Foundation
import TerminalTesting
import TestSupport
import Testing

/// The test that makes the animated image of README from a session on a pseudo-terminal, whose keys are in
/// `Golden/tour.keys`.
///
/// With `OPENMARKET_RECORD=1` the image is written again, and the test fails so that it is looked at.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ScreenshotTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let size = (columns: 80, rows: 24)

  @Test func readmeImageEqualsASession() throws {
    let home = try TemporaryHome()
    try FileManager.default.createDirectory(
      atPath: home.path + "/home/configuration", withIntermediateDirectories: true)
    _ = try home.file("home/configuration/settings.market", "set tips off\n")
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, columns: Self.size.columns, rows: Self.size.rows)
    var image = AnimatedScreen(columns: Self.size.columns, rows: Self.size.rows)
    image.add(shell.program.screen.cells, seconds: 1)
    for line in try Golden("tour.keys").text().split(separator: "\n") where !line.hasPrefix("#") {
      let before = shell.program.screen
      let start = shell.program.output.count
      try shell.type(line + "\r")
      try shell.program.wait("the prompt or a question after \(line)") { program in
        guard program.readsKeys else { return false }
        if program.screen.row.hasSuffix("]") { return program.screen.cursor.row > before.cursor.row }
        return program.screen.row == shell.prompt
          && program.output.dropFirst(start).firstRange(of: TerminalProgram.pasteOn) != nil
      }
      let after = shell.program.screen.cells
      var typed = before.cells
      typed[before.cursor.row] = after[before.cursor.row]
      let end = before.cursor.column + line.unicodeScalars.count
      image.add(
        typed, typing: .init(row: before.cursor.row, from: before.cursor.column, to: end),
        seconds: 0.6 + 0.05 * Double(line.count))
      image.add(after, seconds: line == "y" ? 2.5 : 3)
    }
    #expect(try shell.leave() == 0)
    try Golden("Examples/screenshots/tour.svg", in: Self.root.path).check(image.svg)
  }
}
