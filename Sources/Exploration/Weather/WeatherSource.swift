import Catalog
import Engine
import Failures
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Text
import Weather

/// Which service answers a session's questions about the weather, and by what right.
struct WeatherSource {
  let session: Session
  let context: Context

  /// The embedded sample service where the demo has no key; otherwise OpenWeatherMap, or `OPENWEATHER_URL`.
  ///
  /// Throws `Failure` for an address that is none; a missing key is the service's to say.
  func service() async throws -> OpenWeather {
    let key = context.weatherKeys.key(of: session.server.profile?.value)
    let language = session.settings.tongue
    let text = context.environment["OPENWEATHER_URL"].flatMap { $0.isEmpty ? nil : $0 }
    if let text {
      guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
      return OpenWeather(baseURL: address.url, access: .key(key), language: language)
    }
    if session.server.isEmbedded, isMissing(key) {
      let url = try await context.embedded(session.server.edition?.value ?? .open)
      return OpenWeather(baseURL: url, access: .sample, language: language)
    }
    return OpenWeather(access: .key(key), language: language)
  }

  private func isMissing(_ key: WeatherKey) -> Bool {
    do throws(WeatherError) {
      _ = try key.secret()
      return false
    } catch {
      return error == .keyMissing
    }
  }
}

/// A file whose text is the key of the weather service; the key goes to the credentials, never onto a line.
package struct WeatherKeyFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// - Throws: `Failure` for a file that holds no key; `FileError` where it cannot be read or the key be kept.
  package func keep(for profile: String, in context: Context) throws {
    let path = Paths.expanded(path, home: context.environment["HOME"])
    guard let text = try Files.text(path, limit: 4096) else { throw FileError.cannotRead(path: path, errno: 2) }
    guard let key = Secret(text.trimmed) else {
      throw Failure(
        .misread,
        .failure("The file holds no key of a weather service.", ko: "파일에 날씨 서비스의 키가 없습니다."))
    }
    try CredentialStore(context.home).save(weatherKey: key, for: profile)
    context.weatherKeys.forget(profile)
  }
}
