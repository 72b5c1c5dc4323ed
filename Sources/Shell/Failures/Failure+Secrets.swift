import Catalog
import Presentation

extension Failure {
  /// Whoever logs in or sends a request with such a secret is told the same, and nothing was sent.
  static let unsendableSecret = Failure(
    .misread,
    .failure("The secret holds characters that cannot be sent.", ko: "비밀 값에 보낼 수 없는 글자가 있습니다.")
      .because(
        "Only printable ASCII without spaces goes into a header.", ko: "헤더에는 빈칸 없는 인쇄 가능한 ASCII만 쓸 수 있습니다."))
}
