import Platform
import Presentation

/// A console whose standard error is one JSON object a line, for `--errors json`.
///
/// Messages arrive as JSON (``MessageJSON``); everything else that is written to standard error, such as a preview, becomes the
/// text of an object. Transient lines are not shown.
package struct JSONMessageConsole: Console {
  private let console: any Console

  package init(_ console: any Console) { self.console = console }

  package var outputIsTerminal: Bool { console.outputIsTerminal }
  package var errorIsTerminal: Bool { false }
  package var width: Int? { console.width }
  package var height: Int? { console.height }
  package var cellPixelSize: CellSize { console.cellPixelSize }
  package var supportsHyperlinks: Bool { console.supportsHyperlinks }

  package func writeOutput(_ text: String) throws { try console.writeOutput(text) }
  package func writeOutput(_ bytes: [UInt8]) throws { try console.writeOutput(bytes) }

  package func writeMessage(_ text: String) {
    var lines = ""
    var rest: [Substring] = []
    func endText() {
      let text = rest.joined(separator: "\n")
      if !text.isEmpty { lines += MessageJSON.line(text: text).dropFirst() }
      rest = []
    }
    for line in text.split(separator: "\n") {
      guard line.first == MessageJSON.separator else {
        rest.append(line)
        continue
      }
      endText()
      lines += line.dropFirst() + "\n"
    }
    endText()
    if !lines.isEmpty { console.writeMessage(lines) }
  }
}
