import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Screens of a session that are compared with a file, each with a title.
struct ScreenBook {
  private let file: Golden
  private var text = ""
  /// The expected screens by title.
  private let expected: [String: String]

  init(_ name: String, file: String = #filePath) {
    self.file = Golden(name, file: file)
    var expected: [String: String] = [:]
    for entry in self.file.kept?.dropFirst(3).split(separator: "\n\n== ") ?? [] {
      let parts = entry.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      var screen = parts.count > 1 ? String(parts[1]) : ""
      while screen.last == "\n" { screen.removeLast() }
      expected[String(parts[0])] = screen
    }
    self.expected = expected
  }

  /// Adds the screen when it equals the expected one, because it may be drawn partly before, or at the time limit as it
  /// is.
  mutating func add(_ title: String, of program: TerminalProgram, _ look: (Screen) -> String = \.text) {
    if let wanted = expected[title] {
      try? program.wait(title) { Self.lasting(look($0.screen)) == wanted }
    } else {
      program.settle()
    }
    add(title, look(program.screen))
  }

  /// Adds a screen.
  ///
  /// Text that differs between runs (times, ports, temporary folders) is replaced by a mark.
  mutating func add(_ title: String, _ screen: String) {
    text += "== \(title)\n\(Self.lasting(screen))\n\n"
  }

  private static func lasting(_ screen: String) -> String {
    var screen = screen
    screen = screen.replacing(#/\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?/#) {
      String($0.0.map { $0.isNumber ? "0" : $0 })
    }
    screen = screen.replacing(#/http://127\.0\.0\.1:\d+\S*/#, with: "URL")
    // The prompt contains the port, which is replaced by one of the same width, so that columns don't move; free ports have
    // five digits.
    screen = screen.replacing(#/127\.0\.0\.1:\d{5}/#, with: "127.0.0.1:00000")
    screen = screen.replacing(#//\d{8}/[0-9a-f]{32}_/#, with: "/DAY/PICTURE_")
    screen = screen.replacing(#/Market-Generation: \S+/#, with: "Market-Generation: GENERATION")
    screen = screen.replacing(#/-> \d+(\.\d+)? KB, \d+x\d+/#, with: "-> NNN KB, WxH")
    return screen.replacing(#/2 \(\d+ KB, \d+ B\)/#, with: "2 (NNN KB, NNN B)")
  }

  func check() throws { try file.check(text) }
}
