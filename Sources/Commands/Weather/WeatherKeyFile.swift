import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

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
  package func save(for profile: String, in context: CommandContext) throws {
    let path = Paths.expanded(path, home: context.environment["HOME"])
    guard let text = try Files.text(path, limit: 4096) else { throw FileError.cannotRead(path: path, errno: 2) }
    guard let key = Secret(text.trimmed) else {
      throw CommandError(
        .usageError,
        .failure("The file does not contain a weather API key.", ko: "파일에 날씨 서비스의 키가 없습니다."))
    }
    try CredentialStore(context.home).save(weatherKey: key, for: profile)
    context.weather.keys.forget(profile)
  }
}
