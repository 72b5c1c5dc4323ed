import ArgumentParser
import EmbeddedMarket
import Engine
import Foundation
import LineEditing
import Platform
import Shell

/// `openmarket serve`: the embedded market alone, until SIGINT or SIGTERM.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the embedded market alone.")

  @Option(help: "The port to listen on; 0 picks a free one.") var port = 0
  @Option(
    help: "The edition to speak: camp1, camp2, training or open.",
    completion: .list(ServedEdition.allCases.map(\.rawValue)))
  var api = "open"
  @Option(help: "The folder that keeps the market's data.", completion: .directory) var data: String?
  @Option(help: "Keep everything under this folder.", completion: .directory) var home: String?
  @Flag(help: "Enforce the documented limits with 400.") var strict = false
  @Flag(help: "Start without products.") var empty = false
  @Flag(help: "Do what the real servers did wrong: too many rows, nulls, a 202, pictures that come late.")
  var quirks = false

  /// The shell has options of the same names and is read first, so their values are found there.
  @ParentCommand private var shell: OpenMarket

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535.") }
    _ = try edition
  }

  private var edition: ServedEdition {
    get throws {
      let word = shell.api ?? api
      if let edition = ServedEdition(rawValue: word) { return edition }
      let all = ServedEdition.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--api is one of \(all), not '\(word)'.")
    }
  }

  func run() async throws {
    let signals = Signals.stream([SIGINT, SIGTERM])
    let console = DescriptorConsole()
    do {
      var options = MarketOptions(dataDirectory: folder)
      options.port = port
      options.edition = try edition
      options.strict = strict
      options.empty = empty
      options.quirks = quirks
      try Files.makeFolder(options.dataDirectory)
      let market = EmbeddedMarket(options)
      let url = try await market.start()
      try console.data("openmarket serving \(options.edition.rawValue) at \(url.absoluteString)\n")
      for await _ in signals { break }
      await market.stop()
    } catch {
      Foundation.exit(EarlyFailure(error).say(on: console, StartOptions()).rawValue)
    }
  }

  private var folder: String {
    if let data { return data }
    return Home(shell.home ?? home, ProcessEnvironment.environment()).demoFolder
  }
}
