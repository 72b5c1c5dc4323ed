import Foundation
import ModelContextProtocol
import Networking
import Synchronization
import TestSupport

/// A client that talks to a server in this process, line by line.
final class Client: Sendable {
  static let modern =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  /// The lines that the server sent.
  private final class Sent: Sendable {
    let lines = Mutex<[String]>([])
  }

  let features = StubFeatures()
  private let sent = Sent()
  private let server: ProtocolServer

  init(maximumBytes: Int = 65_536) {
    server = ProtocolServer(
      ServerDescription(name: "stub", title: "Stub", version: "1", instructions: "Read."), features,
      maximumBytes: maximumBytes, rate: 10_000, mask: { $0.replacing("hunter2", with: "•••") },
      send: { [sent] line in sent.lines.withLock { $0.append(line) } })
  }

  /// Everything that the server sent so far.
  var lines: [String] { sent.lines.withLock { $0 } }

  func send(_ line: String) { server.receive(.text(Data(line.utf8))) }
  func sendTooLong() { server.receive(.tooLong) }
  func end() { server.cancelAll() }

  /// Sends a line and returns what the server sends next.
  func answer(to line: String) async throws -> String {
    let before = lines.count
    send(line)
    try await Waiting.until("an answer to \(line.prefix(200))") { lines.count > before }
    return lines[before]
  }

  /// Sends a request of the version without a handshake.
  func request(_ id: String, _ method: String, _ parameters: String = "") async throws -> String {
    let rest = parameters.isEmpty ? "" : "," + parameters
    return try await answer(
      to: #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(Client.modern)\#(rest)}}"#)
  }

  /// Makes the handshake of the earlier versions.
  func initialize(_ version: String = "2025-11-25") async throws -> String {
    let client = #""capabilities":{},"clientInfo":{"name":"c","version":"1"}"#
    return try await answer(
      to: #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)",\#(client)}}"#)
  }
}
