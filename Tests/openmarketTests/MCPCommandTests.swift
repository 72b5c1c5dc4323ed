import Foundation
import Glibc
import ShellRuntime
import TerminalTesting
import TestSupport
import Testing

/// The process of `openmarket mcp`: its descriptors, and how it ends.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct MCPCommandTests {
  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  private static func line(_ id: Int, _ method: String, _ parameters: String = "") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(meta)\#(parameters.isEmpty ? "" : "," + parameters)}}"#
      + "\n"
  }

  /// A running server with pipes.
  private final class Server {
    let processID: pid_t
    private(set) var input: Int32
    private(set) var output: Int32
    let home: TemporaryHome
    private var rest = ""

    init(_ arguments: [String] = [], environment: [String] = []) throws {
      home = try TemporaryHome()
      let inward = try Spawn.pipe()
      let outward = try Spawn.pipe()
      let program = builtProgram("openmarket")
      let errors = home.path + "/err"
      let (id, problem) = Spawn.start(
        program, [program, "--home", home.path + "/home", "mcp"] + arguments,
        environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
          + environment
      ) { actions in
        posix_spawn_file_actions_adddup2(&actions, inward.readEnd, 0)
        posix_spawn_file_actions_adddup2(&actions, outward.writeEnd, 1)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
      }
      try #require(problem == 0)
      close(inward.readEnd)
      close(outward.writeEnd)
      (processID, input, output) = (id, inward.writeEnd, outward.readEnd)
    }

    deinit {
      closeInput()
      closeOutput()
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
    }

    func send(_ text: String) { _ = text.withCString { Glibc.write(input, $0, strlen($0)) } }

    /// Returns the next line of standard output.
    func line() throws -> String {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !rest.contains("\n") {
        var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        try Waiting.blocking("a line of the server") { poll(&wanted, 1, 100) > 0 }
        let count = read(output, &buffer, buffer.count)
        try #require(count > 0, "the server ended: \(errors)")
        rest += String(decoding: buffer[..<count], as: UTF8.self)
      }
      let end = rest.firstIndex(of: "\n") ?? rest.startIndex
      defer { rest = String(rest[rest.index(after: end)...]) }
      return String(rest[..<end])
    }

    var errors: String { (try? String(contentsOfFile: home.path + "/err", encoding: .utf8)) ?? "" }

    func closeInput() {
      if input >= 0 { close(input) }
      input = -1
    }

    func closeOutput() {
      if output >= 0 { close(output) }
      output = -1
    }

    /// Waits for the end and returns the exit code.
    func exitCode() throws -> Int32 {
      var status: Int32 = 0
      try Waiting.blocking("the end") { waitpid(processID, &status, WNOHANG) == processID }
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
  }

  /// The ways in which a client leaves.
  enum Departure: String, CaseIterable {
    case endOfInput, terminated, interrupted, closedOutput, brokenPipe
  }

  /// The points at which it leaves.
  enum Point: String, CaseIterable {
    case beforeAnything, afterDiscovery, duringACall, afterACall, afterHalfALine
  }

  /// However and whenever the client leaves, the process ends by itself with 0. It has at most a second for that, which is
  /// not measured here, because a busy machine is slower; its own limit ends it with what is in flight.
  @Test(arguments: Departure.allCases, Point.allCases) func processEndsWithItsClient(
    _ departure: Departure, _ point: Point
  )
    throws
  {
    let server = try Server()
    switch point {
    case .beforeAnything: break
    case .afterDiscovery:
      server.send(Self.line(1, "server/discover"))
      #expect(try server.line().contains("\"id\":1"))
    case .duringACall:
      server.send(Self.line(1, "tools/call", #""name":"list_products","arguments":{"where":"stock=0"}"#))
    case .afterACall:
      server.send(Self.line(1, "tools/call", #""name":"log","arguments":{}"#))
      #expect(try server.line().contains("\"entries\":[]"))
    case .afterHalfALine: server.send(#"{"jsonrpc":"2.0","id":1,"#)
    }
    switch departure {
    case .endOfInput: server.closeInput()
    case .terminated:
      // Signals are handled once the server has begun to serve.
      server.send(Self.line(8, "server/discover"))
      if point != .afterHalfALine {
        try Waiting.blocking("an answer") { try server.line().contains("\"id\":8") }
      } else {
        _ = try server.line()
      }
      kill(server.processID, SIGTERM)
    case .interrupted:
      server.send(Self.line(8, "server/discover"))
      if point != .afterHalfALine {
        try Waiting.blocking("an answer") { try server.line().contains("\"id\":8") }
      } else {
        _ = try server.line()
      }
      kill(server.processID, SIGINT)
    case .closedOutput: server.closeOutput()
    case .brokenPipe:
      server.closeOutput()
      server.send("\n" + Self.line(9, "server/discover"))
    }
    #expect(try server.exitCode() == 0, "\(server.errors)")
  }

  /// Standard output is the protocol alone: nothing else is on it, and messages go to standard error.
  @Test func standardOutputHasOnlyTheProtocol() throws {
    let server = try Server(["--rate", "1000/s"])
    server.send(
      "garbage\n" + Self.line(1, "tools/list")
        + Self.line(2, "tools/call", #""name":"show_product","arguments":{"id":42}"#))
    var ids: Set<String> = []
    for _ in 0..<3 {
      let line = try server.line()
      #expect(line.hasPrefix(#"{"jsonrpc":"2.0","#) && line.hasSuffix("}"))
      ids.insert(line.contains("\"id\":1,") ? "1" : line.contains("\"id\":2,") ? "2" : "error")
    }
    #expect(ids == ["1", "2", "error"])
    server.closeInput()
    #expect(try server.exitCode() == 0)
    #expect(server.errors.isEmpty)
  }

  /// The usual first trial: all requests come at once, with the end of the input. A request that needs a market has 600 ms,
  /// which a busy machine may exceed, so none is here.
  @Test func requestsThatComeWithTheEndOfInputAreAnswered() throws {
    let home = try TemporaryHome()
    let lines = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
    ]
    let result = try openmarket(["mcp", "--home", home.path], input: lines.joined(separator: "\n") + "\n")
    #expect(result.code == 0 && result.out.split(separator: "\n").count == 2, "\(result)")
    #expect(result.out.contains(#""id":1,"#) && result.out.contains(#""id":2,"#), "\(result)")
  }

  /// The line for a person names the market, also where a variable of the server's process chose it.
  @Test(arguments: [false, true]) func lineForAPersonNamesTheMarket(fromEnvironment: Bool) throws {
    let market = try RecordingServer { SmallMarket.answer($0) }
    let server = try Server(
      fromEnvironment ? [] : ["--url", market.url, "--api", "open"],
      environment: SmallMarket.vendor.map { "\($0)=\($1)" }
        + (fromEnvironment ? ["OPENMARKET_URL=" + market.url, "OPENMARKET_API=open"] : []))
    server.send(Self.line(1, "tools/call", #""name":"plan","arguments":{"line":"patch 42 stock=7"}"#))
    let line = try server.line()
    #expect(line.contains(" --url \(market.url) --api open apply "), "\(line)")
  }

  /// A cancelled call is not answered, and the next one is.
  @Test func cancelledCallIsNotAnswered() throws {
    let server = try Server(["--rate", "1/s"])
    // The bucket holds ten calls; the eleventh waits.
    for id in 1...11 { server.send(Self.line(id, "tools/call", #""name":"log","arguments":{}"#)) }
    server.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":11}}"# + "\n")
    server.send(Self.line(12, "tools/list"))
    var ids: [String] = []
    for _ in 1...11 {
      let line = try server.line()
      ids.append(String(line.dropFirst(#"{"jsonrpc":"2.0","id":"#.count).prefix { $0 != "," }))
    }
    let expected = Set((1...12).filter { $0 != 11 }.map { (id: Int) -> String in String(id) })
    #expect(Set(ids) == expected)
    server.closeInput()
    #expect(try server.exitCode() == 0)
  }

  @Test(arguments: [
    (["mcp", "--rate", "fast"], "--rate"), (["mcp", "--max-bytes", "7"], "--max-bytes"),
    (["-c", "ls", "mcp"], "-c"), (["mcp", "--profile", "nowhere"], "nowhere"), (["mcp", "--bogus"], "--bogus"),
  ]) func invalidOptionIsReported(_ words: [String], _ part: String) throws {
    let home = try TemporaryHome()
    let run = try openmarket(["--home", home.path + "/home"] + words)
    #expect(run.code == 2 && run.out.isEmpty && run.err.contains(part), "\(run)")
  }

  @Test func skillListsEveryCommandBriefly() throws {
    let run = try openmarket(["--generate-skill"])
    #expect(run.code == 0 && run.out.hasPrefix("---\nname: openmarket\n"))
    #expect(run.out.split(separator: "\n", omittingEmptySubsequences: false).count < 300)
    let all = Data(try openmarket(["help", "all", "as", "json"]).out.utf8)
    let grammar = try #require(try JSONSerialization.jsonObject(with: all) as? [String: Any])
    let commands = try #require(grammar["commands"] as? [[String: Any]])
    #expect(commands.count > 60)
    for command in commands.compactMap({ $0["name"] as? String }) {
      #expect(run.out.contains("`\(command)"), "\(command)")
    }
  }

  /// What an agent typed is offered to nobody: neither by Up, by a search nor by a suggestion.
  @Test func agentLinesAreNotRecalledOrSuggested() throws {
    let home = try TemporaryHome()
    let agent = try TerminalShell(
      ["--lang", "en"], home: home, environment: ["AI_AGENT": "bot"], columns: 80, rows: 24)
    try agent.say("show 138 name")
    #expect(try agent.leave() == 0)
    let person = try TerminalShell(["--lang", "en"], home: home, columns: 80, rows: 24)
    try person.say("show 42 name")
    try person.type("sho")
    try person.program.wait("the person's own line") { $0.screen.row.contains("show 42 name") }
    try person.type("\u{15}\u{1B}[A\u{1B}[A\u{1B}[A")
    try person.program.wait("the oldest line") { $0.screen.row.contains("show 42 name") }
    try person.drop()
    try person.type("\u{12}138")
    try person.program.wait("an unsuccessful search") { $0.screen.text.contains("bck?138") }
    #expect(!person.program.screen.text.contains("show 138"), "\(person.program.screen)")
    try person.drop()
    #expect(try person.leave() == 0)
  }

  /// A pseudo-terminal is taken for a person, and never for a signature.
  @Test(arguments: [("person", 0), ("signed", 4)] as [(String, Int32)])
  func pseudoterminalIsAPersonButNoSignature(_ policy: String, _ code: Int32) throws {
    let home = try TemporaryHome()
    let options = ["--home", home.path + "/home"]
    let plan = home.path + "/p.plan"
    #expect(try openmarket(options + ["-c", "profile demo apply=\(policy)"]).code == 0)
    let made = try openmarket(options + ["-c", "plan patch 42 stock=7 to \(plan)"], environment: ["AI_AGENT": "bot"])
    #expect(made.code == 0, "\(made.err)")
    let refused = try openmarket(options + ["--errors", "json", "-c", "apply \(plan) yes"])
    #expect(refused.code == 4 && refused.err.contains(policy == "person" ? "needs-person" : "needs-signature"))
    let program = try TerminalProgram(builtProgram("openmarket"), options + ["-c", "apply \(plan) yes"])
    if policy == "person" {
      try program.wait("the question") { $0.screen.text.contains("Type the number of products (1)") }
      try program.type("1\r")
    }
    #expect(try program.exitCode() == code)
  }
}
