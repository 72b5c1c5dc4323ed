import Foundation
import Testing

/// Runs of the program compared whole with a file: the command line, its exit code, standard output, standard error and
/// the requests a server saw.
///
/// With OPENMARKET_RECORD=1 the file is written anew and the test fails, so that nobody forgets to look.
struct RunTable {
  private let path: String
  private var text = ""

  init(_ name: String, file: String = #filePath) {
    let tests = URL(filePath: file).deletingLastPathComponent()
    path = tests.appending(path: "Golden/\(name).txt").path
  }

  /// Adds a run; `hiding` names what differs from run to run.
  mutating func add(
    _ title: String, _ result: PipedProgram.Result, requests: [RecordingServer.Request]? = nil,
    hiding: [String: String] = [:]
  ) {
    var entry = "$ \(title)\n= \(result.code)\n"
    for (mark, stream) in [("", result.out), ("! ", result.err)] where !stream.isEmpty {
      #expect(!stream.contains("\u{1B}"), "\(title): an escape code though there is no terminal")
      var lines = stream.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.last == "" { lines.removeLast() } else { lines.append("(no newline at the end)") }
      entry += lines.map { mark + $0 + "\n" }.joined()
    }
    for request in requests ?? [] { entry += "> \(request.line)\n" }
    for (word, name) in hiding { entry = entry.replacing(word, with: name) }
    text += entry + "\n"
  }

  func check() throws {
    if ProcessInfo.processInfo.environment["OPENMARKET_RECORD"] == "1" {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded; look at it and run again without OPENMARKET_RECORD")
      return
    }
    let expected = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n\n$ ")
    let actual = text.components(separatedBy: "\n\n$ ")
    #expect(actual.count == expected.count)
    for (one, other) in zip(actual, expected) { #expect(one == other) }
  }
}
