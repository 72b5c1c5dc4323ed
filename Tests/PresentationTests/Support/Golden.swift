import Foundation
import Testing

/// A whole text kept in a file; with OPENMARKET_RECORD=1 it is written anew, and the test fails so that somebody looks.
enum Golden {
  static func check(_ actual: String, _ name: String, file: String = #filePath) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    let place = folder.appendingPathComponent("Golden/" + name + ".txt")
    if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" {
      try Data(actual.utf8).write(to: place)
      Issue.record("\(name): recorded; look at it and run again without OPENMARKET_RECORD")
    } else {
      #expect(actual == (try String(contentsOf: place, encoding: .utf8)), "\(name)")
    }
  }
}
