import Foundation
import Testing

/// A text kept in a file and compared whole; with OPENMARKET_RECORD=1 written anew, and the test fails.
struct Golden {
  private let path: String
  private let name: String

  init(_ name: String, file: String = #filePath) {
    self.name = name
    path = (file as NSString).deletingLastPathComponent + "/Golden/" + name + ".txt"
  }

  func check(_ actual: String) throws {
    if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" {
      try actual.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("\(name): recorded; look at it and run again without OPENMARKET_RECORD")
      return
    }
    let expected = try String(contentsOfFile: path, encoding: .utf8)
    #expect(actual == expected, "\(name)")
  }
}
