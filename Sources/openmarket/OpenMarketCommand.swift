import BuildInformation
import ArgumentParser
import Commands
import Engine
import Failures
import Foundation
import Language
import Marketplace
import Platform
import Presentation
import Shell
import Synchronization
import Text

/// The options of the program, which precede `serveOptions`, `help` or the words of a line (see the article Language).
///
/// The command line is parsed once, by ArgumentParser: this command parses the options, and a subcommand the rest.
struct OpenMarketCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openmarket", abstract: "A shell for the Open Market product API.",
    usage: "openmarket [OPTIONS] [LINE]",
    subcommands: [Serve.self, HelpCommand.self, CompleteCommand.self, RunCommand.self],
    defaultSubcommand: RunCommand.self, helpNames: [])

  @Option(help: .init("Profile to use (see the profile command).")) var profile: String?
  @Option(help: .init("Server URL, instead of a profile.")) var url: String?
  @Option(
    help: .init("API edition: \(Edition.names)."),
    completion: .list(Edition.allCases.map(\.rawValue)))
  var api: String?
  @Option(help: .init("Keep all files in this directory."), completion: .directory)
  var home: String?
  @Option(
    name: .customShort("c", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init("Run this command and exit. May be repeated.", valueName: "line"),
    transform: { GivenSource(.line($0)) })
  var lines: [GivenSource] = []
  @Option(
    name: .customShort("f", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init(
      "Run this script and exit (- for standard input).", valueName: "file"),
    completion: .file(), transform: { GivenSource(.file($0)) })
  var files: [GivenSource] = []
  @Option(
    help: .init("Output format: \(OpenMarketCommand.formatNames)."),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?
  @Option(help: .init("Language of messages: en or ko."), completion: .list(["en", "ko"]))
  var lang: String?
  @Flag(help: .init("Apply changes without asking.")) var yes = false
  @Flag(help: .init("Do not allow changes.")) var readOnly = false
  @Flag(help: .init("Continue after errors.")) var keepGoing = false
  @Flag(help: .init("Check the script without running it.")) var check = false
  @Flag(
    help: .init(
      "Report results in TAP format."))
  var tap = false
  @Option(
    help: .init(
      "Report results to a JUnit file.",
      valueName: "file"),
    completion: .file())
  var junit: String?
  @Option(
    help: .init(
      "Replay this HAR file instead of connecting.", valueName: "file"),
    completion: .file())
  var replay: String?
  @Flag(
    help: .init(
      "Do not retry failed reads. Implied by --tap and --junit."))
  var noRetry = false
  @Flag(
    name: .customLong("insecure-http"),
    help: .init("Allow secrets over unencrypted http to other machines."))
  var insecureHTTP = false
  @Flag(help: .init("Turn off colors.")) var noColor = false
  @Flag(help: .init("Use ASCII only.")) var ascii = false
  @Flag(help: .init("Print the version.")) var version = false
  @Flag(name: .shortAndLong, help: .init("Print this help.")) var help = false
  @Flag(help: .init("Print the manual page.")) var generateManual = false

  private static let formatNames = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")

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
    if let line = ArgumentLine(words) { launch.sources.append(.line(line.text)) }
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
  /// With the word `languagePage`, `--generate-manual` prints the second manual page.
  ///
  /// - Parameters:
  ///   - words: The words after the options.
  ///   - page: Returns the help text.
  /// - Returns: The text.
  /// - Throws: `CommandError` for an unknown language.
  func paper(_ words: [String] = [], help page: (MessageLanguage) -> String = ProgramHelp.program) throws -> String? {
    let language = try MessageLanguage(option: lang, environment: Environment.current())
    if version { return Version.description + "\n" }
    if help { return page(language) }
    if generateManual { return words.first == "language" ? Manual(language).languagePage : Manual(language).mainPage }
    return nil
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
    if let paper = try options.paper(words) { return try Descriptor.write(paper, to: STDOUT_FILENO) }
    await EntryPoint.runWithArgumentParser(try launch())
  }

  /// - Throws: `CommandError` for an unknown option, edition or format.
  func launch() throws -> LaunchOptions {
    guard let first = words.first, first.hasPrefix("-"), first != "--" else {
      return try options.launch(line: words.first == "--" ? Array(words.dropFirst()) : words)
    }
    throw CommandLineError.unknownOption(first)
  }
}

/// `openmarket help`: prints the options of the program or of `serveOptions`, or with other words runs the line `help …`.
struct HelpCommand: AsyncParsableCommand {
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
    options.help = options.help || words.isEmpty || words[0] == "serve" || words[0].hasPrefix("-")
    let page = words.first == "serve" ? ProgramHelp.serve : ProgramHelp.program
    if let paper = try options.paper(help: page) { return try Descriptor.write(paper, to: STDOUT_FILENO) }
    await EntryPoint.runWithArgumentParser(try options.launch(line: ["help"] + words))
  }
}

/// A `-c` or `-f` with its position among the others.
///
/// They run in the given order, as in psql.
struct GivenSource: Sendable {
  let source: ScriptSource
  let position: Int

  private static let count = Atomic(0)

  /// Creates a source.
  ///
  /// The parser calls this in the order of the command line.
  init(_ source: ScriptSource) {
    self.source = source
    position = GivenSource.count.add(1, ordering: .relaxed).newValue
  }
}

/// The version of the program, and what it was built from.
enum Version {
  static let number = "0.1.0"

  /// The text of `--version`: one line each for program, revision, Swift and libraries.
  ///
  /// Swift and libraries are known only in a packaged build.
  static var description: String {
    let facts = [
      ("revision", String(cString: openmarket_revision())),
      ("Swift", String(cString: openmarket_swift())),
      ("libraries", String(cString: openmarket_libraries())),
    ]
    let compiler = facts[1].1.isEmpty ? "Swift \(compilerGeneration)" : nil
    return
      (["openmarket \(number)"] + facts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" } + [compiler].compactMap { $0 })
      .joined(separator: "\n")
  }

  private static var compilerGeneration: String {
    #if compiler(>=6.3)
      "6.3 or later"
    #else
      "6.2"
    #endif
  }
}
