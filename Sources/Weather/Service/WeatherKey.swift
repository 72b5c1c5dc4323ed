import Networking
import Synchronization

/// The API key, read on first use and then never again, however many ask at once.
///
/// A missing key is not remembered: somebody may set it and try again in the same session.
package final class WeatherKey: Sendable {
  private let read: @Sendable () throws -> String?
  private let kept = Mutex<Secret?>(nil)

  /// - Parameter read: looks in the environment or the profile; nil or nothing but blanks where there is none.
  package init(_ read: @escaping @Sendable () throws -> String?) { self.read = read }

  package func secret() throws(WeatherError) -> Secret {
    let found: Result<Secret, WeatherError> = kept.withLock { kept in
      if let kept { return .success(kept) }
      guard let text = try? read()?.split(whereSeparator: \.isWhitespace), let word = text.first else {
        return .failure(.keyMissing)
      }
      guard text.count == 1, let secret = Secret(String(word)) else { return .failure(.keyUnusable) }
      kept = secret
      return .success(secret)
    }
    return try found.get()
  }
}
