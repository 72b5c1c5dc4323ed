import Catalog
import Failures
import Platform
import Presentation
import Text

extension Context {
  /// Says something beside the data, on standard error.
  package func say(_ message: Message, _ session: Session) {
    console.say(MessageRenderer().render(message, messageOptions(session)))
  }

  /// Says why a command failed, unless all has been said, and gives its exit code.
  package func tell(_ error: any Error, _ session: Session) -> ExitStatus {
    if let silent = error as? SilentFailure { return silent.code }
    if let output = error as? OutputError, output == .closed { return .success }
    let failure = Failure(describing: error)
    say(failure.message, session)
    return failure.code
  }

  /// Says words that are no message: a greeting, a tip.
  package func tell(_ words: LocalizedText, _ session: Session) {
    console.say(TerminalRenderer().render(.drawing(paragraphs(words, session)), messageOptions(session)))
  }

  private func paragraphs(_ words: LocalizedText, _ session: Session) -> Drawing {
    let options = messageOptions(session)
    return Drawing(
      Drawing.paragraph(words[session.settings.tongue], width: options.width ?? 80, options), table: Table([], rows: [])
    )
  }

  /// How words for a person are drawn on standard error.
  package func messageOptions(_ session: Session) -> RenderOptions {
    options(session, isTerminal: console.errorIsTerminal)
  }

  /// How data is drawn on standard output.
  package func dataOptions(_ session: Session) -> RenderOptions {
    options(session, isTerminal: console.outputIsTerminal)
  }

  private func options(_ session: Session, isTerminal: Bool) -> RenderOptions {
    RenderOptions(
      tongue: session.settings.tongue, width: console.width, colors: session.settings.colors && isTerminal,
      ascii: session.settings.ascii, ambiguousWide: session.settings.ambiguousWide, isTerminal: isTerminal,
      hasLinks: session.settings.colors && isTerminal && console.takesLinks)
  }
}

extension Context {
  /// Says where in a script a failing line stands; nothing for a single `-c` line, which is in plain sight.
  package func sayPlace(of line: String?, at number: Int, in name: String, _ session: Session) {
    guard name != "-c" else { return }
    let korean = name == "standard input" ? "표준 입력" : name
    guard let line else {
      say(.note("\(.value(name)), line \(number)", ko: "\(.value(korean)) \(number)번째 줄"), session)
      return
    }
    say(
      .note(
        "\(.value(name)), line \(number): \(.command(line))",
        ko: "\(.value(korean)) \(number)번째 줄: \(.command(line))"),
      session)
  }
}
