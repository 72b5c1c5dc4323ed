import Foundation
import Networking
import Text

/// The service OpenWeatherMap, or a server with the same API, at a base URL.
package struct OpenWeather: Service {
  /// The authorization of requests.
  package enum Access: Sendable {
    case key(APIKeyProvider)
    /// The embedded service: needs no key, and its weather is generated, as every report says.
    case sample
  }

  package var baseURL: URL
  package var access: Access
  package var language: MessageLanguage

  package init(
    baseURL: URL = OpenWeather.address, access: Access,
    language: MessageLanguage = .english
  ) {
    self.baseURL = baseURL
    self.access = access
    self.language = language
  }

  package static let address = URL(string: "https://api.openweathermap.org")!
  /// The environment variable for the key in `curl` output.
  package static let keyVariable = "OPENWEATHER_API_KEY"

  package var isSample: Bool {
    switch access {
    case .key: false
    case .sample: true
    }
  }

  /// Checks that the key is available before anything is sent.
  ///
  /// - Throws: `WeatherError.keyMissing` or `.keyMalformed`.
  package func requireKey() throws(WeatherError) {
    switch access {
    case .key(let key): _ = try key.secret()
    case .sample: break
    }
  }

  /// Returns a GET request with the key as the last query item.
  ///
  /// The key is registered as a secret, so that it is masked wherever the request is printed.
  func get(_ path: [String], _ query: [QueryItem]) throws(WeatherError) -> Request {
    switch access {
    case .sample: return Request(.get, path, query: query)
    case .key(let key):
      let secret = try key.secret()
      return Request(
        .get, path, query: query + [QueryItem("appid", secret.reveal())],
        secrets: [NamedSecret(OpenWeather.keyVariable, secret)])
    }
  }

  /// Returns the body of a response with our key masked if the server repeats it.
  func redactingKey(_ body: Data) -> Data {
    guard case .key(let key) = access, let secret = try? key.secret(),
      body.range(of: Data(secret.reveal().utf8)) != nil
    else { return body }
    let masker = SecretRedactor([NamedSecret(OpenWeather.keyVariable, secret)])
    return Data(masker.mask(String(decoding: body, as: UTF8.self)).utf8)
  }

  /// Returns the common query items of the weather endpoints.
  ///
  /// The geocoder has neither units nor language.
  func queryItems(at coordinate: Coordinate) -> [QueryItem] {
    [
      QueryItem("lat", coordinate.latitudeText), QueryItem("lon", coordinate.longitudeText),
      QueryItem("units", "metric"), QueryItem("lang", language.weatherCode),
    ]
  }
}

extension MessageLanguage {
  /// The language code of the service, which is not the ISO code for Korean.
  ///
  /// Place names nevertheless have the key `ko`.
  var weatherCode: String {
    switch self {
    case .english: "en"
    case .korean: "kr"
    }
  }
}
