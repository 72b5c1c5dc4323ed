import Catalog
import Platform
import Presentation
import Text

extension Failure {
  /// Whoever logs in or sends a request with such a secret is told the same, and nothing was sent.
  package static let unsendableSecret = Failure(
    .misread,
    .failure("The secret holds characters that cannot be sent.", ko: "비밀 값에 보낼 수 없는 글자가 있습니다.")
      .because(
        "A secret is one line of text, 1000 bytes at most.", ko: "비밀 값은 1000바이트까지의 글 한 줄입니다."))
}
