import Dispatch
import EmbeddedMarket
import Platform
import Presentation
import ShellRuntime
import Text

/// An error before a session exists.
struct StartupError {
  private let failure: CommandError

  init(_ error: any Error) {
    failure = (error as? MarketStartError).map { CommandError($0) } ?? CommandError(describing: error)
  }

  func say(on console: any Console, _ options: SessionOptions) -> ExitStatus {
    let environment = Environment.current()
    let language =
      (try? MessageLanguage(option: options.language, environment: environment))
      ?? (try? MessageLanguage(option: nil, environment: environment)) ?? .english
    var drawing = RenderOptions(
      language: language, width: console.width, colors: false, usesASCII: options.ascii, treatsAmbiguousAsWide: false,
      isTerminal: console.errorIsTerminal)
    drawing.messageFormat = options.messageFormat ?? .usual
    let console = drawing.messageFormat == .json ? JSONMessageConsole(console) : console
    console.writeMessage(MessageRenderer().render(failure.described, drawing))
    return failure.exitStatus
  }
}
