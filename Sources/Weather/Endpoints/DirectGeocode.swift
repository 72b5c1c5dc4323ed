import Networking

/// Up to five places of a name, in any language: `GET /geo/1.0/direct`. An unknown name is an empty list.
package struct DirectGeocode: Endpoint {
  /// `서울`, `London`, `London, GB`
  package var name: String
  package init(_ name: String) { self.name = name }

  package func request(to service: OpenWeather) throws -> Request {
    // The service wants `London,GB`, without blanks around the comma.
    let parts = name.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
    let query = parts.filter { !$0.isEmpty }.joined(separator: ",")
    return try service.get(["geo", "1.0", "direct"], [QueryItem("q", query), QueryItem("limit", "5")])
  }

  package func answer(from reply: Reply, of service: OpenWeather) throws -> [Locality] {
    try Locality.all(from: try Answers.tree(from: reply, of: service), status: reply.status)
  }
}
