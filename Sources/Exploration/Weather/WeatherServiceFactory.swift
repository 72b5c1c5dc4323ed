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

/// The weather service of a session, with its key.
struct WeatherServiceFactory {
  let session: Session
  let context: CommandContext

  /// Returns the embedded sample service if the demo profile has no key, otherwise OpenWeatherMap or the service at
  /// `OPENWEATHER_URL`.
  ///
  /// The service itself reports a missing key.
  ///
  /// - Throws: `CommandError` for an invalid URL.
  func makeService() async throws -> OpenWeather {
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

  private func isMissing(_ key: APIKeyProvider) -> Bool {
    do throws(WeatherError) {
      _ = try key.secret()
      return false
    } catch {
      return error == .keyMissing
    }
  }
}

/// A file with the key of the weather service.
///
/// The key is saved with the credentials and never typed in a line.
package struct WeatherKeyFile {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// Saves the key.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - context: The dependencies.
  /// - Throws: `CommandError` for a file without a key; `FileError` if it can't be read or the key can't be saved.
  package func keep(for profile: String, in context: CommandContext) throws {
    let path = Paths.expanded(path, home: context.environment["HOME"])
    guard let text = try Files.text(path, limit: 4096) else { throw FileError.cannotRead(path: path, errno: 2) }
    guard let key = Secret(text.trimmed) else {
      throw CommandError(
        .usageError,
        .failure("The file does not contain a weather API key.", ko: "파일에 날씨 서비스의 키가 없습니다."))
    }
    try CredentialStore(context.home).save(weatherKey: key, for: profile)
    context.weatherKeys.forget(profile)
  }
}
