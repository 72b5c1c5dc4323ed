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
