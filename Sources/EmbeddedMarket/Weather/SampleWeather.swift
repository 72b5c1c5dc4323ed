import Foundation

/// Made-up weather in the shape of OpenWeatherMap's answers: for any point and moment, always the same for both.
package enum SampleWeather {
  /// Nil for a path that is none of the four; otherwise a status and a JSON body.
  package static func answer(path: String, query: [String: String], now: Date) -> (status: Int, json: String)? {
    let instant = Int(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
    switch path {
    case "/data/2.5/weather":
      return located(query) { SampleCurrent(sky: $0, question: SampleQuestion(query), now: instant).json }
    case "/data/2.5/forecast":
      return located(query) { SampleForecast(sky: $0, question: SampleQuestion(query), now: instant).json }
    case "/geo/1.0/direct": return direct(query)
    case "/geo/1.0/reverse":
      return located(query) { sky in
        let near = SampleTown.near(latitude: sky.latitude, longitude: sky.longitude)
        return "[" + near.prefix(limit(query)).map(\.json).joined(separator: ",") + "]"
      }
    default: return nil
    }
  }

  private static func direct(_ query: [String: String]) -> (status: Int, json: String) {
    guard let name = query["q"], !name.allSatisfy(\.isWhitespace) else { return refusal("Nothing to geocode") }
    return (200, "[" + SampleTown.named(name).prefix(limit(query)).map(\.json).joined(separator: ",") + "]")
  }

  private static func limit(_ query: [String: String]) -> Int {
    min(5, max(1, query["limit"].flatMap { Int($0) } ?? 5))
  }

  /// Hands on the point of `lat` and `lon`, or answers as the service does when there is none.
  private static func located(
    _ query: [String: String], _ answer: (SampleSky) -> String
  ) -> (status: Int, json: String) {
    guard let latitude = query["lat"], let longitude = query["lon"] else { return refusal("Nothing to geocode") }
    guard let north = degrees(latitude), abs(north) <= 90 else { return refusal("wrong latitude") }
    guard let east = degrees(longitude), abs(east) <= 180 else { return refusal("wrong longitude") }
    return (200, answer(SampleSky(latitude: north, longitude: east)))
  }

  private static func degrees(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    guard let first = digits.first, first.isASCII, first.isNumber, digits.utf8.count <= 24,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
    else { return nil }
    return Double(text)
  }

  private static func refusal(_ message: String) -> (status: Int, json: String) {
    (400, "{\"cod\":\"400\",\"message\":\"\(message)\"}")
  }
}

/// How the answer is wanted: units, language, how many slots.
struct SampleQuestion {
  var isMetric: Bool
  var isImperial: Bool
  var isKorean: Bool
  var count: Int

  init(_ query: [String: String]) {
    isMetric = query["units"] == "metric"
    isImperial = query["units"] == "imperial"
    isKorean = query["lang"] == "kr" || query["lang"] == "ko"
    count = min(40, max(1, query["cnt"].flatMap { Int($0) } ?? 40))
  }

  func temperature(_ celsius: Double) -> String {
    SampleNumber.text(isMetric ? celsius : isImperial ? celsius * 1.8 + 32 : celsius + 273.15)
  }

  func speed(_ metres: Double) -> String { SampleNumber.text(isImperial ? metres * 2.236_936 : metres) }
}

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
