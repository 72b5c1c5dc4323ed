import Catalog
import CommandLanguage
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// `whoami`: shows the logged-in vendor.
package struct WhoamiCommand: Command {
  package static let declaration = CommandDeclaration(
    "whoami", group: .account, summary: LocalizedText("show the logged-in vendor", ko: "로그인한 판매자"), producesData: true,
    examples: [.init("whoami", "identifier and vendor ID, never the secret", ko: "식별자와 번호(시크릿 제외)")])

  package init(_ invocation: ParsedCommand) {}

  package func run(in scope: inout CommandScope) async -> CommandResult {
    guard scope.session.hasSecret else {
      return .message(
        .note("Not logged in.", ko: "로그인하지 않았습니다.")
          .next("Run \(.command("login")) to log in.", ko: "로그인하려면 \(.command("login"), .object) 실행하세요."))
    }
    guard scope.session.server.hasVendorAccounts else { return CommandResult(password(scope.session)) }
    return .rows(
      Table(
        [
          .init("identifier", LocalizedText("identifier", ko: "식별자")),
          .init("vendor_id", LocalizedText("vendor", ko: "판매자 번호"), isNumber: true),
          WhoamiCommand.profile, .init("secret", LocalizedText("secret from", ko: "시크릿 출처")),
          .init("vendor", LocalizedText("name", ko: "이름")),
        ],
        rows: [
          [
            scope.session.credentials.identifier.map { .text($0) } ?? .none,
            scope.session.credentials.vendorID.map { .number($0) } ?? .none,
            scope.session.server.profile.map { .text($0.value) } ?? .none,
            .localized((scope.session.credentialOrigins.secret ?? .secretCommand).words),
            await name(in: scope).map { .text($0) } ?? .none,
          ]
        ], isSingle: true))
  }

  /// Returns the name of the vendor as far as it is known without a request to a server of others: from the built-in market,
  /// or from a product that was seen.
  private func name(in scope: CommandScope) async -> String? {
    guard let me = scope.session.credentials.vendorID else { return nil }
    if scope.session.server.isEmbedded, let vendors = try? await scope.context.network.embedded.vendors(),
      let own = vendors.first(where: { $0.number == me })
    {
      return own.name
    }
    let seen = (scope.session.listing.last?.page.products ?? []) + [scope.session.last.product].compactMap(\.self)
    return seen.first { $0.vendorID == me }?.vendor
  }

  private static let profile = Table.Column("profile", LocalizedText("profile", ko: "프로필"))

  /// Returns the report for an edition without vendors, where a login is the password of the products it creates.
  private func password(_ session: Session) -> Report {
    let note =
      session.server.hasNoOwners
      ? Message.note("This market has no vendors. The secret is set.", ko: "이 마켓에는 판매자가 없습니다. 시크릿은 설정되어 있습니다.")
      : Message.note(
        "This API edition has no vendors. The password is set.", ko: "이 API 버전에는 판매자가 없습니다. 비밀번호는 설정되어 있습니다.")
    let table = Table(
      [WhoamiCommand.profile], rows: [[session.server.profile.map { .text($0.value) } ?? .none]], isSingle: true)
    return .group([.message(note), .rows(table)])
  }
}
