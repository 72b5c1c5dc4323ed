import Catalog
import MarketAPI
import Networking
import Platform
import ShellRuntime
import Text

/// Derives a description of a market from saved responses: a page of its list, and one product.
struct ResponseDerivation {
  private let page: JSON
  private let list: ListGuess
  private let envelope: [ShapePlace]
  private let rows: [JSON]
  private let record: RecordGuess?
  private let id: IDGuess
  private let fields: FieldGuesses
  private let address: ResponseAddress

  /// Returns the text of a description.
  ///
  /// - Parameters:
  ///   - page: The body of a page of the list.
  ///   - product: The body of the response for one product, or `nil`.
  /// - Throws: `CommandError` for a page without products, and for products that can't be described.
  static func text(of page: JSON, product: JSON?) throws(CommandError) -> LocalizedText {
    try ResponseDerivation(page, product).text
  }

  private init(_ page: JSON, _ product: JSON?) throws(CommandError) {
    let shape = ValueShape(of: [page])
    let guess = ListGuess(in: shape)
    guard !shape.isProduct || guess?.row.isProduct == true else {
      throw .underivable(
        LocalizedText("The first file is a product.", ko: "첫째 파일이 상품 하나입니다."),
        LocalizedText("The first one is a page of the list.", ko: "첫째는 목록 한 쪽입니다."),
        next: LocalizedText(
          "Run \(.command("api from page.json product.json")).",
          ko: "\(.command("api from page.json product.json"), .object) 실행하세요."))
    }
    guard let list = guess, let rows = list.records.value(in: page)?.array else {
      throw .underivable(
        LocalizedText("The first file has no list of products.", ko: "첫째 파일에 상품 목록이 없습니다."), shape.memberNames,
        next: LocalizedText(
          "Save a page of the list that has products: \(.command("get /products to page.json")).",
          ko: "상품이 있는 목록을 저장하세요: \(.command("get /products to page.json"))."))
    }
    let record = product.map { RecordGuess(in: ValueShape(of: [$0])) }
    if let record, record.shape.members.isEmpty {
      throw .underivable(
        LocalizedText("The second file has no product.", ko: "둘째 파일에 상품이 없습니다."),
        LocalizedText("It is no object with an id and a name.", ko: "번호와 이름이 있는 객체가 아닙니다."))
    }
    guard let id = IDGuess(of: list.row) else {
      throw .underivable(
        LocalizedText("The products in the list have no id.", ko: "목록의 상품에 번호가 없습니다."), list.row.memberNames)
    }
    try id.check()
    let fields = FieldGuesses(row: list.row, product: record?.shape)
    guard fields.fields[.name] != nil else {
      throw .underivable(
        LocalizedText("The products in the list have no name that is known.", ko: "목록의 상품에서 이름을 찾지 못했습니다."),
        list.row.memberNames)
    }
    (self.page, self.list, self.rows, self.record, self.id, self.fields) = (page, list, rows, record, id, fields)
    let envelope = ShapePlace.all(in: shape, outside: list.records)
    self.envelope = envelope
    address = ResponseAddress(page, envelope, rows: rows, list: list, id: id.pointer)
  }

  private var text: LocalizedText {
    var draft = DescriptionDraft()
    draft.addHead(LocalizedText("Derived from saved responses.", ko: "저장한 응답에서 추측한 설명입니다."))
    draft.set("format", "1")
    draft.set("name", "\"shop\"", because: LocalizedText("any word", ko: "아무 단어"))
    draft.suggest("base = \"/api\"", because: LocalizedText("if all paths begin with it", ko: "모든 경로의 앞부분이 같으면"))
    let count = rows.count
    draft.set(
      "id", DescriptionDraft.literal(id.pointer),
      because: LocalizedText(
        "a whole number in \(count) \(count == 1 ? StyledText("row") : "rows")", ko: "\(count)행에서 정수"))
    draft.addIDs()
    draft.table("auth")
    draft.set(
      "type", "\"none\"",
      because: LocalizedText("responses don't say it; or http, apiKey", ko: "응답에 없음; 또는 http, apiKey"))
    addList(&draft)
    PageGuess(page, envelope, rows: rows.count).add(to: &draft)
    addRead(&draft)
    suggestChanges(&draft)
    draft.addFields(fields, id: id.pointer, model: record?.shape ?? list.row)
    draft.suggestErrors()
    return draft.text
  }

  /// A Boolean value that indicates that a product is read through a filter: its response is a list of one.
  ///
  /// PostgREST does so.
  private var isFiltered: Bool { record?.pointer == JSONPointer.root.appending("0") }

  /// The lines of the request for one product.
  private var single: [(key: String, value: String)] {
    guard isFiltered else { return [("path", TOML.quoted(address.item.description))] }
    let filter = DescriptionDraft.literal([(TOML.key(id.pointer.tokens.last ?? "id"), "\"eq.{id}\"")])
    return [("path", TOML.quoted(address.list.description)), ("query", filter)]
  }

  private func suggestChanges(_ draft: inout DescriptionDraft) {
    draft.blank()
    draft.note(
      LocalizedText(
        "Responses don't say how a product is changed. If the server can do it, use these lines, and correct them:",
        ko: "응답만으로는 상품을 바꾸는 방법을 알 수 없습니다. 서버에서 할 수 있으면 다음 줄을 고쳐 쓰세요."))
    draft.suggest("[create]")
    draft.suggest("method = \"POST\"")
    draft.suggest("path = " + TOML.quoted(address.list.description))
    draft.suggest("[update]")
    draft.suggest("method = \"PATCH\"")
    for line in single { draft.suggest("\(line.key) = \(line.value)") }
    draft.suggest("semantics = \"merge\"", because: LocalizedText("what is not sent stays", ko: "보내지 않은 값은 그대로"))
    draft.suggest("[delete]")
    draft.suggest("method = \"DELETE\"")
    for line in single { draft.suggest("\(line.key) = \(line.value)") }
  }

  private func addList(_ draft: inout DescriptionDraft) {
    draft.table("list")
    draft.set("path", TOML.quoted(address.list.description), because: address.reason)
    draft.set("records", DescriptionDraft.literal(list.records), because: list.reason)
    let ids = rows.compactMap { id.pointer.value(in: $0)?.int }
    let pairs = zip(ids, ids.dropFirst())
    if ids.count < 3 {
      draft.set("order", "\"unknown\"", because: LocalizedText("too few rows", ko: "행이 너무 적음"))
    } else if pairs.allSatisfy({ $0 > $1 }) {
      draft.set("order", "\"newest-first\"", because: LocalizedText("descending ids", ko: "번호가 작아지는 차례"))
    } else if pairs.allSatisfy({ $0 < $1 }) {
      draft.set("order", "\"oldest-first\"", because: LocalizedText("ascending ids", ko: "번호가 커지는 차례"))
    } else {
      draft.set(
        "order", "\"unknown\"", because: LocalizedText("neither ascending nor descending ids", ko: "번호에 차례가 없음"))
    }
    draft.suggest(
      "search = { parameter = \"q\" }", because: LocalizedText("if the list can be searched", ko: "목록을 검색할 수 있으면"))
  }

  private func addRead(_ draft: inout DescriptionDraft) {
    draft.table("read")
    for line in single {
      let reason =
        line.key == "query"
        ? LocalizedText(
          "a list of one product: read through a filter, as PostgREST does", ko: "상품 하나의 목록: PostgREST처럼 필터로 읽음")
        : isFiltered ? address.reason : address.itemReason
      draft.set(line.key, line.value, because: reason)
    }
    draft.suggestGone()
    guard let record else {
      return draft.note(
        LocalizedText(
          "No product was given: if it is inside of the response, write record = \"/data\".",
          ko: "상품 하나의 응답이 없었습니다. 상품이 안쪽에 있으면 record = \"/data\"처럼 쓰세요."))
    }
    if record.pointer != .root {
      draft.set(
        "record", DescriptionDraft.literal(record.pointer),
        because: LocalizedText("the product in the second file", ko: "둘째 파일의 상품"))
    }
  }
}

/// The paths of the list and of one product, as links in a response show them.
private struct ResponseAddress {
  let list: RequestPath
  let item: RequestPath
  let reason: LocalizedText
  let itemReason: LocalizedText

  private static let links = ["url", "href", "self", "uri", "link", "selflink"]

  init(_ page: JSON, _ envelope: [ShapePlace], rows: [JSON], list guess: ListGuess, id: JSONPointer) {
    let own = ResponseAddress.item(of: rows, shape: guess.row, id: id)
    // The link to another page has the path of the list.
    let others = envelope.filter { place in
      place.words.contains { ["next", "prev", "previous", "first", "last", "nextpageurl", "nexturl"].contains($0) }
    }
    let linked = others.lazy.compactMap { ResponseLink($0.pointer.value(in: page)) }
      .compactMap { $0.path.isEmpty ? nil : RequestPath($0.path) }.first {
        !RequestPath.hasBraces(in: $0.description, besides: [])
      }
    let fromRows = own.flatMap { path -> RequestPath? in
      let parts = path.description.split(separator: "/" + RequestPath.id, omittingEmptySubsequences: false)
      let text = parts.joined()
      return RequestPath(text.isEmpty ? "/" : text)
    }
    let word = guess.records.tokens.last.flatMap { ["products", "items", "goods"].contains($0) ? $0 : nil }
    let guessed = word.flatMap { RequestPath("/" + $0) } ?? RequestPath("/products") ?? .empty
    list = linked ?? fromRows ?? guessed
    let fromLink = LocalizedText(
      "from a link; without what the url of the profile has", ko: "링크에서; 프로필의 url에 있는 부분은 빼기")
    let invented = LocalizedText("the response doesn't say it", ko: "응답에 없음")
    reason = linked != nil || fromRows != nil ? fromLink : invented
    itemReason = own != nil ? fromLink : LocalizedText("the path of the list and the id", ko: "목록의 경로와 번호")
    item = own ?? RequestPath(ResponseAddress.item(below: list.description, "/" + RequestPath.id)) ?? .empty
  }

  /// Returns the path of one product below that of the list, with the ending of the list.
  private static func item(below list: String, _ id: String) -> String {
    if list == "/" { return id }
    for ending in ["/", ".json"] where list.hasSuffix(ending) { return list.dropLast(ending.count) + id + ending }
    return list + id
  }

  /// Returns the path of the links in all rows that end with their ids, or `nil`.
  private static func item(of rows: [JSON], shape: ValueShape, id: JSONPointer) -> RequestPath? {
    let places = ShapePlace.all(in: shape).filter { place in
      place.shape.kinds == [.text] && place.words.last.map(links.contains) ?? false
    }
    for place in places {
      let paths = rows.prefix(20).map { row -> String? in
        guard let id = id.value(in: row)?.int,
          let path = ResponseLink(place.pointer.value(in: row))?.path
        else { return nil }
        for ending in ["/\(id)", "/\(id)/", "/\(id).json"] where path.hasSuffix(ending) {
          return String(path.dropLast(ending.count)) + ending.replacing(String(id), with: RequestPath.id)
        }
        return nil
      }
      if let first = paths.first ?? nil, paths.allSatisfy({ $0 == first }),
        !RequestPath.hasBraces(in: first, besides: [RequestPath.id]), let path = RequestPath(first)
      {
        return path
      }
    }
    return nil
  }
}
