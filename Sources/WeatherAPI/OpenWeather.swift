import Foundation
import Networking
import Text

/// The service OpenWeatherMap, or a server with the same API, at a base URL.
package struct OpenWeather: Service {
  package var baseURL: URL
  /// The API key, or `nil` for the embedded service: it needs none, and its weather is generated, as every report says.
  package var key: Secret?
  package var language: MessageLanguage

  package init(baseURL: URL = OpenWeather.address, key: Secret?, language: MessageLanguage = .english) {
    self.baseURL = baseURL
    self.key = key
    self.language = language
  }

  package static let address = URL(string: "https://api.openweathermap.org")!
  /// The environment variable for the key, also in `curl` output.
  package static let keyVariable = "OPENWEATHER_API_KEY"

  /// The key of requests that are only printed, with the name of the variable in its place.
  package static let keyPlaceholder = Secret("__\(keyVariable)__")

  package var isSample: Bool { key == nil }

  /// The key as a secret that is masked wherever a request or a response is printed.
  fileprivate var secrets: [NamedSecret] { key.map { [NamedSecret(OpenWeather.keyVariable, $0)] } ?? [] }
}

/// The four requests.
extension OpenWeather {
  /// The current weather at a point: `GET /data/2.5/weather`.
  func currentWeather(at point: Coordinate) -> OpenWeatherEndpoint<CurrentConditions> {
    OpenWeatherEndpoint(["data", "2.5", "weather"], weatherQuery(at: point), subject: OpenWeather.subject(point)) {
      $0["main"].isObject || !$0["weather"].arrayOrEmpty.isEmpty ? CurrentConditions($0) : nil
    }
  }

  /// The forecast of five days in slots of three hours: `GET /data/2.5/forecast`.
  func forecast(at point: Coordinate) -> OpenWeatherEndpoint<Forecast> {
    OpenWeatherEndpoint(["data", "2.5", "forecast"], weatherQuery(at: point), subject: OpenWeather.subject(point)) {
      let forecast = Forecast($0)
      return forecast.slots.isEmpty ? nil : forecast
    }
  }

  /// The place nearest to a point: `GET /geo/1.0/reverse`.
  ///
  /// At sea the list is empty.
  func places(at point: Coordinate) -> OpenWeatherEndpoint<[Place]> {
    let query = pointQuery(point) + [QueryItem("limit", "1")]
    return OpenWeatherEndpoint(
      ["geo", "1.0", "reverse"], query, subject: OpenWeather.subject(point), read: Place.list)
  }

  /// Up to five places with a name in any language, such as `서울`, `London` or `London, GB`: `GET /geo/1.0/direct`.
  ///
  /// An unknown name has an empty list.
  func places(named name: String) -> OpenWeatherEndpoint<[Place]> {
    // The service requires `London,GB`, without spaces around the comma.
    let parts = name.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
    let query = parts.filter { !$0.isEmpty }.joined(separator: ",")
    return OpenWeatherEndpoint(
      ["geo", "1.0", "direct"], [QueryItem("q", query), QueryItem("limit", "5")], subject: name.lowercased(),
      read: Place.list)
  }

  /// Points within a hundred metres have the same weather.
  private static func subject(_ point: Coordinate) -> String {
    DecimalText.fixed(point.latitude, 3) + "," + DecimalText.fixed(point.longitude, 3)
  }

  private func pointQuery(_ point: Coordinate) -> [QueryItem] {
    [QueryItem("lat", point.latitudeText), QueryItem("lon", point.longitudeText)]
  }

  /// Returns the query of the weather itself; the geocoder has neither units nor language.
  ///
  /// The service's code for Korean is not that of ISO 639, which its place names have nevertheless.
  private func weatherQuery(at point: Coordinate) -> [QueryItem] {
    let code =
      switch language {
      case .english: "en"
      case .korean: "kr"
      }
    return pointQuery(point) + [QueryItem("units", "metric"), QueryItem("lang", code)]
  }
}

/// A GET request of the weather service and how its response is read.
struct OpenWeatherEndpoint<Output: Sendable>: Endpoint {
  private let path: [String]
  private let query: [QueryItem]
  /// The place or the name that is asked for.
  private let subject: String
  /// Returns `nil` for JSON that is something else.
  private let read: @Sendable (JSON) -> Output?

  init(_ path: [String], _ query: [QueryItem], subject: String, read: @escaping @Sendable (JSON) -> Output?) {
    self.path = path
    self.query = query
    self.subject = subject
    self.read = read
  }

  /// Returns everything that determines the response.
  func cacheKey(of service: OpenWeather) -> [String] {
    [service.baseURL.absoluteString, service.language.rawValue] + path + [subject]
  }

  /// Returns the request with the key as the last query item.
  func makeRequest(to service: OpenWeather) -> Request {
    Request(
      .get, path, query: query + service.secrets.map { QueryItem("appid", $0.secret.reveal()) },
      secrets: service.secrets)
  }

  /// Decodes the response: first by the HTTP status, then by the body as far as it can be parsed.
  ///
  /// The key is masked if the server repeats it.
  ///
  /// - Throws: `WeatherError.unreadable` for a success without the data, otherwise the error for the status or for
  ///   `cod`.
  func decode(from response: Response, of service: OpenWeather) throws(WeatherError) -> Output {
    var body = response.body
    if let secret = service.key, body.range(of: Data(secret.reveal().utf8)) != nil {
      body = Data(SecretRedactor(service.secrets).mask(String(decoding: body, as: UTF8.self)).utf8)
    }
    let json = try? JSON(parsing: body)
    // `cod` is a number in some responses and a string in others, and some proxies send an error with status 200.
    let code = response.isSuccess ? json?["cod"].roundedInt ?? 200 : response.status
    guard response.isSuccess, code < 400 else {
      throw WeatherError(status: code, json?["message"].sanitizedString, of: response)
    }
    guard let output = json.flatMap(read) else { throw .unreadable(status: response.status) }
    return output
  }
}

extension WeatherError {
  fileprivate init(status: Int, _ message: String?, of response: Response) {
    switch status {
    case 400: self = .badRequest(message)
    case 401: self = .keyRefused(message)
    case 404: self = .notFound(message)
    case 429: self = .tooManyRequests(retryAfter: RetryAfter.seconds(of: response), message)
    case 500...599: self = .serverError(status: status, message)
    default: self = .refused(status: status, message)
    }
  }
}

/// Tolerant access to the service's JSON, which has the same quantity as an integer, a decimal or a string depending on
/// the endpoint and year.
///
/// Missing values, null, and values of another type are absent.
extension JSON {
  /// The member of an object, or `null`.
  subscript(key: String) -> JSON { object?[key] ?? .null }

  var arrayOrEmpty: [JSON] { array ?? [] }

  var isObject: Bool { object != nil }

  /// The number rounded to an integer, or `nil` beyond ±10^12, which no quantity here reaches.
  var roundedInt: Int? {
    guard let doubleValue, abs(doubleValue) <= 1e12 else { return nil }
    return Int(exactly: doubleValue.rounded())
  }

  /// The sanitized text, or `nil` if it is missing or only white space.
  var sanitizedString: String? {
    guard case .string(let text) = self else { return nil }
    let label = Sanitizer.label(text)
    return label.isEmpty ? nil : label
  }

  /// A finite number, which may also be a string.
  fileprivate var doubleValue: Double? {
    switch self {
    case .number(let number): Double(number.literal).flatMap { $0.isFinite ? $0 : nil }
    case .string(let text): DecimalText.parse(text)
    case .null, .bool, .array, .object, .invalidLiteral: nil
    }
  }

  /// A Unix time, or `nil` for zero, which means "never" (no sunrise in a polar night).
  fileprivate var instant: Int? {
    guard let roundedInt, roundedInt != 0, abs(roundedInt) < 100_000_000_000 else { return nil }
    return roundedInt
  }

  /// An offset from UTC in seconds to the east, or `nil` beyond 18 hours, which no time zone exceeds.
  fileprivate var utcOffset: Int? {
    guard let roundedInt, abs(roundedInt) <= 64_800 else { return nil }
    return roundedInt
  }
}

/// The members that the current weather and the slots of a forecast share, each of which may be missing.
extension JSON {
  fileprivate var conditions: [WeatherCondition] {
    self["weather"].arrayOrEmpty.filter(\.isObject).map {
      WeatherCondition(
        id: $0["id"].roundedInt, text: $0["description"].sanitizedString ?? $0["main"].sanitizedString,
        icon: $0["icon"].sanitizedString)
    }
  }

  /// Returns a temperature in °C, or `nil` for an impossible one.
  fileprivate func temperature(_ key: String) -> Double? {
    guard let value = self["main"][key].doubleValue, (-150...150).contains(value) else { return nil }
    return value
  }

  fileprivate var wind: Wind? {
    guard let speed = self["wind"]["speed"].doubleValue, speed >= 0 else { return nil }
    return Wind(speed: speed, degrees: self["wind"]["deg"].doubleValue, gust: self["wind"]["gust"].doubleValue)
  }

  /// Returns the precipitation in mm for the period `1h` or `3h`.
  ///
  /// An empty `rain: {}`, as in old responses, is none.
  fileprivate func precipitation(_ kind: String) -> Double? {
    guard let fall = self[kind]["3h"].doubleValue ?? self[kind]["1h"].doubleValue, fall >= 0 else { return nil }
    return fall
  }
}

extension CurrentConditions {
  init(_ json: JSON) {
    self.init(
      time: json["dt"].instant, offset: json["timezone"].utcOffset, conditions: json.conditions,
      temperature: json.temperature("temp"), feelsLike: json.temperature("feels_like"),
      minTemperature: json.temperature("temp_min"), maxTemperature: json.temperature("temp_max"),
      pressure: json["main"]["pressure"].doubleValue, humidity: json["main"]["humidity"].roundedInt,
      visibility: json["visibility"].roundedInt, wind: json.wind, clouds: json["clouds"]["all"].roundedInt,
      rain: json.precipitation("rain"), snow: json.precipitation("snow"), sunrise: json["sys"]["sunrise"].instant,
      sunset: json["sys"]["sunset"].instant, name: json["name"].sanitizedString,
      country: json["sys"]["country"].sanitizedString)
  }
}

extension Forecast {
  init(_ json: JSON) {
    let city = json["city"]
    // More than 240 slots is no five days; what is cut would not be shown anyway.
    let slots = json["list"].arrayOrEmpty.prefix(240).compactMap { ForecastPeriod($0) }
    self.init(
      slots: slots.sorted { $0.time < $1.time }, name: city["name"].sanitizedString,
      country: city["country"].sanitizedString, offset: city["timezone"].utcOffset)
  }
}

extension ForecastPeriod {
  /// Returns `nil` for a period without a time, because it has no place in the table.
  fileprivate init?(_ json: JSON) {
    guard let time = json["dt"].instant else { return nil }
    self.init(
      time: time, conditions: json.conditions, temperature: json.temperature("temp"),
      feelsLike: json.temperature("feels_like"), lowest: json.temperature("temp_min"),
      highest: json.temperature("temp_max"), pressure: json["main"]["pressure"].doubleValue,
      humidity: json["main"]["humidity"].roundedInt, visibility: json["visibility"].roundedInt, wind: json.wind,
      clouds: json["clouds"]["all"].roundedInt,
      precipitationProbability: json["pop"].doubleValue.map { min(1, max(0, $0)) },
      rain: json.precipitation("rain"), snow: json.precipitation("snow"))
  }
}

extension Place {
  /// Returns the places of a response, or `nil` if it is no list.
  @Sendable static func list(_ json: JSON) -> [Place]? { json.array.map { $0.prefix(50).compactMap { Place($0) } } }

  /// Returns `nil` without a valid point.
  private init?(_ json: JSON) {
    guard let latitude = json["lat"].doubleValue, let longitude = json["lon"].doubleValue,
      let point = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    let names = json["local_names"]
    self.init(
      point, name: names["en"].sanitizedString ?? json["name"].sanitizedString,
      koreanName: names["ko"].sanitizedString, country: json["country"].sanitizedString,
      state: json["state"].sanitizedString)
  }
}
