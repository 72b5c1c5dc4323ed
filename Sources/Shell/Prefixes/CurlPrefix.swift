import Catalog
import Engine
import Foundation
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `curl` in front of a command: its requests as curl commands, for a shell that has the secrets in its variables.
///
/// A command that writes may read to know what it would write; what it would write is printed and never sent.
struct CurlPrefix {
  private let turn: CommandExecution

  init(_ turn: CommandExecution) { self.turn = turn }

  func take(_ session: inout Session, _ execution: inout Execution) async throws {
    try await findEdition(&session)
    let held = HeldRequests()
    var turn = turn
    turn.context = turn.context.through { HoldingTransport($0, reads: reads, into: held) }
    var lines: [String] = []
    do {
      _ = try await turn.command.run(&session, &execution, in: turn.context)
    } catch {
      // The command could not go on without its answer; what it asked is known.
      guard !held.all.isEmpty else { throw error }
    }
    execution.ending = .success
    if !execution.intended.isEmpty {
      let market = try await turn.context.market(&session).service
      let changes = execution.intended.flatMap(\.changes)
      lines = try changes.map { try curl(session).lines(for: $0, at: market) }
    }
    lines += try held.all.map { try curl(session).line(for: $0.request, to: $0.base) }
    guard !lines.isEmpty else {
      execution.wasOnlyShown = true
      return turn.context.say(CurlPrefix.nothing(turn.invocation.command), session)
    }
    let text = lines.map { $0 + "\n" }.joined()
    try await OutputSink(turn.invocation.clauses, session, turn.context).deliver(exactly: text)
  }

  /// Which requests may pass: those of a command that cannot know its own without answers.
  private var reads: HoldingTransport.Reads {
    if turn.traits.contains(.sendsAsTyped) { return .held }
    if turn.command.writes { return .sent }
    return RequestPredictor(turn.invocation, turn.traits).needsAnswers ? .sentAndKept : .held
  }

  private func curl(_ session: Session) -> CurlLines {
    CurlLines(CurlFiles(turn.invocation, turn.context))
  }

  /// What the requests look like depends on the edition: where it is not known, the server is asked.
  private func findEdition(_ session: inout Session) async throws {
    guard session.server.url != nil, session.server.edition == nil, !turn.traits.contains(.anyEdition) else {
      return
    }
    switch turn.context.commands.declaration(of: turn.invocation)?.group {
    case .products, .requests: _ = try await turn.context.market(&session)
    case .vendors, .weather, .scripting, .session, nil: break
    }
  }

  private static func nothing(_ command: String) -> Message {
    .note("\(.command(command)) asks no server for anything.", ko: "\(.command(command)) 명령은 서버에 요청하지 않습니다.")
  }
}

/// Whether a command that reads must have answers before it knows all its requests: a scan, several products, a last page.
struct RequestPredictor {
  private let invocation: Invocation
  private let traits: Declaration.Traits

  init(_ invocation: Invocation, _ traits: Declaration.Traits) {
    self.invocation = invocation
    self.traits = traits
  }

  var needsAnswers: Bool {
    if ["all", "where", "sort", "limit"].contains(where: invocation.has) { return true }
    if traits.contains(.needsAnswers) { return true }
    if traits.contains(.findsPlaces) {
      return invocation.all("PLACE").contains { Double($0) == nil } || !invocation.has("PLACE")
    }
    return (invocation.all("TARGET") + invocation.all("TARGETS")).contains { target in
      target == "mine" || target == "@all" || target.hasPrefix("where ") || target.contains { ",-".contains($0) }
    }
  }
}
