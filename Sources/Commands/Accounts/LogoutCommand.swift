import CommandLanguage
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// `logout`: deletes the vendor's credentials from this session and from the credentials file.
package struct LogoutCommand: Command {
  package static let declaration = CommandDeclaration(
    "logout", group: .account, summary: LocalizedText("delete the vendor's saved credentials", ko: "판매자 로그아웃"),
    examples: [.init("logout", "logs out and deletes the saved credentials", ko: "로그인 정보를 지움")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: `FileError` if the secret can't be deleted from disk.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    scope.session.credentials = Credentials()
    scope.session.credentialOrigins = CredentialOrigins()
    if let profile = scope.session.server.profile?.value {
      try CredentialStore(scope.context.stores.home).save(nil, for: profile)
    }
    return .message(.success("Logged out.", ko: "로그아웃했습니다."))
  }
}
