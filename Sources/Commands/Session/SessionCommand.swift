import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `session`: shows the server, the vendor and the settings, with the source of each value.
package struct SessionCommand: Command {
  package static let declaration = CommandDeclaration(
    "session", group: .session,
    summary: LocalizedText("show connection, profile and settings, and where each comes from", ko: "현재 연결된 곳과 각 값의 출처"),
    producesData: true, traits: [.excludedFromSavedScripts],
    examples: [.init("session", "every value and its source", ko: "모든 값과 출처")])

  package init(_ invocation: ParsedCommand) {}

  package func run(in scope: inout CommandScope) async -> CommandResult {
    if scope.session.server.dialect == nil {
      let once = scope.context.through { ConfiguredTransport($0) { $0.retriesReads = false } }
      _ = await scope.with(once) { try? await $0.marketClient() }
    }
    let server = scope.session.server
    let embedded = server.isEmbedded ? try? await scope.address() : nil
    var rows: [[Table.Cell]] = []
    func add(_ name: String, _ value: String?, origin: Origin?) {
      rows.append([.text(name), value.map { .text($0) } ?? .none, origin.map { .localized($0.words) } ?? .none])
    }
    func add(_ name: String, _ value: LocalizedText?, origin: Origin?) {
      rows.append([.text(name), value.map { .localized($0) } ?? .none, origin.map { .localized($0.words) } ?? .none])
    }
    add("profile", server.profile?.value, origin: server.profile?.origin)
    add("url", (server.url?.value ?? embedded)?.absoluteString, origin: server.url?.origin ?? .default)
    add("api", server.dialect?.value.name, origin: server.dialect?.origin)
    add("access", server.access.value.rawValue, origin: server.access.origin)
    add("confirm", server.confirm.value.rawValue, origin: server.confirm.origin)
    add("verify", server.verify.value.rawValue, origin: server.verify.origin)
    add(
      "calls", scope.session.settings.calls ? server.calls.value.rawValue : "off",
      origin: scope.session.settings.calls ? server.calls.origin : .option)
    add("timeout", server.timeout.map { String($0.value) }, origin: server.timeout?.origin)
    add("limits", server.limits.summary, origin: server.timeout?.origin ?? .default)
    add(
      "settle", server.confirmationSeconds.map { String($0) },
      origin: server.confirmationSeconds == nil ? nil : .profile)
    add("apply", server.apply.value.rawValue, origin: server.apply.origin)
    add("two", server.two.value.rawValue, origin: server.two.origin)
    add("http", server.http.value.rawValue, origin: server.http.origin)
    add("proxy", server.proxy?.value.text, origin: server.proxy?.origin)
    add("ca", server.ca?.value, origin: server.ca?.origin)
    add("identifier", scope.session.credentials.identifier, origin: scope.session.credentialOrigins.identifier)
    add(
      "secret",
      scope.session.credentials.secret.map { _ in LocalizedText("(set)", ko: "(설정됨)") }
        ?? server.secretCommand.map { LocalizedText("from \(.command($0.value))", ko: "\(.command($0.value)) 실행") },
      origin: scope.session.credentials.secret == nil
        ? server.secretCommand?.origin : scope.session.credentialOrigins.secret)
    add(
      "vendor_id", scope.session.credentials.vendorID.map { String($0) },
      origin: scope.session.credentialOrigins.vendorID)
    add("page", String(scope.session.listing.query.page), origin: nil)
    add("size", String(scope.session.pageSize(of: scope.session.listing.query)), origin: nil)
    add("search", scope.session.listing.query.search, origin: nil)
    add("last", scope.session.last.product.map { String($0.id) }, origin: nil)
    add("format", scope.session.settings.format.rawValue, origin: nil)
    add("lang", scope.session.settings.language.rawValue, origin: nil)
    add("configuration", scope.context.stores.home.configuration, origin: nil)
    add("data", scope.context.stores.home.data, origin: nil)
    add(
      "startup",
      FileManager.default.fileExists(atPath: scope.context.stores.home.startupFile)
        ? scope.context.stores.home.startupFile : nil,
      origin: nil
    )
    return .rows(
      Table(
        [
          .init("name", LocalizedText("name", ko: "이름")), .init("value", LocalizedText("value", ko: "값")),
          .init("origin", LocalizedText("from", ko: "출처")),
        ], rows: rows))
  }
}
