import Text

/// The reason why an archive can't be written or read.
///
/// No command fails because of it.
package enum StoreError: Error, Hashable, Sendable {
  /// Another shell held the lock for longer than the timeout.
  case busy
  case diskFull
  case damaged(path: String)
  /// A newer program created the file; it is left unchanged.
  case newer(path: String, version: Int)
  /// The SQLite file belongs to another program; it is left unchanged.
  case foreign(path: String)
  case unreachable(path: String, reason: String)
}

extension StoreError {
  /// The error as one sentence.
  package var localizedDescription: LocalizedText {
    switch self {
    case .busy: LocalizedText("It is in use by another openmarket session.", ko: "다른 openmarket에서 사용 중입니다.")
    case .diskFull: LocalizedText("The disk is full.", ko: "디스크가 가득 찼습니다.")
    case .damaged(let path):
      LocalizedText(
        "\(.value(path)) is damaged. Move it away and it will be created again.",
        ko: "\(.value(path)) 파일이 손상되었습니다. 옮겨 두면 새로 만듭니다.")
    case .newer(let path, let version):
      LocalizedText(
        "\(.value(path)) has format \(version), which this version of openmarket does not support.",
        ko: "\(.value(path)) 파일의 형식(\(version))을 이 버전의 openmarket이 지원하지 않습니다.")
    case .foreign(let path):
      LocalizedText(
        "\(.value(path)) belongs to another program. Move it away and a new one will be created.",
        ko: "\(.value(path), .topic) 다른 프로그램의 파일입니다. 옮겨 두면 새로 만듭니다.")
    case .unreachable(let path, let reason):
      LocalizedText("\(.value(path)): \(reason)", ko: "\(.value(path)): \(reason)")
    }
  }
}
