import Catalog
import Language
import Networking
import Presentation

/// A file whose text is the key of the weather service; the key goes to the credentials, never onto a line.
struct WeatherKeyFile {
  private let path: String

  init(_ path: String) { self.path = path }

  static func typed(_ range: Range<Int>) -> Misread {
    Misread(
      Wording("A key is not typed on a line; it was not kept.", ko: "키는 줄에 치지 않습니다. 남기지 않았습니다."),
      next: Wording(
        "\(.command("profile NAME weather_key=@file")) reads it.",
        ko: "\(.command("profile 이름 weather_key=@파일"))로 파일에서 읽습니다."), at: range)
  }

  func keep(for profile: String, in context: Context) throws {
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
