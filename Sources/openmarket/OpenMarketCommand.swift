import ArgumentParser
import BuildInformation
import CommandLanguage
import Foundation
import MarketAPI
import Platform
import Shell
import ShellRuntime
import Text

/// The options of the program, which precede `serve`, `help` or the words of a line (see the article Language).
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
  /// With the word `language`, `--generate-manual` prints the second manual page.
  ///
  /// - Parameters:
  ///   - words: The words after the options.
  ///   - page: Returns the help text.
  /// - Returns: The text.
  /// - Throws: `CommandError` for an unknown language.
  func document(_ words: [String] = [], help page: (MessageLanguage) -> String = ProgramHelp.program) throws -> String?
  {
    let language = try MessageLanguage(option: lang, environment: Environment.current())
    if version { return Version.description + "\n" }
    if help { return page(language) }
    if generateManual { return words.first == "language" ? Manual(language).languagePage : Manual(language).mainPage }
    return nil
  }
}
