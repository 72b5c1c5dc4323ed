import AllInOne
import ArgumentParser
import Catalog
import Engine
import Failures
import Foundation
import Language
import Marketplace
import Platform
import Shell
import Text

/// The options of the shell (see Language).
struct OpenMarket: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openmarket", abstract: "A shell for the Open Market product API.",
    discussion: "Without options it opens on a market that runs inside the program. Type help at its prompt.",
    version: Version.report, subcommands: [Serve.self])

  @Option(help: "Where to work; see the command profile.") var profile: String?
  @Option(help: "The address of a server, without a profile.") var url: String?
  @Option(
    help: "The edition it speaks: camp1, camp2, training or open.", completion: .list(Edition.allCases.map(\.rawValue)))
  var api: String?
  @Option(help: "Keep everything under this folder.", completion: .directory) var home: String?
  @Option(name: .customShort("c"), help: .init("Run this line and leave; may be repeated.", valueName: "line"))
  var lines: [String] = []
  @Option(
    name: .customShort("f"), help: .init("Run this script and leave; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []
  @Option(help: "table, json, jsonl, csv, tsv or markdown.", completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?
  @Option(help: "en or ko.", completion: .list(["en", "ko"])) var lang: String?
  @Flag(help: "Do not ask before writing.") var yes = false
  @Flag(help: "Write nothing at all.") var readOnly = false
  @Flag(help: "Go on after a failing line.") var keepGoing = false
  @Flag(help: "Read the script, run nothing.") var check = false
  @Flag(help: "Report each line of the scripts as a test, in the Test Anything Protocol.") var tap = false
  @Option(help: .init("Report each line of the scripts as a test, as JUnit XML into this file.", valueName: "file"))
  var junit: String?
  @Option(help: .init("Answer from this recording and open no connection.", valueName: "file")) var replay: String?
  @Flag(help: "No colours.") var noColor = false
  @Flag(help: "Draw with ASCII only.") var ascii = false

  mutating func run() async throws {
    Foundation.exit(await Main.opened(try launch()).run().rawValue)
  }

  /// Throws a `ValidationError` for a word that is no edition or format.
  func launch(_ words: [String] = Array(CommandLine.arguments.dropFirst())) throws -> LaunchOptions {
    LaunchOptions(
      options: try StartOptions(self), home: home, sources: sources(words), manner: manner, yes: yes,
      reports: RunReports(tap: tap, junit: junit), replay: replay)
  }

  private var manner: Script.Manner {
    var manner = Script.Manner()
    manner.keepsGoing = keepGoing
    manner.checksOnly = check
    return manner
  }

  /// `-c` and `-f` in the order they were given, as psql runs them.
  private func sources(_ words: [String]) -> [ScriptSource] {
    var lines = lines[...]
    var files = files[...]
    var sources: [ScriptSource] = []
    for word in words {
      if word.hasPrefix("-c"), let line = lines.popFirst() {
        sources.append(.line(line))
      } else if word.hasPrefix("-f"), let file = files.popFirst() {
        sources.append(.file(file))
      }
    }
    return sources + lines.map { .line($0) } + files.map { .file($0) }
  }
}

/// The version of the program, and what it was built from.
enum Version {
  static let text = "0.1.0"

  /// `--version`: a line each for program, revision, Swift and libraries. Swift and libraries are known of a packaged build.
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

/// What is reported of a run of scripts, besides what it prints: `--tap`, `--junit FILE`.
struct RunReports: Hashable {
  var tap = false
  var junit: String?

  /// With `--tap` standard output belongs to the protocol.
  func console(_ console: DescriptorConsole) -> any Console { tap ? TAPConsole(console) : console }

  /// Nil when nobody wants a report.
  func log(_ tongue: MessageLanguage) -> RunLog? {
    guard tap || junit != nil else { return nil }
    let start = ContinuousClock.now
    if tap { say(TAP.head) }
    return RunLog(in: tongue, clock: { start.duration(to: .now) }) { [tap] point, number in
      if tap { say(TAP.point(point, number)) }
    }
  }

  /// Ends the reports; what could not be written is no success.
  func finish(_ log: RunLog?) -> Failure? {
    guard let log else { return nil }
    if tap { say(TAP.plan(log.points.count)) }
    guard let junit else { return nil }
    do {
      try Files.write(Data(JUnit.document(log.points).utf8), to: junit)
      return nil
    } catch {
      return Failure(describing: error)
    }
  }
}

/// Past the console, which makes remarks of everything commands print.
private func say(_ text: String) {
  // A reader that went away ends nothing: the exit code still tells.
  try? Descriptor.write(text, to: STDOUT_FILENO)
}
