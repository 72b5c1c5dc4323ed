import EmbeddedMarket
import Foundation
import Text

/// The HTML page at `/`: the same help for everyone, and for the teacher a card to print for each vendor.
///
/// It loads nothing, needs no script, and contains secrets on the cards only.
struct ServedPage {
  let edition: ServedEdition
  let visit: LandingPageContext
  /// The beginning of the URLs, which works on the machines of students.
  let address: String

  private var language: MessageLanguage { MessageLanguage(accepting: visit.languages) }

  private var examples: RequestExamples { RequestExamples(edition: edition, base: address) }

  private func say(_ english: String, ko korean: String) -> String {
    ServedPage.escaped(language == .english ? english : korean)
  }

  var html: String {
    let title = say("Open Market, edition \(edition.rawValue)", ko: "오픈 마켓, \(edition.rawValue) API")
    let base = ServedPage.escaped(address)
    return """
      <!doctype html>
      <html lang="\(language.rawValue)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(title)</title>
      <style>
      :root { color-scheme: light dark; }
      body { background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; word-break: keep-all; overflow-wrap: anywhere; }
      code, pre { font-family: ui-monospace, monospace; }
      pre { background: light-dark(#f0f0f0, #262626); padding: .75rem; white-space: pre-wrap; }
      a { color: light-dark(#0550ae, #8ab4f8); }
      .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
      .card { border: 1px solid #888; border-radius: .5rem; padding: 1rem; display: grid; grid-template-columns: 1fr 8rem; gap: 0 1rem; }
      .card h3, .card dl { margin: 0; }
      .card h3 { grid-column: 1 / -1; }
      dt { font-size: .875rem; }
      dd { margin: 0 0 .25rem; }
      svg { width: 100%; }
      @media print {
        body { margin: 0; max-width: none; font-size: 10pt; }
        .help.beside { display: none; }
        .cards { grid-template-columns: 1fr 1fr; }
        .card { break-inside: avoid; border-style: dashed; border-radius: 0; }
      }
      </style>
      <main>
      <div class="help\(visit.vendors == nil ? "" : " beside")">
      <h1>\(title)</h1>
      <p>\(say("URL", ko: "주소")) <code>\(base)</code></p>
      </div>
      \(cards)<div class="help\(visit.vendors == nil ? "" : " beside")">
      \(help.map { "<h2>\($0.title)</h2>\n\($0.body)" }.joined(separator: "\n"))
      <h2>OpenAPI</h2>
      <p><a href="/openapi.json">\(base)/openapi.json</a></p>
      </div>
      </main>

      """
  }

  private var help: [(title: String, body: String)] {
    var sections = [
      (say("Log in", ko: "로그인"), "<p>\(login)</p>\n<pre>\(ServedPage.escaped(examples.shell))</pre>"),
      (say("Read the first page", ko: "첫 페이지 읽기"), "<pre>\(ServedPage.escaped(examples.read))</pre>"),
    ]
    if let id = visit.demoProducts.first {
      let whose =
        edition.hasVendors
        ? "<p>"
          + say(
            "Product \(id) belongs to the demo vendor; use the id of a product of yours.",
            ko: "\(id)번 상품은 데모 판매자의 것입니다. 자신이 등록한 상품의 id로 바꾸세요.") + "</p>\n" : ""
      sections.append(
        (say("Update a product", ko: "상품 수정"), whose + "<pre>\(ServedPage.escaped(examples.patch(id)))</pre>"))
    }
    return sections
  }

  /// The explanation of where the values of the variables are.
  private var login: String {
    guard !edition.hasVendors else {
      return say(
        "Your identifier and secret are on the card that the teacher gives you. openmarket serve prints them at its start.",
        ko: "identifier와 secret은 선생님이 나눠 주는 카드에 있습니다. openmarket serve를 시작할 때 출력됩니다.")
    }
    let ids = visit.demoProducts.map { String($0) }.joined(separator: ", ")
    let new = say("A new product uses the password it is created with.", ko: "새 상품은 등록할 때 정한 비밀번호를 씁니다.")
    guard !ids.isEmpty else { return new }
    return say(
      "The password that openmarket serve prints at its start opens these sample products: \(ids).",
      ko: "openmarket serve를 시작할 때 출력되는 비밀번호로 다음 예시 상품을 수정할 수 있습니다: \(ids).") + " " + new
  }

  private var cards: String {
    guard let vendors = visit.vendors else { return "" }
    let title = edition.hasVendors ? say("Vendors", ko: "판매자") : say("Password", ko: "비밀번호")
    return "<h2>\(title)</h2>\n<div class=\"cards\">\n\(vendors.map(card).joined(separator: "\n"))\n</div>\n"
  }

  private func card(_ vendor: VendorLogin) -> String {
    var rows = [(say("URL", ko: "주소"), address)]
    if edition.hasVendors {
      rows += [("vendor_id", String(vendor.vendorID)), ("identifier", vendor.identifier), ("secret", vendor.secret)]
    } else {
      rows += [("password", vendor.secret)]
    }
    let list = rows.map { "<dt>\($0.0)<dd><code>\(ServedPage.escaped($0.1))</code>" }.joined()
    let text = rows.enumerated().map { $0.offset == 0 ? $0.element.1 : "\($0.element.0): \($0.element.1)" }
    let code = QRCodeImage(text.joined(separator: "\n"))?.svg(label: say("QR code of this card", ko: "이 카드의 QR 코드"))
    return """
      <section class="card"><h3>\(ServedPage.escaped(vendor.name))</h3>
      <dl>\(list)</dl>
      <div>\(code ?? "")</div></section>
      """
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
