/// Lets a command run without its data, and without its words when nobody is to hear them.
package struct MutedConsole: Console {
  package let console: any Console
  package let keepsWords: Bool

  package init(console: any Console, keepsWords: Bool) {
    self.console = console
    self.keepsWords = keepsWords
  }

  package var outputIsTerminal: Bool { console.outputIsTerminal }
  package var errorIsTerminal: Bool { console.errorIsTerminal }
  package var width: Int? { console.width }

  package func data(_ text: String) throws {}

  package func say(_ text: String) {
    if keepsWords { console.say(text) }
  }

  package func status(_ text: String?) { console.status(text) }
}
