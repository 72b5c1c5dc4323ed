import Platform
import Presentation

/// Standard output as the Test Anything Protocol wants it: what commands print becomes remarks.
package struct TAPConsole: Console {
  private let console: any Console

  package init(_ console: any Console) { self.console = console }

  package var outputIsTerminal: Bool { false }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// What is no terminal to the commands may be one all the same.
  package func data(_ text: String) throws { try console.unrendered(TAP.remark(text)) }
  package func say(_ text: String) { console.say(text) }
  package func status(_ text: String?) { console.status(text) }
}
