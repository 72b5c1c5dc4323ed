import Networking

/// Asks the market whether it is well.
package struct CheckHealth: Endpoint {
  package init() {}

  package func request(to market: Market) throws -> Request {
    guard market.edition.supports(.checkHealth) else {
      throw MarketError.unsupported(.checkHealth, market.edition)
    }
    return Request(.get, ["healthChecker"])
  }

  package func answer(from reply: Reply, of market: Market) throws -> HealthAnswer {
    let answer = AnswerReader(reply: reply, market: market)
    let text = try answer.text()
    return HealthAnswer(isHealthy: text == "OK", text: answer.excerpt(text))
  }
}
