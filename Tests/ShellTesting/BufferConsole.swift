import Platform
import Shell
import Synchronization

/// A console that stores data and messages in order, with messages marked.
package final class BufferConsole: Console {
  package let outputIsTerminal: Bool
  package let errorIsTerminal: Bool
  package let width: Int?
  package let height: Int?
  private let written = Mutex("")

  package init(isTerminal: Bool = false, width: Int? = nil, height: Int? = nil) {
    outputIsTerminal = isTerminal
    errorIsTerminal = isTerminal
    self.width = width
    self.height = height
  }

  package func writeOutput(_ text: String) throws { written.withLock { $0 += text } }

  /// Adds a message, each line of which is marked with `! `.
  package func writeMessage(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = text.hasSuffix("\n") ? lines.dropLast() : lines
    written.withLock { $0 += body.map { "! " + $0 + "\n" }.joined() }
  }

  /// Returns the output since the last call.
  package func take() -> String {
    written.withLock { text in
      defer { text = "" }
      return text
    }
  }
}
