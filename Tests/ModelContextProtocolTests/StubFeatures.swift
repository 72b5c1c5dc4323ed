import Foundation
import ModelContextProtocol
import Networking
import Synchronization

/// Features for tests: a tool that echoes its argument, one with many rows, one that waits until it is cancelled, and one
/// that fails.
final class StubFeatures: FeatureProvider {
  struct Failure: Error {}

  let started = Mutex<[String]>([])
  /// The arguments of the calls.
  let received = Mutex<[JSONObject]>([])
  let cancelled = Mutex(0)

  let tools = [
    ToolDeclaration(
      "echo", title: "Echo", description: "Returns its text.",
      parameters: [
        ToolParameter("text", .text(maximum: 10), description: "A text.", required: true),
        ToolParameter("count", .integer(1...3), description: "A number."),
        ToolParameter("words", .list(["a", "b"]), description: "Words."),
        ToolParameter("flag", .boolean, description: "A flag."),
      ], output: .object([("type", .string("object"))])),
    ToolDeclaration(
      "rows", title: "Rows", description: "Returns rows.", parameters: [],
      output: .object([("type", .string("object"))])),
    ToolDeclaration(
      "wait", title: "Wait", description: "Never ends.", parameters: [], output: .object([("type", .string("object"))])),
    ToolDeclaration(
      "fail", title: "Fail", description: "Fails.", parameters: [], output: .object([("type", .string("object"))]),
      effect: .additive),
    ToolDeclaration(
      "long", title: "Long", description: "A text without rows.", parameters: [],
      output: .object([("type", .string("object"))])),
  ]
  let resources = [
    ResourceDeclaration("test://one", name: "one", description: "One.", mediaType: "text/plain"),
    ResourceDeclaration("test://item/{id}", name: "item", description: "An item.", mediaType: "text/plain"),
  ]
  let prompts = [
    PromptDeclaration("ask", title: "Ask", description: "Asks.", arguments: [.init("id", "An id.", required: true)])
  ]

  func call(_ tool: String, _ arguments: JSONObject, in call: ToolCall) async throws -> ToolResult {
    started.withLock { $0.append(tool) }
    received.withLock { $0.append(arguments) }
    switch tool {
    case "rows":
      let rows = (1...500).map { JSON.object([("id", .int($0)), ("name", .string("row \($0)"))]) }
      return ToolResult(
        JSONObject([
          ("rows", .array(rows)), ("returned", .int(500)), ("truncated", .bool(false)), ("next", .null),
        ]), rows: "rows", continuation: .init("next") { .string("after \($0)") })
    case "wait":
      for step in 1...3 { call.report(step, 3, "step \(step)") }
      do { try await Task.sleep(for: .seconds(600)) } catch {
        cancelled.withLock { $0 += 1 }
        throw error
      }
      return ToolResult(JSONObject())
    case "fail": throw Failure()
    case "long": return ToolResult(JSONObject([("text", .string(String(repeating: "x", count: 100_000)))]))
    default: return ToolResult(JSONObject([("text", arguments["text"] ?? .null)]))
    }
  }

  func read(_ uri: String) async throws -> ResourceText? {
    uri == "test://one"
      ? ResourceText(uri, mediaType: "text/plain", text: String(repeating: "\u{1B}가", count: 10_000)) : nil
  }

  func prompt(_ name: String, _ arguments: [String: String]) async throws -> String { "ask " + (arguments["id"] ?? "") }

  func failure(_ error: any Error) -> ToolResult {
    ToolResult(JSONObject([("code", .string("failed"))]), isError: true)
  }
  func failure(badArguments problem: String) -> ToolResult {
    ToolResult(JSONObject([("code", .string("bad-arguments")), ("text", .string(problem))]), isError: true)
  }
  func failure(tooLarge bytes: Int) -> ToolResult {
    ToolResult(JSONObject([("code", .string("too-large"))]), isError: true)
  }
}
