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
  package func decode(from reply: Response, of service: OpenWeather) throws -> ConditionsValues {
    let json = try WeatherAnswer.json(from: reply, of: service)
    guard json["main"].isObject || !json["weather"].arrayOrEmpty.isEmpty else {
      throw WeatherError.unreadable(status: reply.status)
    }
    return ConditionsValues(json)
  }
}

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

/// The names of a point, nearest first: `GET /geo/1.0/reverse`.
///
/// At sea the list is empty.
package struct ReverseGeocode: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  /// Makes the request.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; nothing was sent then.
  package func makeRequest(to service: OpenWeather) throws -> Request {
    try service.get(
      ["geo", "1.0", "reverse"],
      [
        QueryItem("lat", coordinate.latitudeText), QueryItem("lon", coordinate.longitudeText), QueryItem("limit", "1"),
      ])
  }

  /// Decodes the response.
  ///
  /// - Throws: `WeatherError.unreadable` for a success without a list, otherwise the error for the status or for `cod`.
  package func decode(from reply: Response, of service: OpenWeather) throws -> [Locality] {
    try Locality.all(from: try WeatherAnswer.json(from: reply, of: service), status: reply.status)
  }
}

/// Up to five places with a name in any language: `GET /geo/1.0/direct`.
///
/// An unknown name has an empty list.
package struct DirectGeocode: Endpoint {
  /// The name to search for: `서울`, `London`, `London, GB`.
  package var name: String
  package init(_ name: String) { self.name = name }

  /// Makes the request.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`; nothing was sent then.
  package func makeRequest(to service: OpenWeather) throws -> Request {
    // The service requires `London,GB`, without spaces around the comma.
    let parts = name.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
    let query = parts.filter { !$0.isEmpty }.joined(separator: ",")
    return try service.get(["geo", "1.0", "direct"], [QueryItem("q", query), QueryItem("limit", "5")])
  }

  /// Decodes the response.
  ///
  /// - Throws: `WeatherError.unreadable` for a success without a list, otherwise the error for the status or for `cod`.
  package func decode(from reply: Response, of service: OpenWeather) throws -> [Locality] {
    try Locality.all(from: try WeatherAnswer.json(from: reply, of: service), status: reply.status)
  }
}
