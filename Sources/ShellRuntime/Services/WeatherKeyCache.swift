import Platform
import Synchronization
import WeatherAPI

/// The keys of the weather service, each read once.
///
/// The environment's key applies to every profile, otherwise the profile's own is used.
package final class WeatherKeyCache: Sendable {
  private let environment: Environment
  private let home: AppDirectories
  private let stored = Mutex<[String: APIKeyProvider]>([:])

  package init(_ environment: Environment, _ home: AppDirectories) {
    self.environment = environment
    self.home = home
  }

  /// Returns the key of a profile.
  ///
  /// A session of `--url` without a profile has only the environment's.
  package func key(of profile: String?) -> APIKeyProvider {
    stored.withLock { stored in
      let name = profile ?? ""
      if let key = stored[name] { return key }
      let key = APIKeyProvider { [environment, home] in
        if let key = environment[OpenWeather.keyVariable], !key.isEmpty { return key }
        return try profile.flatMap { try CredentialStore(home).weatherKey($0) }
      }
      stored[name] = key
      return key
    }
  }

  /// Discards a key, so that it is read again when needed.
  package func forget(_ profile: String) { stored.withLock { $0[profile] = nil } }
}
