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

/// The options of the program, which precede `serve`, `help` or the words of a line (see the article Language).
///
/// The command line is parsed once, by ArgumentParser: this command parses the options, and a subcommand the rest.
struct OpenMarket: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openmarket", abstract: "A shell for the Open Market product API.",
    usage: "openmarket [OPTIONS] [LINE]",
    subcommands: [Serve.self, HelpCommand.self, RunCommand.self], defaultSubcommand: RunCommand.self, helpNames: [])

  @Option(help: .init("Where to work; see the command profile.", ko: "연결할 곳; profile 명령 참고.")) var profile: String?
  @Option(help: .init("The address of a server, without a profile.", ko: "프로필 없이 쓰는 서버 주소.")) var url: String?
  @Option(
    help: .init("The edition it speaks: \(Edition.names).", ko: "서버의 버전: \(Edition.names)."),
    completion: .list(Edition.allCases.map(\.rawValue)))
  var api: String?
  @Option(help: .init("Keep everything under this folder.", ko: "모든 파일을 이 폴더 아래에 둠."), completion: .directory)
  var home: String?
  @Option(
    name: .customShort("c", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init("Run this line and leave; may be repeated.", ko: "이 줄을 실행하고 종료; 여러 번 쓸 수 있음.", valueName: "line"),
    transform: { GivenSource(.line($0)) })
  var lines: [GivenSource] = []
  @Option(
    name: .customShort("f", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: .init(
      "Run this script and leave; - is standard input.", ko: "이 스크립트를 실행하고 종료; -는 표준 입력.", valueName: "file"),
    completion: .file(), transform: { GivenSource(.file($0)) })
  var files: [GivenSource] = []
  @Option(
    help: .init("The format of data: \(OpenMarket.formatNames).", ko: "데이터 형식: \(OpenMarket.formatNames)."),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?
  @Option(help: .init("The language of messages: en or ko.", ko: "메시지 언어: en, ko."), completion: .list(["en", "ko"]))
  var lang: String?
  @Flag(help: .init("Do not ask before writing.", ko: "변경 전에 확인하지 않음.")) var yes = false
  @Flag(help: .init("Write nothing at all.", ko: "아무것도 변경하지 않음.")) var readOnly = false
  @Flag(help: .init("Go on after a failing line.", ko: "실패한 줄이 있어도 계속.")) var keepGoing = false
  @Flag(help: .init("Read the lines, run nothing.", ko: "줄을 검사만 하고 실행하지 않음.")) var check = false
  @Flag(
    help: .init(
      "Report each line as a test, in the Test Anything Protocol.", ko: "줄마다 시험 결과를 Test Anything Protocol로 출력."))
  var tap = false
  @Option(
    help: .init(
      "Report each line as a test, as JUnit XML into this file.", ko: "줄마다 시험 결과를 이 파일에 JUnit XML로 기록.",
      valueName: "file"),
    completion: .file())
  var junit: String?
  @Option(
    help: .init(
      "Answer from this HAR file and open no connection.", ko: "이 HAR 파일에서 응답하고 연결하지 않음.", valueName: "file"),
    completion: .file())
  var replay: String?
  @Flag(
    help: .init(
      "Send every read once, whatever comes back; so do --tap and --junit.",
      ko: "읽기를 한 번만 보냄; --tap과 --junit도 같음."))
  var noRetry = false
  @Flag(
    name: .customLong("insecure-http"),
    help: .init("Send secrets over plain http to other machines.", ko: "다른 컴퓨터에도 http로 시크릿을 보냄."))
  var insecureHTTP = false
  @Flag(help: .init("No colours.", ko: "색 없이.")) var noColor = false
  @Flag(help: .init("Draw with ASCII only.", ko: "ASCII로만 그림.")) var ascii = false
  @Flag(help: .init("Print the version.", ko: "버전 출력.")) var version = false
  @Flag(name: .shortAndLong, help: .init("Print the options.", ko: "옵션 출력.")) var help = false
  @Flag(help: .init("Print all of help as a manual page.", ko: "도움말 전체를 매뉴얼 페이지로 출력.")) var generateManual = false

  private static let formatNames = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns the launch options with the words after the options as a line, each as passed by the system's shell.
  ///
  /// - Throws: `Failure` for an unknown option, edition or format.
  func launch(line words: [String] = []) throws -> LaunchOptions {
    var launch = LaunchOptions(
      options: try StartOptions(self), home: home, manner: Script.Manner(), yes: yes,
      reports: RunReports(tap: tap, junit: junit), replay: replay)
    launch.retries = !noRetry && !tap && junit == nil
    launch.manner.keepsGoing = keepGoing
    launch.manner.checksOnly = check
    launch.sources = (lines + files).sorted { $0.position < $1.position }.map(\.source)
    if let line = SystemShellLine(words) { launch.sources.append(.line(line.text)) }
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
  /// - Throws: `Failure` for an unknown language.
  func paper(_ words: [String] = [], help page: (MessageLanguage) -> String = ProgramHelp.program) throws -> String? {
    let language = try MessageLanguage(option: lang, environment: Environment.ofProcess())
    if version { return Version.report + "\n" }
    if help { return page(language) }
    if generateManual { return words.first == "language" ? Manual(language).language : Manual(language).text }
    return nil
  }
}

/// The default command: a prompt, or the lines of `-c`, `-f` and the words after the options.
struct RunCommand: AsyncParsableCommand {
  // A name that no line can begin with.
  static let configuration = CommandConfiguration(
    commandName: "LINE", abstract: "Run one line.", usage: OpenMarket.configuration.usage, shouldDisplay: false,
    helpNames: [])

  @ArgumentParser.Argument(
    parsing: .captureForPassthrough, help: .init("A line, as at the prompt.", ko: "프롬프트에 쓰는 것과 같은 줄."))
  var words: [String] = []
  @ParentCommand var options: OpenMarket

  func run() async throws {
    if let paper = try options.paper(words) { return try Descriptor.write(paper, to: STDOUT_FILENO) }
    await Main.run(try launch())
  }

  /// - Throws: `Failure` for an unknown option, edition or format.
  func launch() throws -> LaunchOptions {
    guard let first = words.first, first.hasPrefix("-"), first != "--" else {
      return try options.launch(line: words.first == "--" ? Array(words.dropFirst()) : words)
    }
    throw CommandLineError.unknownOption(first)
  }
}

/// `openmarket help`: prints the options of the program or of `serve`, or with other words runs the line `help …`.
struct HelpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Print the options.", usage: OpenMarket.configuration.usage, helpNames: [])

  @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .init("A command or topic.", ko: "명령이나 주제."))
  var words: [String] = []
  @Option(help: .init("The language of messages: en or ko.", ko: "메시지 언어: en, ko."), completion: .list(["en", "ko"]))
  var lang: String?
  @ParentCommand var options: OpenMarket

  func run() async throws {
    var options = options
    options.lang = lang ?? options.lang
    options.help = options.help || words.isEmpty || words[0] == "serve" || words[0].hasPrefix("-")
    let page = words.first == "serve" ? ProgramHelp.serve : ProgramHelp.program
    if let paper = try options.paper(help: page) { return try Descriptor.write(paper, to: STDOUT_FILENO) }
    await Main.run(try options.launch(line: ["help"] + words))
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

extension ArgumentHelp {
  /// The language of descriptions in completion scripts.
  @TaskLocal static var language = MessageLanguage.english

  init(_ english: String, ko korean: String, valueName: String? = nil) {
    self.init(stringLiteral: ArgumentHelp.language == .korean ? korean : english)
    self.valueName = valueName
  }
}

/// The version of the program and of the parts it was built from.
enum Version {
  static let text = "0.1.0"

  /// The text of `--version`: one line each for program, revision, Swift and libraries.
  ///
  /// Swift and libraries are known only in a packaged build.
  static var report: String {
    let facts = [
      ("revision", String(cString: openmarket_revision())),
      ("Swift", String(cString: openmarket_swift())),
      ("libraries", String(cString: openmarket_libraries())),
    ]
    let compiler = facts[1].1.isEmpty ? "Swift \(compilerGeneration)" : nil
    return
      (["openmarket \(text)"] + facts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" } + [compiler].compactMap { $0 })
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
