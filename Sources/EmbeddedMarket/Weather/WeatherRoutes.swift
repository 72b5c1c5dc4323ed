import Foundation

/// OpenWeatherMap's paths beside the market's, answered with made-up weather of the server's own clock.
struct WeatherRoutes {
  let clock: @Sendable () -> Date

  func declare(on routes: inout Routes) {
    for path in ["/data/2.5/weather", "/data/2.5/forecast", "/geo/1.0/direct", "/geo/1.0/reverse"] {
      routes.get(path) { [clock] call in
        guard let answer = SampleWeather.answer(path: path, query: call.query.all, now: clock()) else {
          throw Refusal(404, "Not Found")
        }
        return Answer(status: answer.status, type: "application/json; charset=utf-8", body: Data(answer.json.utf8))
      }
    }
  }
}
