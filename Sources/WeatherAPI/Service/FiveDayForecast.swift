import Networking

/// The forecast of five days in slots of three hours: `GET /data/2.5/forecast`.
package struct FiveDayForecast: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  /// Makes the request.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; nothing was sent then.
  package func makeRequest(to service: OpenWeather) throws -> Request {
    try service.get(["data", "2.5", "forecast"], service.queryItems(at: coordinate))
  }

  /// Decodes the response.
  ///
  /// - Throws: `WeatherError.unreadable` for a success without slots, otherwise the error for the status or for `cod`.
  package func decode(from reply: Response, of service: OpenWeather) throws -> Forecast {
    let forecast = Forecast(try WeatherAnswer.json(from: reply, of: service))
    guard !forecast.slots.isEmpty else { throw WeatherError.unreadable(status: reply.status) }
    return forecast
  }
}
