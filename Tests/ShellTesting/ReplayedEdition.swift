import Foundation
import MarketAPI
import ServerTesting
import Synchronization

/// A server for each edition that answers the life of a product step by step with captures of the real one.
package final class ReplayedEdition: Sendable {
  private let edition: Edition
  private let values: [(String, String)]
  /// The capture of the current product, or `nil` before it is created and after it is deleted.
  private let standing = Mutex<String?>(nil)
  private let patches = Mutex(0)

  /// Creates a server.
  ///
  /// `values` replaces words of the captured product, for a test that sends other ones.
  package init(_ edition: Edition, values: [(String, String)] = []) {
    self.edition = edition
    self.values = values
  }

  package func start() async throws -> TinyServer {
    try await TinyServer { [self] _, request in
      do {
        return try answer(String(request.prefix { $0 != "\r\n" }.dropLast(" HTTP/1.1".count)))
      } catch {
        return .say("HTTP/1.1 500 no capture\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }

  private func answer(_ line: String) throws -> TinyServer.Act {
    switch edition {
    case .camp1, .camp2:
      if line == "GET /items/1" { return try page() }
      if line.hasPrefix("GET /items/") {
        return json("{\"page\":\(line.dropFirst("GET /items/".count)),\"items\":[]}", 200)
      }
      switch line {
      case "GET /item/331": return try product()
      case "POST /item": return try become("made.json")
      case "PATCH /item/331": return try patch(["patched.json", "made.json", "pictures.json"])
      case "DELETE /item/331": return try delete()
      default: return try say("gone.json", 404)
      }
    case .training: return try vendorAnswer(line, id: 522, asking: "secret", deleting: "/api/products/522/")
    case .open: return try vendorAnswer(line, id: 1944, asking: "archived", deleting: "")
    }
  }

  private func vendorAnswer(_ line: String, id: Int, asking: String, deleting: String) throws -> TinyServer.Act {
    let ticket = try capture("ticket.txt")
    if line.hasPrefix("GET /api/products?") { return try page() }
    switch line {
    case "GET /healthChecker": return json("\"OK\"", 200)
    case "GET /api/products/\(id)": return try product()
    case "POST /api/products": return try become("made.json", 201)
    case "PATCH /api/products/\(id)": return try patch(["patched.json", "made.json"])
    case "POST /api/products/\(id)/\(asking)": return json(ticket, 200, type: "text/plain;charset=UTF-8")
    case "DELETE " + deleting + ticket: return try delete()
    default: return try say("gone.json", 404)
    }
  }

  /// Returns the page.
  ///
  /// The product is listed first while it exists.
  private func page() throws -> TinyServer.Act {
    var text = try capture("page.json")
    if let name = standing.withLock({ $0 }) {
      let row = try capture(name)
      text = text.replacing(#/"(?:pages|items)": \[/#, maxReplacements: 1) { $0.output + row + "," }
        .replacing(#/"total_?[cC]ount": 2/#) { $0.output.dropLast() + "3" }
    }
    return json(text, 200)
  }

  private func product() throws -> TinyServer.Act {
    guard let name = standing.withLock({ $0 }) else { return try say("gone.json", 404) }
    return try say(name)
  }

  private func become(_ name: String, _ status: Int = 200) throws -> TinyServer.Act {
    standing.withLock { $0 = name }
    return try say(name, status)
  }

  private func patch(_ steps: [String]) throws -> TinyServer.Act {
    let step = patches.withLock { number in
      defer { number += 1 }
      return number
    }
    return try become(step < steps.count ? steps[step] : "no such step")
  }

  private func delete() throws -> TinyServer.Act {
    standing.withLock { $0 = nil }
    return try say("deleted.json")
  }

  private func say(_ name: String, _ status: Int = 200) throws -> TinyServer.Act { json(try capture(name), status) }

  private func json(_ body: String, _ status: Int, type: String = "application/json") -> TinyServer.Act {
    .say("HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
  }

  private func capture(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appendingPathComponent("Captures/Matrix/\(edition.rawValue)/" + name), encoding: .utf8)
    // The pictures were on remote hosts. This address doesn't respond.
    return values.reduce(text) { $0.replacing($1.0, with: $1.1) }.replacing(
      #/https://[a-z0-9.-]+amazonaws\.com/#, with: "http://127.0.0.1:1")
  }
}
