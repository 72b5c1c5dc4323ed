import Foundation
import Pacing
import Testing

/// Runs of the program compared whole with a file: the command line, its exit code, standard output, standard error and
/// the requests a server saw.
struct RunTable {
  private let file: Golden
  private var text = ""

  init(_ name: String, file: String = #filePath) {
    self.file = Golden(name, file: file)
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

  func check() throws { try file.check(text) }
}
