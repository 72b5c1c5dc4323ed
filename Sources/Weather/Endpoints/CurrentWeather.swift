import Networking

/// The weather at a point now: `GET /data/2.5/weather`.
package struct CurrentWeather: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  package func request(to service: OpenWeather) throws -> Request {
    try service.get(["data", "2.5", "weather"], service.question(at: coordinate))
  }

  package func answer(from reply: Reply, of service: OpenWeather) throws -> Conditions {
    let tree = try Answers.tree(from: reply, of: service)
    guard tree["main"].isObject || !tree["weather"].list.isEmpty else {
      throw WeatherError.unreadable(status: reply.status)
    }
    return Conditions(tree, in: service.units)
  }
}
