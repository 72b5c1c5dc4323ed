/// The API of one edition on top of the store.
protocol EditionHandler: Sendable {
  func registerRoutes(on routes: inout Router)
  func response(to refusal: MarketHTTPError) -> MarketResponse
}
