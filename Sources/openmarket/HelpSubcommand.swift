import ArgumentParser
import BuildInformation
import Foundation
import Platform
import Text

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
    await EntryPoint.runWithArgumentParser(try options.launch(line: ["help"] + words))
  }
}
