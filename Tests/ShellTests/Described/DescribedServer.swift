import Foundation
import Networking
import ServerTesting
import ShellRuntime
import ShellTesting

/// A server of another API, with a shell that reads a description of it.
enum DescribedServer {
  /// Runs `body` in a shell at a server that a description describes, and stops the server.
  static func with(
    _ server: TinyServer, description: String, environment: [String: String] = [:],
    _ body: (Sandbox) async throws -> Void
  ) async throws {
    let path = NSTemporaryDirectory() + "openmarket-described-\(UUID().uuidString).toml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      try description.write(toFile: path, atomically: true, encoding: .utf8)
      var options = SessionOptions()
      options.url = server.url.absoluteString
      options.description = path
      try await Sandbox.with(options: options, environment: environment, body)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

/// Returns a response with a JSON document, and with further header fields, each with its line end.
func jsonResponse(_ status: Int, _ body: String, headers: String = "") -> String {
  "HTTP/1.1 \(status) \(HTTPStatus.name(of: status))\r\nContent-Type: application/json\r\n\(headers)"
    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}
