import CommandLanguage
import Networking
import Platform
import Presentation
import Text

extension CommandScope {
  /// Prints a message on standard error.
  package func say(_ message: Message) {
    context.program.console.writeMessage(MessageRenderer().render(message, messageOptions))
  }

  /// Prints an error with its code and its exit status for programs.
  package func say(_ failure: CommandError) { say(failure.described) }

  /// Prints an error and returns its exit status.
  ///
  /// A closed output is no failure.
  package func report(_ error: any Error) -> ExitStatus {
    if let output = error as? OutputError, output == .closed { return .success }
    let failure = CommandError(describing: error)
    say(failure)
    return failure.exitStatus
  }

  /// Prints text that isn't a message: a greeting, a tip.
  package func printText(_ words: LocalizedText) {
    let options = messageOptions
    let lines = Figure.paragraph(words[session.settings.language], width: options.width ?? 80, options)
    context.program.console.writeMessage(
      TerminalRenderer().render(.drawing(Figure(lines, table: Table([], rows: []))), options))
  }

  /// The options for rendering messages on standard error.
  package var messageOptions: RenderOptions {
    var options = options(isTerminal: context.program.console.errorIsTerminal)
    options.messageFormat = session.settings.messageFormat
    return options
  }

  /// The options for rendering data on standard output.
  package var dataOptions: RenderOptions { options(isTerminal: context.program.console.outputIsTerminal) }

  private func options(isTerminal: Bool) -> RenderOptions {
    RenderOptions(
      language: session.settings.language, width: context.program.console.width,
      colors: session.settings.colors && isTerminal,
      usesASCII: session.settings.ascii, treatsAmbiguousAsWide: session.settings.treatsAmbiguousAsWide,
      isTerminal: isTerminal,
      hasLinks: session.settings.colors && isTerminal && context.program.console.supportsHyperlinks)
  }

  /// Prints the position of a failing line in a script.
  ///
  /// For a single `-c` line nothing is printed, because it is visible.
  package func printLocation(of line: String?, at number: Int, in name: String) {
    guard name != "-c" else { return }
    let korean = name == "standard input" ? "표준 입력" : name
    guard let line, !holdsSecret(line) else {
      say(.note("\(.value(name)), line \(number)", ko: "\(.value(korean)) \(number)번째 줄"))
      return
    }
    say(
      .note(
        "\(.value(name)), line \(number): \(.command(line))",
        ko: "\(.value(korean)) \(number)번째 줄: \(.command(line))"))
  }

  /// Returns whether a line may contain a secret: a known one, a value named as one, or userinfo in a URL.
  ///
  /// Everything that stores a line uses it: the history, saved scripts, reports, aliases, `explain`, positions of
  /// errors.
  package func holdsSecret(_ line: String) -> Bool {
    context.stores.remember(session.secrets)
    return grammar.mayContainSecret(line, vendors: Set(session.completion.vendors))
      || context.stores.secrets.occur(in: line)
      || CommandParser.texts(of: line).contains { context.stores.secrets.occur(in: $0) }
  }
}

// Prompts of commands to a user at a terminal.
extension CommandScope {
  /// Returns the user's answer without surrounding white space, or `nil` if there is no user to ask, at the end of input
  /// and after Ctrl-C.
  ///
  /// Input typed before the prompt was visible isn't used.
  package func answer(to question: LocalizedText) async -> String? {
    guard let asker = context.program.asker else { return nil }
    context.program.console.showStatus(nil)
    return await asker.answer(to: question[session.settings.language].plain)?.trimmed
  }

  /// Returns whether the user answers yes to a prompt that ends in `[y/N]`.
  ///
  /// Everything else, including the end of input, means no.
  package func isConfirmed(_ question: LocalizedText) async -> Bool {
    await answer(to: question).map(ConfirmationPrompt.isYes) ?? false
  }

  /// Asks a question that ends in `[y/N]`, and returns if the user answers yes.
  ///
  /// - Parameters:
  ///   - warning: A message shown before it.
  ///   - unattended: The error message if there is no user to ask.
  ///   - declined: The message for every other answer.
  /// - Throws: `CommandError` with exit status 4.
  package func confirm(
    _ question: LocalizedText, after warning: Message? = nil, unattended: @autoclosure () -> Message,
    declined: @autoclosure () -> Message = ConfirmationPrompt.declined.message
  ) async throws {
    guard context.program.asker != nil else {
      let message = unattended()
      throw CommandError(.blocked, message, code: message.code ?? .notConfirmed)
    }
    if let warning { say(warning) }
    guard await isConfirmed(question) else { throw CommandError(.blocked, declined(), code: .canceled) }
  }
}
