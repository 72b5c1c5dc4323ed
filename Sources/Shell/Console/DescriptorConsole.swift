import Foundation

/// Standard output and standard error of the process.
package struct DescriptorConsole: Console {
  private let output: Int32
  private let error: Int32
  package let outputIsTerminal: Bool
  package let errorIsTerminal: Bool

  package init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
    self.output = output
    self.error = error
    outputIsTerminal = isatty(output) == 1
    errorIsTerminal = isatty(error) == 1
  }

  package var width: Int? {
    guard outputIsTerminal || errorIsTerminal else { return nil }
    var size = winsize()
    guard ioctl(outputIsTerminal ? output : error, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  package func data(_ text: String) throws { try Descriptor.write(text, to: output) }
  // Nothing can be said about words that cannot be said.
  package func say(_ text: String) { try? Descriptor.write(text, to: error) }
}
