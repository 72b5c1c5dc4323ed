import Catalog
import Engine
import Language
import Marketplace
import Presentation
import Text

/// `logout`: forgets the vendor, in this session and in the credentials file.
package struct Logout: Command {
  package static let declaration = Declaration(
    "logout", group: .vendors, summary: Wording("forget the vendor's credentials", ko: "판매자 정보를 잊기"),
    examples: [.init("logout", "nobody is logged in any more", ko: "아무도 로그인하지 않은 상태로")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    session.credentials = Credentials()
    session.origins = CredentialOrigins()
    if let profile = session.place.profile?.value {
      try CredentialStore(context.home).save(nil, for: profile)
    }
    return .message(.success("Logged out.", ko: "로그아웃했습니다."))
  }
}
