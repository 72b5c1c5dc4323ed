import Foundation
import Networking

/// Detects the edition of a server with at most two requests.
package struct EditionDetector: Sendable {
  private let transport: any Transport
  private let options: SendOptions

  package init(through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.transport = transport
    self.options = options
  }

  /// Returns the newest edition whose list format the server uses.
  ///
  /// Editions with the same list request share one request.
  ///
  /// - Throws: `TransportError` if the server can't be reached, `MarketError.unknownEdition` if no response is
  ///   recognized.
  package func edition(at base: URL) async throws -> Edition {
    var asked: Request?
    var page: JSONObject?
    for edition in Edition.allCases.reversed() {
      let question = edition.codec.list(ListProducts(page: 1, size: 1))
      if question != asked { page = try await object(question, base) }
      asked = question
      if let page, edition.codec.isPage(page) { return edition }
    }
    throw MarketError.unknownEdition
  }

  private func object(_ request: Request, _ base: URL) async throws -> JSONObject? {
    let response = try await transport.send(request, to: base, with: options)
    return response.isSuccess ? (try? JSON(parsing: response.body))?.object : nil
  }
}
