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
import WriteJournal

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

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    try await findEdition(in: &scope)
    let captured = CapturedRequests()
    let bodies = Mutex<[Request: JSON]>([:])
    var holding = scope.context.through { CapturingTransport($0, reads: reads, into: captured) }
    // Weather in memory would need no requests.
    holding.network.forgetWeather(now: holding.clock.now)
    if isSwift {
      holding = holding.observing { exchange in
        guard let response = try? exchange.outcome.get(), response.isSuccess else { return }
        // Requests may be sent in parallel, and their responses come in any order.
        bodies.withLock { $0[exchange.request] = try? JSON(parsing: response.inUTF8.body) }
      }
      holding.program.console = MutedConsole(console: holding.program.console, forwardsMessages: false)
    }
    var inner: CommandResult
    do {
      inner = try await scope.with(holding) { try await prepared.command.run(in: &$0) }
      if let error = inner.error { throw error }
    } catch {
      // The command can't continue without a response, but its requests are known.
      guard !captured.all.isEmpty else { throw error }
      inner = .empty
    }
    var result = CommandResult()
    (result.closingMessages, result.wasOnlyShown) = (inner.closingMessages, inner.wasOnlyShown)
    var market: MarketService?
    if !inner.plans.isEmpty { market = try await scope.marketClient().service }
    let changes = inner.plans.flatMap(\.changes)
    let files = FormFileLocator(prepared.invocation, scope.context)
    let text =
      isSwift
      ? try swift(changes, market: market, captured: captured, bodies: bodies.withLock { $0 }, files: files)
      : try curl(changes, market: market, captured: captured, files: files)
    guard !text.isEmpty else {
      scope.say(CurlPrefix.nothing(prepared.invocation.command))
      result.wasOnlyShown = true
      return result
    }
    if !isSwift { sayLogin(for: text, in: scope) }
    try await ReportWriter(prepared.invocation.clauses, scope).deliver(exactly: text)
    if let note = addressNote(in: scope) { result.closingMessages.append(note) }
    return result
  }

  /// Returns the note that the market of the printed URL ends with this program, for a line that is run from the system's
  /// shell.
  private func addressNote(in scope: CommandScope) -> Message? {
    guard scope.session.server.isEmbedded, !scope.context.program.isInteractive,
      scope.context.program.console.errorIsTerminal,
      prepared.declaration?.group != .weather
    else { return nil }
    return .note(
      "The built-in market ends with this command. Its URL works while a shell of openmarket runs.",
      ko: "내장 마켓은 이 명령과 함께 끝납니다. 이 주소는 openmarket 셸이 실행 중일 때만 쓸 수 있습니다."
    ).next(
      "Run \(.command("openmarket serve")) for a market that stays, and use its URL with \(.command("--url")).",
      ko: "계속 켜 둘 마켓은 \(.command("openmarket serve"), .toward) 실행하고, 그 주소를 \(.command("--url"))에 쓰세요.")
  }

  /// Prints the assignments of the variables of the demo login, which is public, so that copied commands run in another
  /// terminal.
  ///
  /// The data itself never contains a value, and no other login is printed.
  private func sayLogin(for lines: String, in scope: CommandScope) {
    let session = scope.session
    guard scope.context.program.console.errorIsTerminal, session.server.isEmbedded,
      session.credentialOrigins.identifier == .default, session.credentialOrigins.secret == .default
    else { return }
    let login = [
      (Credentials.identifierVariable, session.credentials.identifier),
      (Credentials.secretVariable, session.credentials.secret?.reveal()),
    ]
    for (name, value) in login where lines.contains("$" + name) {
      if let value { scope.context.program.console.writeMessage("export \(name)='\(value)'\n") }
    }
  }

  private func curl(
    _ changes: [Change], market: MarketService?, captured: CapturedRequests, files: FormFileLocator
  ) throws -> String {
    let curl = CurlRenderer(files)
    var lines: [String] = []
    if let market { lines = try changes.map { try curl.lines(for: $0, at: market) } }
    lines += try captured.all.map { try curl.line(for: $0.request, to: $0.base) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func swift(
    _ changes: [Change], market: MarketService?, captured: CapturedRequests, bodies: [Request: JSON],
    files: FormFileLocator
  ) throws -> String {
    var program = SwiftCodeGenerator(files)
    if let market { for change in changes { try program.add(change, at: market) } }
    let name = prepared.invocation.command == "show" ? "Product" : "Answer"
    for (request, base) in captured.all {
      program.add(request, to: base, response: changes.isEmpty ? bodies[request] : nil, named: name)
    }
    if program.isEmpty { return "" }
    return try program.text()
  }

  /// The requests that are sent: those of a command whose further requests depend on responses.
  private var reads: CapturingTransport.Reads {
    if isSwift { return prepared.command.writes ? .sent : .sentAndCaptured }
    if prepared.traits.contains(.sendsAsTyped) { return .captured }
    if prepared.command.writes { return .sent }
    return RequestPredictor(prepared.invocation, prepared.declaration).needsAnswers ? .sentAndCaptured : .captured
  }

  /// Requests the edition if it is unknown, because the requests depend on it.
  private func findEdition(in scope: inout CommandScope) async throws {
    guard scope.session.server.url != nil, scope.session.server.dialect == nil,
      !prepared.traits.contains(.editionIndependent)
    else {
      return
    }
    switch prepared.declaration?.group {
    case .view, .change, .schedule, .review, .api: _ = try await scope.marketClient()
    case .account, .weather, .scripting, .session, nil: break
    }
  }

  private static func nothing(_ command: String) -> Message {
    .note("\(.command(command)) sends no requests.", ko: "\(.command(command)) 명령은 서버에 요청하지 않습니다.")
  }
}

/// Predicts whether a reading command needs responses to determine all its requests: a scan, several products, a last
/// page.
struct RequestPredictor {
  private let invocation: ParsedCommand
  private let declaration: CommandDeclaration?

  init(_ invocation: ParsedCommand, _ declaration: CommandDeclaration?) {
    self.invocation = invocation
    self.declaration = declaration
  }

  private var traits: CommandDeclaration.Traits { declaration?.traits ?? [] }

  private var targets: [String] {
    declaration?.parameters.filter { $0.kind == .target }.flatMap { invocation.all($0.name) } ?? []
  }

  var needsAnswers: Bool {
    if ["all", "where", "mine", "sort", "limit", "named"].contains(where: invocation.has) { return true }
    if traits.contains(.requiresFullScan) { return true }
    if traits.contains(.resolvesPlaces) {
      return invocation.all("PLACE").contains { Double($0) == nil } || !invocation.has("PLACE")
    }
    return targets.contains { target in
      target == "mine" || target == "@all" || target.hasPrefix("where ") || target.contains { ",-".contains($0) }
    }
  }
}
