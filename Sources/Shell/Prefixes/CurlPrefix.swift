import Catalog
import CommandLanguage
import Commands
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The prefix `curl`, which prints a command's requests as curl commands, with secrets as variables of the shell.
///
/// As the prefix `swift`, it prints a Swift program with types inferred from the server's responses. A command that
/// writes may read to determine its writes, which are printed and never sent.
struct CurlPrefix {
  private let prepared: PreparedCommand
  private let isSwift: Bool

  init(_ prepared: PreparedCommand, asSwift isSwift: Bool = false) {
    self.prepared = prepared
    self.isSwift = isSwift
  }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    try await findEdition(&session)
    let held = CapturedRequests()
    let answered = Mutex<JSON?>(nil)
    var prepared = prepared
    prepared.context = prepared.context.through { transport in
      let holding = CapturingTransport(transport, reads: reads, into: held)
      guard isSwift else { return holding }
      return ObservedTransport(holding) { exchange in
        guard let reply = try? exchange.outcome.get(), reply.isSuccess else { return }
        answered.withLock { $0 = try? JSON(parsing: reply.body) }
      }
    }
    prepared.context.console =
      isSwift ? MutedConsole(console: prepared.context.console, forwardsMessages: false) : prepared.context.console
    do {
      _ = try await prepared.command.run(&session, &execution, in: prepared.context)
    } catch {
      // The command can't continue without a response, but its requests are known.
      guard !held.all.isEmpty else { throw error }
    }
    execution.ending = .success
    prepared.context.console = self.prepared.context.console
    var market: MarketService?
    if !execution.intended.isEmpty { market = try await prepared.context.marketClient(&session).service }
    let changes = execution.intended.flatMap(\.changes)
    let text = isSwift ? try swift(changes, market, held, answered.withLock { $0 }) : try curl(changes, market, held)
    guard !text.isEmpty else {
      execution.wasOnlyShown = true
      return prepared.context.say(CurlPrefix.nothing(prepared.invocation.command), session)
    }
    if !isSwift { sayLogin(for: text, session) }
    try await ReportWriter(prepared.invocation.clauses, session, prepared.context).deliver(exactly: text)
  }

  /// Prints the assignments of the variables of the demo login, which is public, so that copied commands run in another
  /// terminal.
  ///
  /// The data itself never contains a value, and no other login is printed.
  private func sayLogin(for lines: String, _ session: Session) {
    guard prepared.context.console.errorIsTerminal, session.server.isEmbedded,
      session.credentialOrigins.identifier == .default, session.credentialOrigins.secret == .default
    else { return }
    let login = [
      (Credentials.identifierVariable, session.credentials.identifier),
      (Credentials.secretVariable, session.credentials.secret?.reveal()),
    ]
    for (name, value) in login where lines.contains("$" + name) {
      if let value { prepared.context.console.writeMessage("export \(name)='\(value)'\n") }
    }
  }

  private func curl(_ changes: [Change], _ market: MarketService?, _ held: CapturedRequests) throws -> String {
    let curl = CurlRenderer(files)
    var lines: [String] = []
    if let market { lines = try changes.map { try curl.lines(for: $0, at: market) } }
    lines += try held.all.map { try curl.line(for: $0.request, to: $0.base) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func swift(_ changes: [Change], _ market: MarketService?, _ held: CapturedRequests, _ answer: JSON?) throws
    -> String
  {
    var program = SwiftCodeGenerator(files)
    if let market { for change in changes { try program.add(change, at: market) } }
    for held in held.all { program.add(held.request, to: held.base) }
    if program.isEmpty { return "" }
    let name = prepared.invocation.command == "show" ? "Product" : "Answer"
    if changes.isEmpty, let types = answer.flatMap({ SwiftTypes($0, named: name) }) { program.tell(types) }
    return try program.text()
  }

  /// The requests that are sent: those of a command whose further requests depend on responses.
  private var reads: CapturingTransport.Reads {
    if isSwift { return prepared.command.writes ? .sent : .sentAndCaptured }
    if prepared.traits.contains(.sendsAsTyped) { return .captured }
    if prepared.command.writes { return .sent }
    return RequestPredictor(prepared.invocation, prepared.traits).needsAnswers ? .sentAndCaptured : .captured
  }

  private var files: FormFileLocator { FormFileLocator(prepared.invocation, prepared.context) }

  /// Requests the edition if it is unknown, because the requests depend on it.
  private func findEdition(_ session: inout Session) async throws {
    guard session.server.url != nil, session.server.edition == nil, !prepared.traits.contains(.editionIndependent)
    else {
      return
    }
    switch prepared.context.commands.declaration(of: prepared.invocation)?.group {
    case .view, .change, .schedule, .review, .api: _ = try await prepared.context.marketClient(&session)
    case .account, .weather, .scripting, .session, nil: break
    }
  }

  private static func nothing(_ command: String) -> Message {
    .note("\(.command(command)) sends no requests.", ko: "\(.command(command)) 명령은 서버에 요청하지 않습니다.")
  }
}
