import Networking

/// Five days in slots of three hours: `GET /data/2.5/forecast`.
package struct FiveDayForecast: Endpoint {
  package var coordinate: Coordinate
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  package func request(to service: OpenWeather) throws -> Request {
    try service.get(["data", "2.5", "forecast"], service.question(at: coordinate))
  }

  package func answer(from reply: Reply, of service: OpenWeather) throws -> Forecast {
    let forecast = Forecast(try Answers.tree(from: reply, of: service), in: service.units)
    guard !forecast.slots.isEmpty else { throw WeatherError.unreadable(status: reply.status) }
    return forecast
  }
}
