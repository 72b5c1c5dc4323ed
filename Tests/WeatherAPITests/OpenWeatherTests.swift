import EmbeddedMarket
import Foundation
import Networking
import Testing
import Text

@testable import WeatherAPI

@Suite struct OpenWeatherTests {
  @Test(arguments: [
    ("current-seoul-2021-09-28-kelvin-en", Support.Units.standard, "23.0", "흐림", "Seoul"),
    ("current-seoul-2021-10-01-kelvin-en", .standard, "23.8", "맑음", "Seoul"),
    ("current-seoul-2022-09-05-metric-kr-two-conditions", .metric, "19.0", "강한 비, 박무", "Samjeon-dong"),
    ("current-shuzenji-2021-01-19-metric-en", .metric, "0.6", "구름 약간 많음", "Shuzenji"),
    ("current-zocca-official-doc-sample", .standard, "25.3", "비", "Zocca"),
  ])
  func capturedCurrentWeatherIsDecoded(
    _ name: String, _ units: Support.Units, _ degrees: String, _ sky: String, _ place: String
  ) throws {
    let now = try Support.read(Support.service().currentWeather(at: Support.seoul.coordinate), name, units)
    let words = now.conditions.map { $0.name(in: .korean) }.joined(separator: ", ")
    #expect([now.temperature.map { DecimalText.fixed($0) }, words, now.name] == [degrees, sky, place])
  }

  @Test(arguments: [
    ("forecast-seoul-2021-09-28-kelvin-en", Support.Units.standard, 1_632_830_400),
    ("forecast-seoul-2021-10-01-kelvin-kr", .standard, 1_633_057_200),
    ("forecast-shuzenji-2021-01-19-metric-en", .metric, 1_611_057_600),
  ])
  func capturedForecastIsDecoded(_ name: String, _ units: Support.Units, _ first: Int) throws {
    let forecast = try Support.read(Support.service().forecast(at: Support.seoul.coordinate), name, units)
    #expect([forecast.slots.count, forecast.slots.first?.time, forecast.offset] == [40, first, 32_400])
  }

  @Test func placeNameFallsBackToAnotherLanguage() throws {
    let reverse = try Support.read(
      Support.service().places(at: Support.seoul.coordinate), "geo-reverse-london-5", .metric)
    let names = ["London", "City of Westminster", "Lambeth", "Clerkenwell", "City of London"]
    #expect(reverse.map { $0.name(in: .korean) } == names)
    let direct = try ["geo-direct-seoul-1", "geo-direct-sandiego-state", "geo-empty", "geo-direct-london-5"].map {
      try Support.read(Support.service().places(named: "x"), $0, .metric).map { $0.title(in: .korean) }
    }
    let london = ["London, GB", "London, CA", "London, OH, US", "London, KY, US", "London, CA, US"]
    #expect(direct == [["서울, KR"], ["샌디에이고, California, US"], [], london])
  }

  @Test(arguments: [
    ("error-401-invalid-key", 401, "key-refused"), ("error-404-city-not-found", 404, "not-found"),
    ("error-404-internal-bad-path", 404, "not-found"), ("error-400-nothing-to-geocode", 400, "bad-request"),
    ("error-400-wrong-latitude", 400, "bad-request"), ("error-400-wrong-longitude", 400, "bad-request"),
    ("error-429-rate-limit", 429, "too-many-requests"),
  ])
  func capturedErrorsAreDecoded(_ name: String, _ status: Int, _ kind: String) throws {
    // Also if a proxy changed the status to 200.
    for sent in [status, 200] {
      let reply = Response(status: sent, body: try Support.capture(name))
      let error = #expect(throws: WeatherError.self) {
        try Support.service().currentWeather(at: Support.seoul.coordinate).decode(from: reply, of: Support.service())
      }
      #expect([error?.kind, error?.status.map(String.init)] == [kind, String(status)])
      #expect(error?.serverText?.isEmpty == false)
    }
  }

  @Test(arguments: [
    (503, "<html>busy</html>", WeatherError.serverError(status: 503, nil)),
    (500, "{\"cod\":\"500\",\"message\":{\"x\":1}}", .serverError(status: 500, nil)),
    (200, "", .unreadable(status: 200)), (200, "<html>", .unreadable(status: 200)),
    (200, "{}", .unreadable(status: 200)),
    (200, "[]", .unreadable(status: 200)), (302, "", .refused(status: 302, nil)),
  ])
  func invalidBodiesAreErrors(_ status: Int, _ body: String, _ expected: WeatherError) {
    #expect(throws: expected) {
      try Support.service().currentWeather(at: Support.seoul.coordinate)
        .decode(from: Response(status: status, body: Data(body.utf8)), of: Support.service())
    }
  }

  @Test func echoedKeyIsMasked() throws {
    let body = #"{"cod":"400","message":"bad appid=\#(Support.key)","name":"\#(Support.key)"}"#
    for status in [200, 400, 401, 402, 500] {
      let reply = Response(status: status, body: Data(body.utf8))
      let error = #expect(throws: WeatherError.self) {
        try Support.service().currentWeather(at: Support.seoul.coordinate).decode(from: reply, of: Support.service())
      }
      let said = [error?.serverText, error?.reason.english.plain, error?.reason.korean.plain].compactMap(\.self)
        .joined()
      #expect(!said.contains(Support.key) && said.contains("bad appid=•••"))
    }
    let named = Response(status: 200, body: Data(#"{"name":"\#(Support.key)","dt":1,"main":{}}"#.utf8))
    #expect(
      try Support.service().currentWeather(at: Support.seoul.coordinate).decode(from: named, of: Support.service()).name
        == "•••")
  }

  @Test func missingOrMistypedMembersAreTolerated() throws {
    let body =
      #"{"main":{"temp":"-0.04","humidity":55.6,"pressure":1e400},"weather":[],"wind":{"speed":null},"rain":{},"dt":9e99,"timezone":-34200.0,"name":"a\u001b[31m\u202eb"}"#
    let now = try Support.service().currentWeather(at: Support.seoul.coordinate)
      .decode(from: Response(status: 200, body: Data(body.utf8)), of: Support.service())
    var expected = CurrentConditions(conditions: [])
    expected.temperature = -0.04
    expected.humidity = 56
    expected.offset = -34_200
    expected.name = "a [31mb"
    #expect(now == expected)
    #expect(DecimalText.fixed(-0.04) == "0.0")
  }

  @Test func keyOfARequestIsASecret() {
    let request = Support.service().currentWeather(at: Support.seoul.coordinate).makeRequest(to: Support.service())
    #expect(request.path == ["data", "2.5", "weather"])
    #expect(
      request.query.map { $0.name + "=" + $0.value } == [
        "lat=37.5798", "lon=126.9771", "units=metric", "lang=kr", "appid=" + Support.key,
      ])
    #expect(request.secrets.map(\.environmentVariable) == ["OPENWEATHER_API_KEY"])
  }

  @Test(arguments: [(37.5667, 126.9783), (-90.0, 0.0), (71.3, -156.8), (19.1, 72.9), (-9.8, -139.04), (0.0, 180.0)])
  func sampleServiceIsDecodedLikeTheRealOne(_ latitude: Double, _ longitude: Double) throws {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let point = PlaceQuery.point(latitude, longitude)
    let sample = OpenWeather(key: nil, language: .korean)
    func ask<Value>(_ endpoint: OpenWeatherEndpoint<Value>) throws -> Value {
      let request = endpoint.makeRequest(to: sample)
      let query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
      let path = "/" + request.path.joined(separator: "/")
      let answer = try #require(SampleWeather.response(path: path, query: query, now: now))
      return try endpoint.decode(from: Response(status: answer.status, body: Data(answer.json.utf8)), of: sample)
    }
    let current = try ask(sample.currentWeather(at: point))
    let forecast = try ask(sample.forecast(at: point))
    #expect(current.offset == forecast.offset)
    #expect(forecast.slots.map(\.time) == (0..<40).map { 1_700_006_400 + $0 * 10_800 })
    #expect(forecast.slots.allSatisfy { (-60...50).contains($0.temperature ?? 99) && $0.conditions.count == 1 })
    #expect(try ask(sample.places(named: "서울")).map(\.name) == ["Seoul"])
    #expect(try ask(sample.places(named: "London, GB")).map(\.country) == ["GB"])
    #expect(try ask(sample.places(named: "nowhere")).isEmpty)
    _ = try ask(sample.places(at: point))
    #expect(
      SampleWeather.response(path: "/data/2.5/weather", query: ["lat": "91", "lon": "0"], now: now)?.status == 400)
    #expect(SampleWeather.response(path: "/other", query: [:], now: now) == nil)
  }
}
