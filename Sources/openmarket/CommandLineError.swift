import ArgumentParser
import CommandLanguage
import Dispatch
import EmbeddedMarket
import Platform
import Presentation
import ShellRuntime
import Text

/// Errors in the options of the program, with exit status 2 and messages in both languages.
enum CommandLineError {
  /// Indicates that the options are those of `serve`.
  @TaskLocal static var isServing = false

  static func failure(_ english: StyledText, ko korean: StyledText) -> CommandError {
    guard !isServing else {
      return CommandError(
        .usageError,
        .failure(english, ko: korean).next(
          "Usage: \(.command("openmarket serve [OPTIONS]")). Run \(.command("openmarket serve --help")) to list the options.",
          ko: "사용법: \(.command("openmarket serve [OPTIONS]")). 옵션은 \(.command("openmarket serve --help"))로 볼 수 있습니다."))
    }
    return CommandError(
      .usageError,
      .failure(english, ko: korean).next(
        "Run \(.command("openmarket --help")) or \(.command("openmarket serve --help")) to list the options.",
        ko: "옵션은 \(.command("openmarket --help"))와 \(.command("openmarket serve --help"))로 볼 수 있습니다."))
  }

  /// Returns the error with the nearest option, if one is near.
  static func unknownOption(_ word: String, of options: [HelpEntry] = HelpEntry.mainOptions) -> CommandError {
    let name = word.split(separator: "=").first.map(String.init) ?? word
    guard name.hasPrefix("--"),
      let near = SpellingSuggester.closest(name, in: options.flatMap(\.names).map(\.name))
    else {
      return failure("Unknown option: \(.value(name)).", ko: "알 수 없는 옵션: \(.value(name)).")
    }
    return CommandError(
      .usageError,
      .failure("Unknown option: \(.value(name)).", ko: "알 수 없는 옵션: \(.value(name)).")
        .next("Did you mean \(.command(near))?", ko: "\(.command(near), .object) 뜻하셨나요?"))
  }

  static func unknownValue(_ text: String, of option: String, _ choices: [String]) -> CommandError {
    let names = choices.joined(separator: ", ")
    return failure(
      "Invalid value for \(.command(option)): \(.value(text)). Use one of: \(names).",
      ko: "\(.command(option))에 쓸 수 없는 값입니다: \(.value(text)). \(names) 중 하나를 쓰세요.")
  }

  /// Returns the error as a failure.
  ///
  /// ArgumentParser's messages are English only. Those that aren't known here stay in English.
  static func failure(_ error: any Error) -> CommandError {
    if let failure = error as? CommandError { return failure }
    // Not of the parser: `--help` into a full disk.
    if error is OutputError { return CommandError(describing: error) }
    // Some of its messages have several lines.
    let text = OpenMarketCommand.message(for: error).split { $0.isWhitespace }.joined(separator: " ")
    let usage = OpenMarketCommand.fullMessage(for: error)
    let isOfServe = usage.contains("Usage: openmarket serve")
    return $isServing.withValue(isOfServe) {
      // The parser suggests any option, however far it is.
      if let option = text.firstMatch(of: /Unknown option '(.*?)'/)?.1 {
        let isOfMCP = usage.contains("Usage: openmarket mcp")
        return unknownOption(
          String(option),
          of: isOfServe ? HelpEntry.serveOptions : isOfMCP ? HelpEntry.mcpOptions : HelpEntry.mainOptions)
      }
      return failure("\(.foreign(text))", ko: "\(.foreign(korean(text)))")
    }
  }

  private static func korean(_ text: String) -> String {
    if let match = text.wholeMatch(of: /Missing value for '(.*)'/) { return "'\(match.1)' 옵션에 값이 필요합니다." }
    if let match = text.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)'.*/) {
      return "'\(match.2)' 옵션에 '\(match.1)' 값은 쓸 수 없습니다."
    }
    if let match = text.wholeMatch(of: /The option '(.*?)' does not take any value, but '(.*)' was specified\./) {
      return "'\(match.1)' 옵션은 값을 받지 않는데 '\(match.2)' 값이 있습니다."
    }
    if let match = text.wholeMatch(of: /Can't generate completion scripts for '(.*)'\..*: (.*)/) {
      return "'\(match.1)'의 자동 완성 스크립트는 만들 수 없습니다. 가능한 셸: \(match.2)"
    }
    if let match = text.wholeMatch(of: /Unexpected argument '(.*)'/) { return "'\(match.1)' 인자는 받지 않습니다." }
    if let match = text.wholeMatch(of: /(\d+) unexpected arguments: (.*)/) { return "인자 \(match.2) 등은 받지 않습니다." }
    return text
  }
}

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
