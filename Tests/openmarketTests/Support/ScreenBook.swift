import Foundation
import Testing

/// Screens of a conversation compared whole with a file, each under a title.
///
/// With OPENMARKET_RECORD=1 the file is written anew and the test fails, so that nobody forgets to look.
struct ScreenBook {
  private let path: String
  private var text = ""

  init(_ name: String, file: String = #filePath) {
    let tests = URL(filePath: file).deletingLastPathComponent()
    path = tests.appending(path: "Golden/\(name).txt").path
  }

  /// Adds a screen; what differs from run to run (times, ports, this run's folders) is written as a mark of its own.
  mutating func add(_ title: String, _ screen: String, hiding: [String: String] = [:]) {
    var screen = screen
    for (word, name) in hiding { screen = screen.replacing(word, with: name) }
    screen = screen.replacing(#/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?/#) { String($0.0.map { $0.isNumber ? "0" : $0 }) }
    screen = screen.replacing(#/http://127\.0\.0\.1:\d+/\S*/#, with: "URL")
    screen = screen.replacing(#//\d{8}/[0-9a-f]{32}_/#, with: "/DAY/PICTURE_")
    screen = screen.replacing(#/-> \d+(\.\d+)? KB, \d+x\d+/#, with: "-> NNN KB, WxH")
    screen = screen.replacing(#/2 \(\d+ KB, \d+ B\)/#, with: "2 (NNN KB, NNN B)")
    text += "== \(title)\n\(screen)\n\n"
  }

  func check() throws {
    if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded; look at it and run again without OPENMARKET_RECORD")
      return
    }
    let expected = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n\n== ")
    let actual = text.components(separatedBy: "\n\n== ")
    #expect(actual.count == expected.count)
    for (one, other) in zip(actual, expected) { #expect(one == other) }
  }
}
