/// Lets a command run without its data, and without its words when nobody is to hear them.
struct MutedConsole: Console {
  let console: any Console
  let keepsWords: Bool

  var outputIsTerminal: Bool { console.outputIsTerminal }
  var errorIsTerminal: Bool { console.errorIsTerminal }
  var width: Int? { console.width }

  func data(_ text: String) throws {}

  func say(_ text: String) {
    if keepsWords { console.say(text) }
  }

  func status(_ text: String?) { console.status(text) }
}
