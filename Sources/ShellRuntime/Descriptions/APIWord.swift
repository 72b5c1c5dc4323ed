import Foundation
import MarketAPI
import Platform
import Presentation
import Text

/// The word that names the API of a server where users type one: an edition, or the file that describes the API.
package enum APIWord {
  /// Returns whether a word is the path of a file: it contains a slash or ends with `.toml`.
  package static func isFile(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(".toml") }

  /// Returns the path of the file that a word names, absolute, because the program may be started from another folder next
  /// time.
  package static func path(_ word: String, home: String?) -> String {
    let path = Paths.expanded(word, home: home)
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Returns the dialect, or `nil` for a word that is neither an edition nor a file.
  ///
  /// - Throws: `FileError` for a file that can't be read, `DescriptionError` for its faults.
  package static func dialect(_ word: String, home: String?) throws -> Dialect? {
    if let edition = Edition(rawValue: word) { return Dialect(edition) }
    guard isFile(word) else { return nil }
    return Dialect(try DescriptionReader.read(path: path(word, home: home)))
  }

  /// The error for a description without the URL of a server: the embedded market is none that a file describes.
  static func withoutURL(_ name: String) -> CommandError {
    CommandError(
      .usageError,
      .failure("\(.value(name)) needs the URL of its server.", ko: "\(.value(name), .topic) 서버 주소가 필요합니다.")
        .because("A description names no host.", ko: "설명 파일에는 호스트가 없습니다.")
        .next(
          "Use \(.command("--url URL")), or \(.command("profile add NAME url=URL api=FILE")).",
          ko: "\(.command("--url 주소")) 또는 \(.command("profile add 이름 url=주소 api=파일"), .object) 쓰세요."))
  }
}
