import Foundation
import Testing

/// Screens of a conversation compared whole with a file, each under a title.
struct ScreenBook {
  private let file: GoldenFile
  private var text = ""

  init(_ name: String, file: String = #filePath) {
    self.file = GoldenFile(name, beside: file)
  }

  /// Adds a screen; what differs from run to run (times, ports, this run's folders) is written as a mark of its own.
  mutating func add(_ title: String, _ screen: String, hiding: [String: String] = [:]) {
    var screen = screen
    for (word, name) in hiding { screen = screen.replacing(word, with: name) }
    screen = screen.replacing(#/\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?/#) {
      String($0.0.map { $0.isNumber ? "0" : $0 })
    }
    screen = screen.replacing(#/http://127\.0\.0\.1:\d+\S*/#, with: "URL")
    screen = screen.replacing(#//\d{8}/[0-9a-f]{32}_/#, with: "/DAY/PICTURE_")
    screen = screen.replacing(#/-> \d+(\.\d+)? KB, \d+x\d+/#, with: "-> NNN KB, WxH")
    screen = screen.replacing(#/2 \(\d+ KB, \d+ B\)/#, with: "2 (NNN KB, NNN B)")
    text += "== \(title)\n\(screen)\n\n"
  }

  func check() throws { try file.check(text, entriesBegin: "== ") }
}
