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
    HTMLPage.escaped(language == .english ? english : korean)
  }

  var html: String {
    let title = say("Open Market, edition \(edition.rawValue)", ko: "오픈 마켓, \(edition.rawValue) API")
    let base = HTMLPage.escaped(address)
    let besides = visit.vendors == nil ? "help" : "help beside"
    return HTMLPage(
      language: language, title: title,
      body: """
        <div class="\(besides)">
        <h1>\(title)</h1>
        <p>\(say("URL", ko: "주소")) <code>\(base)</code></p>
        </div>
        \(cards)<div class="\(besides)">
        \(help.map { "<h2>\($0.title)</h2>\n\($0.body)" }.joined(separator: "\n"))
        <h2>OpenAPI</h2>
        <p><a href="/openapi.json">\(base)/openapi.json</a></p>
        </div>
        """
    ).text
  }

  private var help: [(title: String, body: String)] {
    var sections = [
      (say("Log in", ko: "로그인"), "<p>\(login)</p>\n<pre>\(HTMLPage.escaped(examples.shell))</pre>"),
      (say("Read the first page", ko: "첫 페이지 읽기"), "<pre>\(HTMLPage.escaped(examples.read))</pre>"),
    ]
    if let id = visit.demoProducts.first {
      let whose =
        edition.hasVendors
        ? "<p>"
          + say(
            "Product \(id) belongs to the demo vendor; use the id of a product of yours.",
            ko: "\(id)번 상품은 데모 판매자의 것입니다. 자신이 등록한 상품의 id로 바꾸세요.") + "</p>\n" : ""
      sections.append(
        (say("Update a product", ko: "상품 수정"), whose + "<pre>\(HTMLPage.escaped(examples.patch(id)))</pre>"))
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
    let list = rows.map { "<dt>\($0.0)<dd><code>\(HTMLPage.escaped($0.1))</code>" }.joined()
    let text = rows.enumerated().map { $0.offset == 0 ? $0.element.1 : "\($0.element.0): \($0.element.1)" }
    let code = QRCodeImage(text.joined(separator: "\n"))?.svg(label: say("QR code of this card", ko: "이 카드의 QR 코드"))
    return """
      <section class="card"><h3>\(HTMLPage.escaped(vendor.name))</h3>
      <dl>\(list)</dl>
      <div>\(code ?? "")</div></section>
      """
  }
}

extension MessageLanguage {
  /// Creates the first supported language of an `Accept-Language` header.
  init(accepting languages: String?) {
    let words = (languages ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
    self = words.lazy.compactMap { MessageLanguage(rawValue: String($0.prefix(2))) }.first ?? .english
  }
}
