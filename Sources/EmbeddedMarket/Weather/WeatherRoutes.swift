import Foundation
import NIOCore

/// The paths of OpenWeatherMap next to those of the market, with generated weather for the server's clock.
struct WeatherRoutes {
  let clock: @Sendable () -> Date

  func declare(on routes: inout Router) {
    for path in ["/data/2.5/weather", "/data/2.5/forecast", "/geo/1.0/direct", "/geo/1.0/reverse"] {
      routes.get(path) { [clock] call in
        guard let answer = SampleWeather.answer(path: path, query: call.query.all, now: clock()) else {
          throw MarketHTTPError(404, "Not Found")
        }
        let body = ByteBuffer(string: answer.json)
        return MarketResponse(status: answer.status, type: "application/json; charset=utf-8", body: body)
      }
    }
  }
}
