/// The API of one edition on top of the store.
protocol EditionHandler: Sendable {
  func registerRoutes(on routes: inout Router)
  func response(to refusal: MarketHTTPError) -> MarketResponse
  /// Returns the message that the client gets.
  func words(of refusal: MarketHTTPError) -> String
}

extension EditionHandler {
  /// Returns a refusal as the log and the report have it.
  func logged(_ refusal: MarketHTTPError) -> LoggedRefusal {
    let words = words(of: refusal)
    // Several errors have the text `Not Found`.
    let isReworded = refusal.vaporMessage == nil && words != refusal.message
    let rest = [isReworded ? refusal.message : nil, refusal.detail].compactMap { $0 }
    return LoggedRefusal(words: words, detail: rest.isEmpty ? nil : rest.joined(separator: "; "))
  }
}
