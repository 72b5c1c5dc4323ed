import ArgumentParser
import Foundation
import Platform
import Shell
import ShellRuntime
import Text

/// `openmarket mcp`: serves an agent over the Model Context Protocol on standard input and output.
struct MCPCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Serve an agent over the Model Context Protocol.",
    usage: "openmarket mcp [OPTIONS]", helpNames: [])

  /// The limits of `--max-bytes`.
  private static let byteRange = 4_096...16_777_216

  @Option var profile: String?
  @Option var url: String?
  @Option var api: String?
  @Option var home: String?
  @Option var lang: String?
  @Option(help: .init(valueName: "dir")) var plans: String?
  @Option(help: .init(valueName: "n")) var maxBytes = 65_536
  @Option(help: .init(valueName: "n/s")) var rate = "5/s"
  @Flag(name: .shortAndLong) var help = false

  /// The options before `mcp`.
  ///
  /// Options that both commands have may precede or follow the word.
  @ParentCommand private var shell: OpenMarketCommand

  func run() async throws {
    var merged = shell
    merged.profile = profile ?? shell.profile
    merged.url = url ?? shell.url
    merged.api = api ?? shell.api
    merged.home = home ?? shell.home
    merged.lang = lang ?? shell.lang
    merged.help = help || shell.help
    if let text = try merged.document(help: ProgramHelp.mcp) { return try Descriptor.write(text, to: STDOUT_FILENO) }
    if let option = shell.asksForLines {
      throw CommandLineError.failure(
        "\(.command(option)) and \(.command("mcp")) cannot be combined: \(.command("mcp")) runs no lines.",
        ko:
          "\(.command(option), .with) \(.command("mcp"), .topic) 함께 쓸 수 없습니다. \(.command("mcp"), .topic) 명령을 실행하지 않습니다."
      )
    }
    var options = AgentServer.Options()
    options.plans = plans.map(MCPCommand.absolute)
    options.maximumBytes = try bytes
    options.rate = try callsPerSecond
    options.programLine = MCPCommand.programLine(merged)
    let descriptors = ProtocolDescriptors()
    await MCPCommand.serve(try SessionOptions(merged), home: merged.home, options, through: descriptors)
  }

  private static func serve(
    _ session: SessionOptions, home: String?, _ options: AgentServer.Options, through descriptors: ProtocolDescriptors
  ) async -> Never {
    let server: AgentServer
    do {
      server = try AgentServer(session, home: home, options, through: descriptors)
    } catch {
      Foundation.exit(StartupError(error).say(on: DescriptorConsole(), session).rawValue)
    }
    await server.run()
    Foundation.exit(0)
  }

  private var bytes: Int {
    get throws {
      guard MCPCommand.byteRange.contains(maxBytes) else {
        throw CommandLineError.failure(
          "\(.command("--max-bytes")) must be from \(MCPCommand.byteRange.lowerBound) to \(MCPCommand.byteRange.upperBound).",
          ko:
            "\(.command("--max-bytes"))에는 \(MCPCommand.byteRange.lowerBound)부터 \(MCPCommand.byteRange.upperBound)까지 쓸 수 있습니다."
        )
      }
      return maxBytes
    }
  }

  private var callsPerSecond: Int {
    get throws {
      let text = rate.hasSuffix("/s") ? String(rate.dropLast(2)) : rate
      guard let number = Int(text), (1...10_000).contains(number) else {
        throw CommandLineError.failure(
          "Invalid value for \(.command("--rate")): \(.value(rate)). Use a rate such as 5/s.",
          ko: "\(.command("--rate"))에 쓸 수 없는 값입니다: \(.value(rate)). 5/s 같은 속도를 쓰세요.")
      }
      return number
    }
  }

  /// Returns the beginning of the line that a person types, with the options that choose the same market.
  ///
  /// The person's shell may lack the variables of this process, so what they say becomes options.
  private static func programLine(_ options: OpenMarketCommand) -> String {
    let environment = Environment.current()
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let profile = options.profile ?? (options.url == nil ? variable("OPENMARKET_PROFILE") : nil)
    let given = [
      ("--home", (options.home ?? variable("OPENMARKET_HOME")).map(absolute)), ("--profile", profile),
      ("--url", options.url ?? variable("OPENMARKET_URL")), ("--api", options.api ?? variable("OPENMARKET_API")),
    ]
    return (["openmarket"] + given.flatMap { name, value in value.map { [name, POSIXWord.quoted($0)] } ?? [] })
      .joined(separator: " ")
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

/// The descriptors of the protocol, taken out of reach of everything else in the process.
///
/// Standard output belongs to the protocol: afterwards descriptor 1 is standard error, and descriptor 0 is `/dev/null`, so
/// that neither a stray `print` nor a child process can disturb the conversation.
struct ProtocolDescriptors {
  let input: Int32
  let output: Int32

  /// Takes the descriptors.
  ///
  /// Call it before anything is written.
  init() {
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      close(null)
    }
  }
}
