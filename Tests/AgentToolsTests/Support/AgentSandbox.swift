import AgentTools
import Foundation
import ModelContextProtocol
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// A server for agents in a sandbox: the market over real HTTP, and the protocol line by line.
final class AgentSandbox: Sendable {
  let sandbox: Sandbox
  private let server: ProtocolServer
  private let number = Counter()

  static let maximumBytes = 16_384
  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"Test Agent","version":"1"}}"#

  init(
    _ sandbox: Sandbox, options: SessionOptions = SessionOptions(), maximumBytes: Int = AgentSandbox.maximumBytes
  ) async throws {
    self.sandbox = sandbox
    let context = await sandbox.shell.context
    let tools = ToolEnvironment(
      try sandbox.reopened(options), context, plans: sandbox.folder + "/plans", programLine: "openmarket")
    let lines = SentLines()
    server = ProtocolServer(
      ServerDescription(
        name: "openmarket", title: "Open Market", version: "0", instructions: MarketFeatures.instructions),
      MarketFeatures(tools), maximumBytes: maximumBytes, rate: 10_000, mask: { tools.mask($0) }, send: { lines.add($0) }
    )
    self.lines = lines
  }

  private let lines: SentLines

  /// The lines that the server sent, by the id of their response.
  private final class SentLines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func response(to id: Int) -> String? {
      lines.withLock { $0.last { $0.hasPrefix("{\"jsonrpc\":\"2.0\",\"id\":\(id),") } }
    }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  /// Everything that was sent since the last call.
  func takeLines() -> [String] { lines.take() }

  /// Sends a raw line without waiting.
  func send(_ line: String) { server.receive(.text(Data(line.utf8))) }

  /// Calls a method and returns the line of its response.
  func request(_ method: String, _ parameters: [(String, JSON)] = []) async throws -> String {
    let id = number.next()
    let rest = parameters.map { ",\"\($0)\":\($1.serialized)" }.joined()
    send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(AgentSandbox.meta)\#(rest)}}"#)
    try await Waiting.until("the response to \(method)") { lines.response(to: id) != nil }
    return lines.response(to: id) ?? ""
  }

  /// Calls a tool and returns its content and whether it is an error.
  ///
  /// A content that breaks the tool's schema is an issue, unless it is an error.
  func call(_ tool: String, _ arguments: [(String, JSON)] = []) async throws -> (content: JSONObject, isError: Bool) {
    let line = try await request("tools/call", [("name", .string(tool)), ("arguments", .object(arguments))])
    let result = try JSON(parsing: Data(line.utf8)).object?["result"]?.object
    let isError = result?["isError"] == .bool(true)
    if !isError, let schema = MarketFeatures.toolDeclarations.first(where: { $0.name == tool })?.output {
      let problems = ResultSchema(schema).problems(in: result?["structuredContent"] ?? .null)
      #expect(problems.isEmpty, "\(tool) \(JSON.object(arguments).serialized)")
    }
    return (result?["structuredContent"]?.object ?? JSONObject(), isError)
  }
}
