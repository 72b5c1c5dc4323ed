import Catalog
import EmbeddedMarket
import Engine
import Platform
import Presentation
import Shell
import Text

/// A failure before there is a session to say it in.
struct EarlyFailure {
  private let failure: Failure

  init(_ error: any Error) {
    failure = (error as? MarketStartError).map { Failure($0) } ?? Failure(describing: error)
  }

  func say(on console: any Console, _ options: StartOptions) -> ExitStatus {
    let tongue = (try? Tongue(option: options.language, environment: [:])) ?? .english
    let drawing = RenderOptions(
      tongue: tongue, width: console.width, colors: false, ascii: options.ascii, ambiguousWide: false,
      isTerminal: console.errorIsTerminal)
    console.say(MessageRenderer().render(failure.message, drawing))
    return failure.code
  }
}
