import Networking

/// The current weather at a point: `GET /data/2.5/weather`.
package struct CurrentWeather: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  /// Makes the request.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; nothing was sent then.
  package func makeRequest(to service: OpenWeather) throws -> Request {
    try service.get(["data", "2.5", "weather"], service.queryItems(at: coordinate))
  }

  /// Decodes the response.
  ///
  /// - Throws: `WeatherError.unreadable` for a success without weather, otherwise the error for the status or for
  ///   `cod`.
  package func decode(from reply: Response, of service: OpenWeather) throws -> CurrentConditions {
    let json = try WeatherAnswer.json(from: reply, of: service)
    guard json["main"].isObject || !json["weather"].arrayOrEmpty.isEmpty else {
      throw WeatherError.unreadable(status: reply.status)
    }
    return CurrentConditions(json)
  }
}
