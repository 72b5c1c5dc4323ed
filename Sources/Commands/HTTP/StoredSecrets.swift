import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

extension Request {
  /// Rejects a request whose bytes contain a secret that belongs to a server: one of a profile, of the environment or of
  /// this session's logins.
  ///
  /// Such bytes come from a file, as in `curl -d @…/credentials.toml`. A secret that the line names as a variable is meant to
  /// be sent.
  ///
  /// - Parameters:
  ///   - base: The server that the request is for, which isn't that of the session.
  ///   - scope: The scope of the command.
  /// - Throws: `CommandError` with exit status 4 if it contains one.
  func refuseStoredSecrets(for base: URL, in scope: CommandScope) throws {
    // Another shell may have stored a secret since this one began.
    if let stored = try? CredentialStore(scope.context.stores.home).secrets() {
      scope.context.stores.secrets.add(typed: stored)
    }
    let session = Set(scope.session.secrets.map(\.secret))
    let named = Set(secrets.map(\.secret)).subtracting(session)
    guard texts(at: base).contains(where: { scope.context.stores.secrets.occur(in: $0, besides: named) }) else {
      return
    }
    throw CommandError(
      .blocked,
      .failure(
        "The request contains a stored secret. It was not sent to \(.value(base.absoluteString)).",
        ko: "요청에 저장된 시크릿이 들어 있어 \(.value(base.absoluteString))에 보내지 않았습니다."
      ).because(
        "Secrets are only sent to the server they belong to.", ko: "시크릿은 그 시크릿을 쓰는 서버에만 보냅니다."
      ).next(
        "Remove the secret from the file or the field.", ko: "파일이나 필드에서 시크릿을 빼세요."))
  }

  /// The URL, the headers and the body as texts.
  private func texts(at base: URL) -> [String] {
    let address = (try? url(at: base)) ?? target
    let fields = headers.map { $0.name + ": " + $0.value }
    let contents: [Data] =
      switch body {
      case .none: []
      case .data(let data, _): [data]
      case .multipart(let form): form.parts.map(\.content)
      }
    return [address] + fields + contents.map { String(decoding: $0, as: UTF8.self) }
  }
}
