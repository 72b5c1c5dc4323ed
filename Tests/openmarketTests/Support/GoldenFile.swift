import Foundation
import Testing

/// A text that is kept in a file beside the tests and compared whole.
///
/// With OPENMARKET_RECORD=1 the file is written anew and the test fails, so that nobody forgets to look.
struct GoldenFile {
  private let path: String

  init(_ name: String, beside file: String) {
    path = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name).txt").path
  }

  /// Nil while it is written anew.
  var kept: String? { Self.isRecording ? nil : try? String(contentsOfFile: path, encoding: .utf8) }

  private static var isRecording: Bool { ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" }

  /// - Parameter mark: what an entry begins with; then entry is compared with entry, so that a failure shows the one that
  ///   differs.
  func check(_ text: String, entriesBegin mark: String? = nil) throws {
    if Self.isRecording {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded; look at it and run again without OPENMARKET_RECORD")
      return
    }
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    let expected = mark.map { kept.components(separatedBy: "\n\n" + $0) } ?? [kept]
    let actual = mark.map { text.components(separatedBy: "\n\n" + $0) } ?? [text]
    #expect(actual.count == expected.count)
    for (one, other) in zip(actual, expected) { #expect(one == other) }
  }
}
