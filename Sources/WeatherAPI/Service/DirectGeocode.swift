import Networking

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
