/// A console that discards data, and messages too unless `forwardsMessages` is set.
package struct MutedConsole: Console {
  package let console: any Console
  package let forwardsMessages: Bool

  package init(console: any Console, forwardsMessages: Bool) {
    self.console = console
    self.forwardsMessages = forwardsMessages
  }

  package var outputIsTerminal: Bool { console.outputIsTerminal }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  /// Discards the data.
  package func writeOutput(_ text: String) throws {}

  package func writeMessage(_ text: String) {
    if forwardsMessages { console.writeMessage(text) }
  }

  package func showStatus(_ text: String?) { console.showStatus(text) }
}
