import Platform
import Shell
import Synchronization

/// A console that stores data and messages in order, with messages marked.
final class BufferConsole: Console {
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool
  let width: Int?
  let height: Int?
  private let written = Mutex("")

  init(isTerminal: Bool = false, width: Int? = nil, height: Int? = nil) {
    outputIsTerminal = isTerminal
    errorIsTerminal = isTerminal
    self.width = width
    self.height = height
  }

  func writeOutput(_ text: String) throws { written.withLock { $0 += text } }

  /// Adds a message, each line of which is marked with `! `.
  func writeMessage(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = text.hasSuffix("\n") ? lines.dropLast() : lines
    written.withLock { $0 += body.map { "! " + $0 + "\n" }.joined() }
  }

  /// Returns the output since the last call.
  func take() -> String {
    written.withLock { text in
      defer { text = "" }
      return text
    }
  }
}
