import Platform

/// A console that writes the output of commands as comments of the Test Anything Protocol.
package struct TAPConsole: Console {
  private let console: any Console

  package init(_ console: any Console) { self.console = console }

  package var outputIsTerminal: Bool { false }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// Writes the text.
  ///
  /// Commands don't see a terminal, but standard output may be one, so the text is sanitized.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try console.writeSanitizedOutput(TAP.comment(text)) }

  /// Writes bytes as a TAP comment, or their number if they are not UTF-8.
  ///
  /// - Throws: `OutputError`.
  package func writeOutput(_ bytes: [UInt8]) throws {
    try writeOutput(String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes)")
  }
  package func writeMessage(_ text: String) { console.writeMessage(text) }
  package func showStatus(_ text: String?) { console.showStatus(text) }
}
