import ArgumentParser
import BuildInformation
import Foundation
import Platform
import Text

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
    await EntryPoint.runWithArgumentParser(try launch())
  }

  /// - Throws: `CommandError` for an unknown option, edition or format.
  func launch() throws -> LaunchOptions {
    guard let first = words.first, first.hasPrefix("-"), first != "--", words != ["-"] else {
      return try options.launch(line: words.first == "--" ? Array(words.dropFirst()) : words)
    }
    throw CommandLineError.unknownOption(first)
  }
}
