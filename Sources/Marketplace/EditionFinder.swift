import Foundation
import Networking

/// Tells which edition a server speaks, with at most two reads.
package struct EditionFinder: Sendable {
  private let transport: any Transport
  private let options: SendOptions

  package init(through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.transport = transport
    self.options = options
  }

  /// The newest edition whose list this is; editions that are asked alike share one read, so there are two.
  ///
  /// - Throws: `TransportFailure` when the server cannot be asked, `MarketError.unknownEdition` when no answer tells.
  package func edition(at base: URL) async throws -> Edition {
    var asked: Request?
    var answer: JSONObject?
    for edition in Edition.allCases.reversed() {
      let question = edition.codec.list(ListProducts(page: 1, size: 1))
      if question != asked { answer = try await object(question, base) }
      asked = question
      if let answer, edition.codec.isPage(answer) { return edition }
    }
    throw MarketError.unknownEdition
  }

  private func object(_ request: Request, _ base: URL) async throws -> JSONObject? {
    let reply = try await transport.send(request, to: base, with: options)
    return reply.isSuccess ? (try? JSON(parsing: reply.body))?.object : nil
  }
}
