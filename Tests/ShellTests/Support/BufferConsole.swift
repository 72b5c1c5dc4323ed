import Platform
import Shell
import Synchronization

/// A console that keeps what is written, data and words told apart by a mark, in the order they came.
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

  func data(_ text: String) throws { written.withLock { $0 += text } }

  /// Words for a person are marked with `! ` at the beginning of each line.
  func say(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let body = text.hasSuffix("\n") ? lines.dropLast() : lines
    written.withLock { $0 += body.map { "! " + $0 + "\n" }.joined() }
  }

  /// What was written since the last call.
  func take() -> String {
    written.withLock { text in
      defer { text = "" }
      return text
    }
  }
}
