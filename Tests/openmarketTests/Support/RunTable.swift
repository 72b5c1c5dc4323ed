import Foundation
import TestSupport
import Testing

/// Runs of the program that are compared with a file: the command line, its exit code, standard output, standard error,
/// and the requests that a server received.
struct RunTable {
  private let file: Golden
  private var text = ""

  init(_ name: String, file: String = #filePath) {
    self.file = Golden(name, file: file)
  }

  /// Adds a run.
  ///
  /// `hiding` replaces text that differs between runs.
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
    var last = ""
    for request in requests ?? [] {
      // On a busy machine a product is read again before a write, because the first read is too old.
      if request.line != last || !request.line.hasPrefix("GET ") { entry += "> \(request.line)\n" }
      last = request.line
    }
    for (word, name) in hiding { entry = entry.replacing(word, with: name) }
    entry = entry.replacing(#/\(rw\) 127\.0\.0\.1:\d+/#, with: "(rw) 127.0.0.1:PORT")
    text += entry + "\n"
  }

  func check() throws { try file.check(text) }
}
