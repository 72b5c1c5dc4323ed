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

  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async -> Report {
    if session.server.edition == nil {
      _ = try? await context.through { SingleAttemptTransport($0) }.marketClient(&session)
    }
    let place = session.server
    let embedded = place.isEmbedded ? try? await context.embedded(place.edition?.value ?? .open) : nil
    var rows: [[Table.Cell]] = []
    func add(_ name: String, _ value: String?, _ origin: Origin?) {
      rows.append([.text(name), value.map { .text($0) } ?? .none, origin.map { .localized($0.words) } ?? .none])
    }
    func add(_ name: String, _ value: LocalizedText?, _ origin: Origin?) {
      rows.append([.text(name), value.map { .localized($0) } ?? .none, origin.map { .localized($0.words) } ?? .none])
    }
    add("profile", place.profile?.value, place.profile?.origin)
    add("url", (place.url?.value ?? embedded)?.absoluteString, place.url?.origin ?? .default)
    add("api", place.edition?.value.rawValue, place.edition?.origin)
    add("access", place.access.value.rawValue, place.access.origin)
    add("confirm", place.confirm.value.rawValue, place.confirm.origin)
    add("verify", place.verify.value.rawValue, place.verify.origin)
    add(
      "calls", session.settings.calls ? place.calls.value.rawValue : "off",
      session.settings.calls ? place.calls.origin : .option)
    add("timeout", place.timeout.map { String($0.value) }, place.timeout?.origin)
    add("limits", place.limits.summary, place.timeout?.origin ?? .default)
    if place.plainHTTPHost != nil { add("http", place.http.value.rawValue, place.http.origin) }
    add("proxy", place.proxy?.value.text, place.proxy?.origin)
    add("ca", place.ca?.value, place.ca?.origin)
    add("identifier", session.credentials.identifier, session.credentialOrigins.identifier)
    add(
      "secret", session.credentials.secret.map { _ in LocalizedText("(set)", ko: "(설정됨)") },
      session.credentialOrigins.secret)
    add("vendor_id", session.credentials.vendorID.map { String($0) }, session.credentialOrigins.vendorID)
    add("page", String(session.listQuery.page), nil)
    add("size", String(session.pageSize(of: session.listQuery)), nil)
    add("search", session.listQuery.search, nil)
    add("last", session.lastProduct.map { String($0.id) }, nil)
    add("format", session.settings.format.rawValue, nil)
    add("lang", session.settings.language.rawValue, nil)
    add("configuration", context.home.configuration, nil)
    add("data", context.home.data, nil)
    add(
      "startup", FileManager.default.fileExists(atPath: context.home.startupFile) ? context.home.startupFile : nil, nil)
    return .rows(
      Table(
        [
          .init("name", LocalizedText("name", ko: "이름")), .init("value", LocalizedText("value", ko: "값")),
          .init("origin", LocalizedText("from", ko: "출처")),
        ], rows: rows))
  }
}
