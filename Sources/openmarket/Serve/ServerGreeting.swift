import EmbeddedMarket
import Foundation
import Text

/// The information for users of a served market, as lines for the terminal and as the page at `/`.
struct ServerGreeting {
  let edition: ServedEdition
  /// The URL with scheme, host and port, without a trailing slash.
  let address: String
  let vendors: [VendorLogin]
  /// A Boolean value that indicates that the server was started without the sample market, whose products the page can
  /// name.
  var isEmpty = false

  /// The lines: `openmarket serving …`, one for each vendor, the login of the first, the OpenAPI document and an
  /// example.
  var lines: [String] {
    ["openmarket serving \(edition.rawValue) at \(address)"] + vendors.map(line) + loginExports + [
      "openapi \(address)/openapi.json", readExample,
    ]
  }

  private func line(_ vendor: VendorLogin) -> String {
    hasVendors
      ? "vendor_id=\(vendor.vendorID) identifier=\(vendor.identifier) secret=\(vendor.secret) name=\(vendor.name)"
      : "password=\(vendor.secret)"
  }

  private var hasVendors: Bool { edition.hasVendors }

  /// The assignments of variables from which the shell, and its `curl` lines, take the first vendor.
  private var loginExports: [String] {
    guard let vendor = vendors.first else { return [] }
    let who = [("IDENTIFIER", vendor.identifier), ("VENDOR_ID", String(vendor.vendorID))]
    return ((hasVendors ? who : []) + [("SECRET", vendor.secret)]).map { "export OPENMARKET_\($0)='\($1)'" }
  }

  /// The request of the first page.
  private var readExample: String {
    "curl '\(address)" + (hasVendors ? "/api/products?page_no=1&items_per_page=3'" : "/items/1'")
  }

  /// The request that changes product 6 of the sample market, which belongs to the first vendor.
  private var patchExample: String? {
    guard let vendor = vendors.first, !isEmpty else { return nil }
    guard hasVendors else {
      return "curl -X PATCH '\(address)/item/6' \\\n  -F stock=7 -F 'password=\(vendor.secret)'"
    }
    return [
      "curl -X PATCH '\(address)/api/products/6'", "-H 'identifier: \(vendor.identifier)'",
      "-H 'Content-Type: application/json'", "--data-raw '{\"stock\":7,\"secret\":\"\(vendor.secret)\"}'",
    ].joined(separator: " \\\n  ")
  }
}

extension ServerGreeting {
  private var shell: String { "openmarket --url \(address) --api \(edition.rawValue)" }

  /// Returns the HTML page, which loads no external resources.
  func page(_ language: MessageLanguage) -> String {
    func say(_ text: LocalizedText) -> String { ServerGreeting.escaped(text[language].plain) }
    let title = say(LocalizedText("Open Market, edition \(edition.rawValue)", ko: "오픈 마켓, \(edition.rawValue) API"))
    let requests = [
      (LocalizedText("Read the first page", ko: "첫 페이지 읽기"), readExample),
      (LocalizedText("Update a product of the sample market", ko: "예시 마켓의 상품 수정"), patchExample ?? ""),
      (LocalizedText("Use the shell", ko: "셸에서 사용"), (loginExports + [shell]).joined(separator: "\n")),
    ]
    return """
      <!doctype html>
      <html lang="\(language.rawValue)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; word-break: keep-all; }
      code, pre { font-family: ui-monospace, monospace; }
      pre { background: #8881; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
      table { border-collapse: collapse; display: block; overflow-x: auto; }
      th, td { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #8886; }
      </style>
      <h1>\(title)</h1>
      <p>\(say(LocalizedText("URL", ko: "주소"))) <code>\(ServerGreeting.escaped(address))</code></p>
      <h2>\(say(hasVendors ? LocalizedText("Vendors", ko: "판매자") : LocalizedText("Passwords", ko: "비밀번호")))</h2>
      \(logins(say))
      \(requests.filter { !$0.1.isEmpty }.map { "<h2>\(say($0.0))</h2>\n<pre>\(ServerGreeting.escaped($0.1))</pre>" }
        .joined(separator: "\n"))
      <h2>OpenAPI</h2>
      <p><a href="/openapi.json">\(ServerGreeting.escaped(address))/openapi.json</a></p>

      """
  }

  private func logins(_ say: (LocalizedText) -> String) -> String {
    guard hasVendors else {
      let what = LocalizedText(
        "Products of demo in the sample market use this password. A new product uses the password it is created with.",
        ko: "예시 마켓의 demo 상품은 이 비밀번호를 씁니다. 새 상품은 등록할 때 정한 비밀번호를 씁니다.")
      return "<p>\(say(what))</p>\n<pre>\(ServerGreeting.escaped(vendors.first?.secret ?? ""))</pre>"
    }
    let rows = vendors.map { vendor in
      "<tr><td>\(vendor.vendorID)<td>\(ServerGreeting.escaped(vendor.name))"
        + "<td><code>\(ServerGreeting.escaped(vendor.identifier))</code>"
        + "<td><code>\(ServerGreeting.escaped(vendor.secret))</code>"
    }
    let name = say(LocalizedText("name", ko: "이름"))
    return "<table>\n<tr><th>vendor_id<th>\(name)<th>identifier<th>secret\n\(rows.joined(separator: "\n"))\n</table>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

extension MessageLanguage {
  /// Creates the first supported language of an `Accept-Language` header.
  init(accepting languages: String?) {
    let words = (languages ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
    self = words.lazy.compactMap { MessageLanguage(rawValue: String($0.prefix(2))) }.first ?? .english
  }
}
