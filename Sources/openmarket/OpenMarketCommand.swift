import ArgumentParser
import BuildInformation
import Foundation
import Platform
import Shell
import ShellRuntime
import Text

/// The options of the program, which precede `serve`, `help` or the words of a line (see the article Language).
///
/// The command line is parsed once, by ArgumentParser: this command parses the options, and a subcommand the rest. The
/// descriptions of the options are in `HelpEntry`.
struct OpenMarketCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openmarket", abstract: "A shell for the Open Market product API.",
    usage: "openmarket [OPTIONS] [LINE]",
    subcommands: [Serve.self, MCPCommand.self, HelpSubcommand.self, CompleteCommand.self, RunCommand.self],
    defaultSubcommand: RunCommand.self, helpNames: [])

  @Option var profile: String?
  @Option var url: String?
  @Option var api: String?
  @Option var home: String?
  @Option(
    name: .customShort("c", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init(valueName: "line"), transform: { GivenSource(.line($0)) })
  var lines: [GivenSource] = []
  @Option(
    name: .customShort("f", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init(valueName: "file"), transform: { GivenSource(.file($0)) })
  var files: [GivenSource] = []
  @Option var format: String?
  @Option var lang: String?
  @Option var errors: String?
  @Flag var yes = false
  @Flag var readOnly = false
  @Flag var keepGoing = false
  @Option(help: .init(valueName: "key")) var once: String?
  @Flag var check = false
  @Flag var tap = false
  @Option(help: .init(valueName: "file")) var junit: String?
  @Option(help: .init(valueName: "file")) var replay: String?
  @Flag var noRetry = false
  @Flag(name: .customLong("insecure-http")) var insecureHTTP = false
  @Flag var noColor = false
  @Flag var ascii = false
  @Flag var version = false
  @Flag(name: .shortAndLong) var help = false
  @Flag var generateManual = false
  @Flag var generateSkill = false

  /// Returns the launch options with the words after the options as a line, each as passed by the system's shell.
  ///
  /// - Throws: `CommandError` for an unknown option, edition or format.
  func launch(line words: [String] = []) throws -> LaunchOptions {
    var launch = LaunchOptions(
      options: try SessionOptions(self), home: home, scriptOptions: ScriptRunner.Options(), yes: yes,
      reports: ReportOptions(tap: tap, junit: junit), replay: replay)
    launch.retries = !noRetry && !tap && junit == nil
    launch.scriptOptions.keepsGoing = keepGoing
    launch.scriptOptions.checksOnly = check
    launch.sources = (lines + files).sorted { $0.position < $1.position }.map(\.source)
    if words == ["-"] {
      launch.sources.append(.file("-"))
    } else if let line = ArgumentLine(words) {
      launch.sources.append(.line(line.text))
    }
    return launch
  }

  /// The first option that requires lines to run, or `nil`.
  var asksForLines: String? {
    let given = [
      ("-c", !lines.isEmpty), ("-f", !files.isEmpty), ("--check", check), ("--tap", tap), ("--junit", junit != nil),
      ("--replay", replay != nil),
    ]
    return given.first(where: \.1)?.0
  }

  /// Returns the version, help or manual page that is printed instead of a start, or `nil` if none was requested.
  ///
  /// With the word `language`, `--generate-manual` prints the second manual page.
  ///
  /// - Parameters:
  ///   - words: The words after the options.
  ///   - page: Returns the help text.
  /// - Returns: The text.
  /// - Throws: `CommandError` for an unknown language.
  func document(_ words: [String] = [], help page: (MessageLanguage) -> String = ProgramHelp.program) throws -> String?
  {
    guard version || help || generateManual || generateSkill else { return nil }
    let language = try MessageLanguage(option: lang, environment: Environment.current())
    if version { return Version.description + "\n" }
    if help { return page(language) }
    if generateSkill { return Skill.text }
    return words.first == "language" ? Manual(language).languagePage : Manual(language).mainPage
  }
}

/// The default command: a prompt, or the lines of `-c`, `-f` and the words after the options.
struct RunCommand: AsyncParsableCommand {
  // A name that no line can begin with.
  static let configuration = CommandConfiguration(
    commandName: "LINE", abstract: "Run one line.", usage: OpenMarketCommand.configuration.usage, shouldDisplay: false,
    helpNames: [])

  @ArgumentParser.Argument(
    parsing: .captureForPassthrough, help: .init("A command, as at the prompt."))
  var words: [String] = []
  @ParentCommand var options: OpenMarketCommand

  func run() async throws {
    if let document = try options.document(words) { return try Descriptor.write(document, to: STDOUT_FILENO) }
    await Application.run(try launch())
  }

  /// - Throws: `CommandError` for an unknown option, edition or format.
  func launch() throws -> LaunchOptions {
    guard let first = words.first, first.hasPrefix("-"), first != "--", words != ["-"] else {
      return try options.launch(line: words.first == "--" ? Array(words.dropFirst()) : words)
    }
    throw CommandLineError.unknownOption(first)
  }
}

/// `openmarket help`: runs the line `help …`, which lists the commands; with `serve` it prints the options of `serve`.
struct HelpSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Print the options.", usage: OpenMarketCommand.configuration.usage, helpNames: [])

  @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .init("A command or topic."))
  var words: [String] = []
  @Option(help: .init("Language of messages: en or ko."), completion: .list(["en", "ko"]))
  var lang: String?
  @ParentCommand var options: OpenMarketCommand

  func run() async throws {
    var options = options
    options.lang = lang ?? options.lang
    options.help = options.help || words.first == "serve" || words.first?.hasPrefix("-") == true
    let page = words.first == "serve" ? ProgramHelp.serve : ProgramHelp.program
    if let document = try options.document(help: page) { return try Descriptor.write(document, to: STDOUT_FILENO) }
    await Application.run(try options.launch(line: ["help"] + words))
  }
}
