import Foundation
import Testing

/// Files kept beside the tests. `OPENMARKET_RECORD=1` writes the golden ones anew and fails the run.
enum Golden {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  static func capture(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: "Captures/\(name)"))
  }

  static func compare(_ text: String, with name: String) throws {
    let file = folder.appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name)")
      return
    }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }
}
