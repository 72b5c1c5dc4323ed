import Networking

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
