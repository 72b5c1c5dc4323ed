import Networking

/// Requests the health status of the server.
package struct CheckHealth: Endpoint {
  package init() {}

  /// - Throws: `MarketError.unsupported(.checkHealth)` in the camp editions.
  package func makeRequest(to market: MarketService) throws -> Request {
    guard market.edition.supports(.checkHealth) else {
      throw MarketError.unsupported(.checkHealth, market.edition)
    }
    return Request(.get, ["healthChecker"])
  }

  /// - Throws: The error for an unsuccessful status.
  package func decode(from response: Response, of market: MarketService) throws -> HealthStatus {
    let decoder = ResponseDecoder(response: response, market: market)
    let text = try decoder.text()
    return HealthStatus(isHealthy: text == "OK", text: decoder.excerpt(text))
  }
}

/// The health reported by the server, with its text.
package struct HealthStatus: Hashable, Sendable {
  package var isHealthy: Bool
  package var text: String

  package init(isHealthy: Bool, text: String) {
    self.isHealthy = isHealthy
    self.text = text
  }
}
