import Foundation
import MarketAPI
import Networking
import Platform
import Text

/// The way in which the pages of a list are probably requested.
struct PageGuess: Hashable {
  var kind = MarketDescription.PageRule.Kind.none
  /// The name in the query of the page's number, offset or cursor.
  var parameter: String?
  /// The name in the query of the number of rows.
  var limit: String?
  var first: Int?
  var size: Int?
  var maximum: Int?
  /// The place of the cursor or the URL of the next page.
  var next: JSONPointer?
  /// The place of the total.
  var total: ResponseLocation?
  /// The reason for the kind.
  var reason: LocalizedText

  private static let pages = [
    "page", "pageno", "pagenumber", "pagenum", "currentpage", "paginationpage", "pageindex", "p", "페이지",
  ]
  private static let limits = [
    "limit", "perpage", "pagesize", "itemsperpage", "size", "pagelimit", "resultsperpage", "recordsperpage",
    "paginationpagesize", "paginationlimit", "maxresults", "top", "take", "rows", "first", "count",
  ]
  private static let offsets = ["offset", "skip", "startindex", "paginationstart", "firstresult", "start"]
  private static let cursors = [
    "cursor", "pagetoken", "nexttoken", "nextcursor", "continuationtoken", "startingafter", "after", "marker", "next",
    "pageinfo",
  ]
  private static let totals = [
    "total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalrows", "totalproducts",
    "filtercount", "numfound", "recordcount", "count",
  ]
  private static let nextTexts = [
    "nextcursor", "nextpagetoken", "nexttoken", "continuationtoken", "endcursor", "next", "cursor",
  ]
  private static let nextLinks = ["next", "nexturl", "nextlink", "nextpageurl", "odatanextlink"]
  private static let searches = ["search", "q", "query", "keyword", "keywords", "term", "searchterm", "s"]
  /// The header fields of totals, in lowercase.
  private static let totalFields = [
    "x-total-count", "x-wp-total", "x-total", "x-pagination-total-count", "total-count", "total", "content-range",
  ]

  /// The header field that has the total in many APIs.
  private static let usualTotal = ResponseLocation.header("X-Total-Count")

  /// Returns the name of the first synonym among names, or `nil`.
  private static func name(_ names: [String], _ synonyms: [String]) -> String? {
    names.first(called: synonyms) { $0 }
  }

  /// Returns the name of the parameter that searches, or `nil`.
  static func search(_ parameters: [OpenAPIDocument.RequestParameter]) -> String? {
    name(parameters.filter { $0.place == "query" }.map(\.name), searches)
  }

  /// Returns the members outside of the rows that are called so, the most probable one first.
  private static func places(_ synonyms: [String], in envelope: [ShapePlace]) -> [ShapePlace] {
    envelope.enumerated().compactMap { index, place in
      place.words.last.flatMap { synonyms.firstIndex(of: $0) }.map { (rank: $0, index: index, place: place) }
    }.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.place)
  }

  private static func total(in envelope: [ShapePlace], _ isPossible: (ShapePlace) -> Bool = { _ in true })
    -> ResponseLocation?
  {
    places(totals, in: envelope).first { $0.shape.canBeWhole && isPossible($0) }.map { .body($0.pointer) }
  }

  /// Returns the places of links to the next page.
  private static func links(in envelope: [ShapePlace]) -> [ShapePlace] {
    envelope.filter { place in
      guard place.shape.kinds == [.text], let name = place.words.last else { return false }
      return nextLinks.contains(name)
        || ["href", "url"].contains(name) && place.words.dropLast().last.map(nextLinks.contains) ?? false
    }
  }

  /// Guesses that there is one page.
  init(reason: LocalizedText) { self.reason = reason }

  // MARK: From a document

  /// Guesses from the parameters of the list and the schema of its response.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of the request.
  ///   - envelope: The places of the response outside of its rows.
  ///   - headers: The names of the header fields of the response.
  init(_ parameters: [OpenAPIDocument.RequestParameter], _ envelope: [ShapePlace], headers: [String]) {
    let query = parameters.filter { $0.place == "query" }
    let names = query.map(\.name)
    reason = LocalizedText("no parameter of the list is called like one of pages", ko: "쪽을 나누는 이름의 매개변수가 없음")
    let fields = headers.filter { PageGuess.totalFields.contains($0.lowercased()) && HeaderField($0, "").isValid }
    total = PageGuess.total(in: envelope) ?? fields.first.map { .header($0) }
    limit = PageGuess.name(names, PageGuess.limits)
    if let page = PageGuess.name(names, PageGuess.pages) {
      (kind, parameter) = (.page, page)
      let schema = query.first { $0.name == page }
      if schema?.number("minimum") == 0 || schema?.number("default") == 0 { first = 0 }
    } else if let offset = PageGuess.name(names, PageGuess.offsets), limit != nil {
      (kind, parameter) = (.offset, offset)
    } else if let cursor = PageGuess.name(names, PageGuess.cursors),
      let place = PageGuess.places(PageGuess.nextTexts, in: envelope).first(where: { $0.shape.canBeText })
    {
      (kind, parameter, next) = (.cursor, cursor, place.pointer)
    } else if let place = PageGuess.links(in: envelope).first {
      (kind, next) = (.link, place.pointer)
    } else if headers.contains(where: { $0.lowercased() == "link" }) {
      kind = .link
    }
    if kind == .none {
      limit = nil
      return
    }
    reason = PageGuess.reason(parameter)
    let schema = query.first { $0.name == limit }
    maximum = schema?.number("maximum").flatMap { (1...10_000).contains($0) ? $0 : nil }
    size = schema?.number("default").flatMap { (1...min(1_000, maximum ?? 1_000)).contains($0) ? $0 : nil }
    if size == nil, let maximum, maximum < 20 { size = maximum }
  }

  private static func reason(_ parameter: String?) -> LocalizedText {
    parameter == nil
      ? LocalizedText("the response has a link", ko: "응답에 링크가 있음")
      : LocalizedText("by the names of the parameters", ko: "매개변수의 이름으로 추측")
  }

  // MARK: From a saved response

  /// Guesses from the values of a saved response.
  ///
  /// - Parameters:
  ///   - body: The body of the response.
  ///   - envelope: The places of the response outside of its rows.
  ///   - rows: The number of rows.
  init(_ body: JSON, _ envelope: [ShapePlace], rows: Int) {
    reason = LocalizedText("nothing in the response names another page", ko: "응답에 다른 쪽을 가리키는 값이 없음")
    func number(_ place: ShapePlace) -> Int? {
      place.pointer.value(in: body)?.int
    }
    var count = 0
    total = PageGuess.total(in: envelope) { place in
      count = max(count, number(place) ?? -1)
      return number(place).map { $0 >= rows } ?? false
    }
    let links = PageGuess.links(in: envelope).compactMap { place in
      ResponseLink(place.pointer.value(in: body)).map { (pointer: place.pointer, link: $0) }
    }
    if let (pointer, link) = links.first { read(link, at: pointer, in: body, beside: envelope) }
    if kind == .none || kind == .link { readEcho(envelope, number) }
    guard kind == .none else { return }
    if count > rows {
      reason = LocalizedText(
        "the response has \(rows) of \(count) products: pages are missing here",
        ko: "응답에 상품 \(count)개 중 \(rows)개가 있음: 쪽의 설명이 더 필요함")
    }
  }

  /// Reads the query of the link to the next page.
  private mutating func read(
    _ link: ResponseLink, at pointer: JSONPointer, in body: JSON, beside envelope: [ShapePlace]
  ) {
    let names = link.query.map(\.name)
    func value(_ name: String?) -> Int? { link.query.first { $0.name == name }.flatMap { Int($0.value) } }
    limit = PageGuess.name(names, PageGuess.limits)
    size = value(limit).flatMap { (1...1_000).contains($0) ? $0 : nil }
    reason = LocalizedText("by the link to the next page", ko: "다음 쪽의 링크로 추측")
    if let offset = PageGuess.name(names, PageGuess.offsets), limit != nil, value(offset) != nil {
      (kind, parameter) = (.offset, offset)
      return
    }
    if let page = PageGuess.name(names, PageGuess.pages), value(page) != nil {
      (kind, parameter) = (.page, page)
      return
    }
    for place in PageGuess.places(PageGuess.nextTexts, in: envelope) where place.pointer != pointer {
      guard let text = place.pointer.value(in: body)?.string, !text.isEmpty,
        let item = link.query.first(where: { $0.value == text })
      else { continue }
      (kind, parameter, next) = (.cursor, item.name, place.pointer)
      return
    }
    (kind, next) = (.link, pointer)
  }

  /// Reads the numbers next to the rows that repeat the request: `skip` and `limit`.
  private mutating func readEcho(_ envelope: [ShapePlace], _ number: (ShapePlace) -> Int?) {
    func echo(_ synonyms: [String]) -> (name: String, value: Int)? {
      for place in PageGuess.places(synonyms, in: envelope) {
        if let name = place.pointer.tokens.last, let value = number(place) { return (name, value) }
      }
      return nil
    }
    guard let limit = echo(PageGuess.limits.filter { $0 != "count" && $0 != "first" }) else { return }
    if let offset = echo(PageGuess.offsets) {
      (kind, parameter) = (.offset, offset.name)
    } else if let page = echo(PageGuess.pages) {
      (kind, parameter) = (.page, page.name.synonymKey == "currentpage" ? "page" : page.name)
      if page.value == 0 { first = 0 }
    } else {
      return
    }
    (self.limit, next) = (limit.name, nil)
    size = (1...1_000).contains(limit.value) ? limit.value : nil
    reason = LocalizedText("by numbers in the response that repeat the request", ko: "요청을 되풀이하는 응답의 숫자로 추측")
  }

  // MARK: Text

  /// Adds the table of pages.
  func add(to draft: inout DescriptionDraft) {
    draft.table("list.page")
    draft.set("type", TOML.quoted(kind.rawValue), because: reason)
    if let parameter { draft.set(kind.rawValue, TOML.quoted(parameter)) }
    if let limit { draft.set("limit", TOML.quoted(limit)) }
    if let next { draft.set("next", DescriptionDraft.literal(next)) }
    if let first {
      draft.set("first", String(first), because: LocalizedText("the number of the first page", ko: "첫 쪽의 번호"))
    }
    if kind == .none {
      draft.note(
        LocalizedText(
          "If this is not the whole list, the other pages are missed. For numbered pages the lines are, for example:",
          ko: "목록이 더 있다면 나머지 쪽을 읽지 못합니다. 번호가 있는 쪽이면 예를 들어 다음과 같습니다."))
      for line in ["type = \"page\"", "page = \"page\"", "limit = \"per_page\"", "size = 50"] { draft.suggest(line) }
      draft.suggest(
        "total = " + DescriptionDraft.literal(total ?? PageGuess.usualTotal),
        because: LocalizedText("a header field, or a pointer such as /total", ko: "헤더, 또는 /total 같은 포인터"))
      return
    }
    if let size {
      draft.set("size", String(size))
    } else {
      draft.suggest(
        "size = 50", because: LocalizedText("the usual number of rows; 20 unless set", ko: "한 쪽의 행 수; 없으면 20"))
    }
    if let maximum {
      draft.set("max-size", String(maximum))
    } else {
      draft.suggest("max-size = 100", because: LocalizedText("the highest number of rows", ko: "한 쪽의 최대 행 수"))
    }
    if let total {
      draft.set(
        "total", DescriptionDraft.literal(total),
        because: LocalizedText("contract counts whether it is so", ko: "맞는지는 contract가 셈"))
    } else {
      draft.suggest(
        "total = " + DescriptionDraft.literal(PageGuess.usualTotal),
        because: LocalizedText(
          "or a pointer; without it the list ends at a page without products", ko: "또는 포인터; 없으면 상품이 없는 쪽에서 끝"))
    }
  }
}

/// A link in a response: a URL, or the path or query of one.
struct ResponseLink {
  let path: String
  let query: [QueryItem]

  /// Reads a text, or returns `nil` if it isn't a link.
  init?(_ value: JSON?) {
    guard let text = value?.string, text.utf8.count <= 2_000 else { return nil }
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") {
      guard ["http", "https"].contains(rest[..<scheme.lowerBound].lowercased()) else { return nil }
      rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    } else if rest.first != "/" && rest.first != "?" {
      return nil
    }
    let whole = rest.prefix { $0 != "#" }
    path = String(whole.prefix { $0 != "?" })
    query = whole.drop { $0 != "?" }.dropFirst().split(separator: "&").prefix(50).map { item in
      func decoded(_ text: Substring) -> String {
        let plain = text.replacing("+", with: " ")
        return plain.removingPercentEncoding ?? String(plain)
      }
      return QueryItem(decoded(item.prefix { $0 != "=" }), decoded(item.drop { $0 != "=" }.dropFirst()))
    }
  }
}
