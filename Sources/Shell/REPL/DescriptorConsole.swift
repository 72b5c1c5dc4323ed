import Foundation
import LineEditing
import Platform
import Text

/// A console that writes to the process's standard output and standard error.
package struct DescriptorConsole: Console {
  private let output: Int32
  private let error: Int32
  package let outputIsTerminal: Bool
  package let errorIsTerminal: Bool
  package let supportsHyperlinks: Bool
  private let statusLine: StatusLine?

  package init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
    self.output = output
    self.error = error
    outputIsTerminal = isatty(output) == 1
    errorIsTerminal = isatty(error) == 1
    supportsHyperlinks = outputIsTerminal && TerminalFeatures.known.hasLinks
    statusLine = errorIsTerminal && TerminalKind.movesCursor ? StatusLine(error) : nil
  }

  package var width: Int? {
    guard outputIsTerminal || errorIsTerminal else { return nil }
    return size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } ?? 80
  }

  package var height: Int? {
    guard outputIsTerminal, let rows = size?.ws_row, rows > 0 else { return nil }
    return Int(rows)
  }

  package var cellPixelSize: CellSize {
    guard let size, size.ws_col > 0, size.ws_row > 0, size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return .default }
    return .init(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
  }

  private var size: winsize? {
    var size = winsize()
    return ioctl(outputIsTerminal ? output : error, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// Writes text to the output descriptor.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try writeOutput(Array(text.utf8)) }

  /// Writes bytes to the output descriptor, after the status line is cleared.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ bytes: [UInt8]) throws {
    guard outputIsTerminal, let statusLine else { return try Descriptor.write(bytes, to: output) }
    try statusLine.withClearedLine { try Descriptor.write(bytes, to: output) }
  }

  package func writeMessage(_ text: String) {
    func write() {
      // An error of the error output can't be reported.
      do { try Descriptor.write(text, to: error) } catch { TerminalHangup.raiseIfNeeded(self.error) }
    }
    if let statusLine { statusLine.withClearedLine(write) } else { write() }
  }

  package func showStatus(_ text: String?) { statusLine?.show(text) }

  package func showUpload(_ text: String?) { statusLine?.showUpload(text, width: width) }

  package func showSpinner(_ frame: String?) { statusLine?.showSpinner(frame) }
}
