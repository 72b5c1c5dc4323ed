import Foundation
import Networking

/// Tells which edition a server speaks, with at most two reads.
package struct EditionFinder: Sendable {
  private let transport: any Transport
  private let deadline: Duration

  package init(through transport: any Transport, deadline: Duration = .seconds(30)) {
    self.transport = transport
    self.deadline = deadline
  }

  /// camelCase paging is `open`, snake_case is `training`, `/items/1` is `camp2`.
  ///
  /// - Throws: `TransportFailure` when the server cannot be asked, `MarketError.unknownEdition` when neither answer tells.
  package func edition(at base: URL) async throws -> Edition {
    let products = try await object(Open().list(ListProducts(page: 1, size: 1)), base)
    if products?["pageNo"] != nil { return .open }
    if products?["page_no"] != nil { return .training }
    if try await object(Camp2().list(ListProducts(page: 1)), base)?["items"]?.array != nil { return .camp2 }
    throw MarketError.unknownEdition
  }

  private func object(_ request: Request, _ base: URL) async throws -> JSONObject? {
    let reply = try await transport.send(request, to: base, deadline: deadline)
    return reply.isSuccess ? (try? JSON(parsing: reply.body))?.object : nil
  }
}
