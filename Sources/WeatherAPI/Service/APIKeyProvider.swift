import Networking
import Synchronization

/// The API key, read on first use and cached.
///
/// A missing key is not cached, because the user may set it and try again in the same session.
package final class APIKeyProvider: Sendable {
  private let read: @Sendable () throws -> String?
  private let stored = Mutex<Secret?>(nil)

  /// Creates a key.
  ///
  /// `read` looks in the environment or the profile, and returns `nil` or white space if there is none.
  package init(_ read: @escaping @Sendable () throws -> String?) { self.read = read }

  /// Returns the key, which is masked wherever it is printed.
  ///
  /// - Throws: `WeatherError.keyMissing` if there is none, `.keyMalformed` for text with spaces, control or non-ASCII
  ///   characters.
  package func secret() throws(WeatherError) -> Secret {
    let found: Result<Secret, WeatherError> = stored.withLock { stored in
      if let stored { return .success(stored) }
      guard let text = try? read()?.split(whereSeparator: \.isWhitespace), let word = text.first else {
        return .failure(.keyMissing)
      }
      guard text.count == 1, let secret = Secret(String(word)) else { return .failure(.keyMalformed) }
      stored = secret
      return .success(secret)
    }
    return try found.get()
  }
}
