import Engine
import Networking
import Platform
import Presentation
import Text

/// A file whose text is the key of the weather service; the key goes to the credentials, never onto a line.
struct WeatherKeyFile {
  private let path: String

  init(_ path: String) { self.path = path }

  func keep(for profile: String, in context: Context) throws {
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
