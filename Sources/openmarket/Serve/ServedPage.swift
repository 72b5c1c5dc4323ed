import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// The HTML page at `/`: the same help for everyone, and for the teacher a card to print for each vendor.
///
/// It loads nothing, needs no script, and contains secrets on the cards only.
struct ServedPage {
  let api: ServedAPI
  let visit: LandingPageContext
  /// The beginning of the URLs, which works on the machines of students.
  let address: String

  private var language: MessageLanguage { MessageLanguage(accepting: visit.languages) }

  private var examples: any ServedExamples { api.examples(base: address) }

  private func say(_ english: String, ko korean: String) -> String {
    language == .english ? english : korean
  }

  var html: String {
    let kind = api.edition == nil ? "API" : "edition"
    let title = say("Open Market, \(kind) \(api.name)", ko: "오픈 마켓, \(api.name) API")
    let besides = visit.vendors == nil ? "help" : "help beside"
    return HTMLPage(
      language: language, title: title,
      body: """
        <div class="\(besides)">
        <h1>\(title)</h1>
        <p>\(say("URL", ko: "주소")) <code>\(address)</code></p>
        </div>
        \(cards)<div class="\(besides)">
        \(help.map { "<h2>\($0.title)</h2>\n\($0.body)" as HTML }.joined(separator: "\n"))
        \(document)</div>
        """
    ).text
  }

  /// The link to the OpenAPI document, which an API that a file describes doesn't have.
  private var document: HTML {
    guard api.edition != nil else { return "" }
    return """
      <h2>OpenAPI</h2>
      <p><a href="/openapi.json">\(address)/openapi.json</a></p>

      """
  }

  private var help: [(title: String, body: HTML)] {
    func example(_ code: String, after text: String? = nil) -> HTML {
      "\(text.map { "<p>\($0)</p>\n" as HTML } ?? "")<pre>\(code)</pre>"
    }
    var sections = [
      (say("Log in", ko: "로그인"), example(examples.shell, after: login)),
      (say("Read the first page", ko: "첫 페이지 읽기"), example(examples.read)),
    ]
    if let creation = examples.creation {
      let id = say("The response has the id of the new product.", ko: "응답에 새 상품의 id가 있습니다.")
      let photo = say("photo.jpg is a picture in the current folder.", ko: "photo.jpg는 현재 폴더의 사진입니다.")
      sections.append(
        (say("Create a product", ko: "상품 등록"), example(creation, after: api.edition == nil ? id : id + " " + photo)))
    }
    if let id = visit.demoProducts.first {
      let whose = say(
        "Product \(id) belongs to the demo vendor; use the id of a product of yours.",
        ko: "\(id)번 상품은 데모 판매자의 것입니다. 자신이 등록한 상품의 id로 바꾸세요.")
      let steps = say(
        "Two requests: the first one, with the secret, is answered with what the second one needs.",
        ko: "요청이 두 번 필요합니다. 시크릿을 보내는 첫 요청의 응답을 둘째 요청에 씁니다.")
      let hasOwners = api.edition?.hasVendors == true
      if let change = examples.change(of: id) {
        sections.append((say("Update a product", ko: "상품 수정"), example(change, after: hasOwners ? whose : nil)))
      }
      if let deletion = examples.deletion(of: id) {
        sections.append((say("Delete a product", ko: "상품 삭제"), example(deletion, after: hasOwners ? steps : nil)))
      }
    }
    sections.append((say("Endpoints", ko: "엔드포인트"), endpoints))
    if address.hasPrefix("http:") { sections.append(("App Transport Security", transportSecurity)) }
    return sections
  }

  /// The table of the requests of the API.
  private var endpoints: HTML {
    let rows: [(String, String, String)] =
      switch api {
      case .edition(let edition): endpoints(of: edition)
      case .described(let description): endpoints(of: description)
      }
    let cells = rows.map { "<tr><td><code>\($0.0)</code><td>\($0.1)<td>\($0.2)" as HTML }
    return "<div class=\"wide\">\n<table>\n\(cells.joined(separator: "\n"))\n</table>\n</div>"
  }

  /// Returns the requests that a file describes, with their parameters and members.
  private func endpoints(of api: ServedDescription) -> [(String, String, String)] {
    func path(_ segments: [String], _ query: [String: String] = [:]) -> String {
      let named = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      return "/" + segments.joined(separator: "/") + (named.isEmpty ? "" : "?" + named)
    }
    func row(_ call: ServedDescription.Call?, _ meaning: String, input: String = "") -> [(String, String, String)] {
      call.map { [($0.methods.joined(separator: ", ") + " " + path($0.path, $0.query), meaning, input)] } ?? []
    }
    let page = [api.list.page.parameter, api.list.page.limit].compactMap(\.self)
    let search = api.list.search
    let list = (page + (search?.path == nil ? [search?.parameter].compactMap(\.self) : [])).joined(separator: ", ")
    let members = ServedDescription.Field.allCases.compactMap { field in
      api.fields[field].flatMap { $0.constant == nil ? $0.at.description : nil }
    }.joined(separator: ", ")
    let found = search.flatMap { search in search.path.map { (path($0), search.parameter) } }
    return [("GET " + path(api.list.path), say("list of products", ko: "상품 목록"), list)]
      + (found.map { [("GET " + $0.0, say("search", ko: "검색"), ([$0.1] + page).joined(separator: ", "))] } ?? [])
      + row(api.read, say("one product", ko: "상품 하나"))
      + row(api.create, say("create a product", ko: "상품 등록"), input: "JSON: \(members)")
      + row(api.update, say("update a product", ko: "상품 수정"), input: "JSON")
      + row(api.delete, say("delete a product", ko: "상품 삭제"))
  }

  private func endpoints(of edition: ServedEdition) -> [(String, String, String)] {
    let guide = EndpointGuide(Edition(edition))
    return guide.operations.flatMap { guide.steps($0) }.map { ($0.request, $0.purpose[language].plain, $0.input) }
  }

  /// The settings that an iOS app needs before it may use http.
  private var transportSecurity: HTML {
    let settings = """
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSAllowsLocalNetworking</key>
        <true/>
      </dict>
      """
    let text = say(
      "An iOS app may use http for IP addresses, names in .local and names without a dot if its Info.plist has this. For other names the server needs https.",
      ko: "iOS 앱은 Info.plist에 이 설정이 있으면 IP 주소, .local 이름, 점이 없는 이름에 http를 쓸 수 있습니다. 다른 이름에는 https가 필요합니다.")
    return "<p>\(text)</p>\n<pre>\(settings)</pre>"
  }

  /// The explanation of where the values of the variables are.
  private var login: String {
    guard let edition = api.edition else {
      return api.hasVendors
        ? say(
          "Your identifier and secret are on the card that the teacher gives you. openmarket serve prints them at its start.",
          ko: "identifier와 secret은 선생님이 나눠 주는 카드에 있습니다. openmarket serve를 시작할 때 출력됩니다.")
        : say("Everybody may write, without a login.", ko: "로그인 없이 누구나 쓸 수 있습니다.")
    }
    guard !edition.hasVendors else {
      return say(
        "Your identifier, vendor_id and secret are on the card that the teacher gives you. openmarket serve prints them at its start.",
        ko: "identifier, vendor_id, secret은 선생님이 나눠 주는 카드에 있습니다. openmarket serve를 시작할 때 출력됩니다.")
    }
    let ids = visit.demoProducts.map { String($0) }.joined(separator: ", ")
    let new = say("A new product uses the password it is created with.", ko: "새 상품은 등록할 때 정한 비밀번호를 씁니다.")
    guard !ids.isEmpty else { return new }
    return say(
      "The password that openmarket serve prints at its start opens these sample products: \(ids).",
      ko: "openmarket serve를 시작할 때 출력되는 비밀번호로 다음 예시 상품을 수정할 수 있습니다: \(ids).") + " " + new
  }

  private var cards: HTML {
    guard var vendors = visit.vendors, api.edition != nil || api.hasVendors else { return "" }
    // The demo vendor, whose secret everyone knows, is not the first to hand out.
    if vendors.count > 1 { vendors.append(vendors.removeFirst()) }
    let title = api.hasVendors ? say("Vendors", ko: "판매자") : say("Password", ko: "비밀번호")
    return "<h2>\(title)</h2>\n<div class=\"cards\">\n\(vendors.map(card).joined(separator: "\n"))\n</div>\n"
  }

  private func card(_ vendor: VendorLogin) -> HTML {
    var rows = [(say("URL", ko: "주소"), address)]
    if api.hasVendors {
      rows += [("vendor_id", String(vendor.vendorID)), ("identifier", vendor.identifier), ("secret", vendor.secret)]
    } else {
      rows += [("password", vendor.secret)]
    }
    let list = rows.map { "<dt>\($0.0)<dd><code>\($0.1)</code>" as HTML }.joined()
    let text = rows.enumerated().map { $0.offset == 0 ? $0.element.1 : "\($0.element.0): \($0.element.1)" }
    let code = QRCodeImage(text.joined(separator: "\n"))?.svg(label: say("QR code of this card", ko: "이 카드의 QR 코드"))
    return """
      <section class="card"><h3>\(vendor.name)</h3>
      <dl>\(list)</dl>
      <div>\(code ?? "")</div></section>
      """
  }
}

extension MessageLanguage {
  /// Creates the first supported language among the first twenty of an `Accept-Language` header.
  init(accepting languages: String?) {
    let words = (languages ?? "").prefix(400).split(separator: ",", maxSplits: 20).map { $0.trimmed.lowercased() }
    self = words.lazy.compactMap { MessageLanguage(rawValue: String($0.prefix(2))) }.first ?? .english
  }
}

/// A page of `serve`: it loads nothing and needs no script.
struct HTMLPage {
  let language: MessageLanguage
  let title: String
  /// The content of the main part.
  let body: HTML

  var text: String { html.text }

  private var html: HTML {
    """
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
    table { border-collapse: collapse; }
    th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #888; }
    .wide { overflow-x: auto; overflow-wrap: normal; }
    .wide td { white-space: nowrap; }
    .wide td:nth-child(2), .wide td:last-child { white-space: normal; min-width: 8rem; overflow-wrap: break-word; }
    .wide td:last-child { min-width: 20rem; }
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
    \(body)
    </main>

    """
  }
}
