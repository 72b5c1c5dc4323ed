import Networking

/// What people call a point, nearest first: `GET /geo/1.0/reverse`. At sea the list is empty.
package struct ReverseGeocode: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  package func request(to service: OpenWeather) throws -> Request {
    try service.get(
      ["geo", "1.0", "reverse"],
      [
        QueryItem("lat", coordinate.latitudeText), QueryItem("lon", coordinate.longitudeText), QueryItem("limit", "1"),
      ])
  }

  package func answer(from reply: Reply, of service: OpenWeather) throws -> [Locality] {
    try Locality.all(from: try Answers.tree(from: reply, of: service), status: reply.status)
  }
}
