import Foundation
import HTTPTypes

/// The part of a list that a request to an API that a file describes asks for.
struct DescribedWindow: Hashable, Sendable {
  /// The number of rows before the part. If `after` is set, the rows up to that product are counted instead.
  var offset: Int64 = 0
  /// The id of the product before the part.
  var after: Int64?
  /// The requested number of rows, at most the maximum of the API.
  var limit: Int64
  /// The number of the page, from 1.
  var page: Int64 = 1

  /// The maximum number of rows of a list without pages, which is that of the editions.
  static let wholeList: Int64 = 10_000
  /// The parameter that the links of a list have.
  static let linkParameter = "after"
  /// The maximum offset, to which the number of rows of a page can be added without an overflow.
  private static let maximumOffset: Int64 = 1 << 62

  /// Reads the query of a request.
  ///
  /// - Throws: A 400 for a value that is no number or out of its range.
  init(_ query: QueryParameters, _ rule: ServedDescription.Page) throws(MarketHTTPError) {
    guard rule.kind != .none else {
      limit = DescribedWindow.wholeList
      return
    }
    let maximum = Int64(max(rule.size, rule.maximumSize))
    limit = Int64(rule.size)
    if let name = rule.limit, let asked = try DescribedWindow.number(name, query, from: 0) {
      limit = asked == 0 ? maximum : min(asked, maximum)
    }
    let parameter = rule.kind == .link ? DescribedWindow.linkParameter : rule.parameter ?? ""
    switch rule.kind {
    case .none: break
    case .page:
      let number = try DescribedWindow.number(parameter, query, from: Int64(rule.first)) ?? Int64(rule.first)
      page = number - Int64(rule.first) + 1
      let (rows, isTooLarge) = (page - 1).multipliedReportingOverflow(by: limit)
      offset = isTooLarge ? DescribedWindow.maximumOffset : min(rows, DescribedWindow.maximumOffset)
    case .offset:
      offset = min(try DescribedWindow.number(parameter, query, from: 0) ?? 0, DescribedWindow.maximumOffset)
      page = offset / limit + 1
    case .cursor, .link: after = try DescribedWindow.number(parameter, query, from: 0)
    }
  }

  private static func number(
    _ name: String, _ query: QueryParameters, from lowest: Int64
  ) throws(MarketHTTPError) -> Int64? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text), number >= lowest else {
      throw .malformed("\(name) must be a whole number from \(lowest)")
    }
    return number
  }
}

/// The response with a list in an API that a file describes.
struct DescribedList: Sendable {
  let api: ServedDescription
  let window: DescribedWindow
  /// The number of all products that the request finds.
  let total: Int64
  /// The number of rows before those of the response.
  let offset: Int64
  let rows: [WireJSON]
  /// The text that leads to the next page, or `nil` after the last one.
  let next: String?

  var response: MarketResponse {
    var body = WireJSON.null
    var fields: HTTPFields = [:]
    func set(_ value: WireJSON?, at place: ServedDescription.Place?) {
      switch place {
      case .body(let pointer)?: body.set(value ?? .null, at: pointer)
      case .header(let name)?:
        guard let name = HTTPField.Name(name), let text = value?.plain else { return }
        fields[name] = DescribedList.printable(text)
      case nil: break
      }
    }
    set(.list(rows), at: .body(api.list.records))
    set(totalValue, at: api.list.page.total)
    if api.list.page.kind == .cursor || api.list.page.kind == .link { set(nextValue, at: api.list.page.next) }
    let pages = total == 0 ? 1 : (total - 1) / window.limit + 1
    let numbers: [(String, Int64)] = [
      ("{offset}", offset), ("{limit}", window.limit), ("{count}", Int64(rows.count)), ("{page}", window.page),
      ("{pages}", pages), ("{total}", total),
    ]
    let values = Dictionary(uniqueKeysWithValues: numbers.map { ($0.0, WireJSON.number($0.1)) })
    for member in api.list.members { set(member.value.filling(values), at: member.at) }
    var response = MarketResponse.json(body)
    response.fields = fields
    return response
  }

  /// The total; in a `Content-Range`, it is after the range of the rows.
  private var totalValue: WireJSON {
    guard case .header(let name)? = api.list.page.total, name.lowercased() == "content-range" else {
      return .number(total)
    }
    return .text((rows.isEmpty ? "*" : "\(offset)-\(offset + Int64(rows.count) - 1)") + "/\(total)")
  }

  private var nextValue: WireJSON? {
    guard let next else { return nil }
    if case .header(let name)? = api.list.page.next, name.lowercased() == "link" {
      return .text("<\(next)>; rel=\"next\"")
    }
    return .text(next)
  }

  /// Returns the visible characters of ASCII and blanks, which a header field may have.
  private static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
  }

  /// Returns the URL of the page after a product: that of the request with another parameter.
  static func link(after id: Int64, _ target: String, base: String) -> String {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameter = DescribedWindow.linkParameter
    let others = (halves.count == 2 ? halves[1] : "").split(separator: "&").filter { pair in
      pair.split(separator: "=", omittingEmptySubsequences: false).first.map(String.init) != parameter
    }
    let query = (others.map(String.init) + ["\(parameter)=\(id)"]).joined(separator: "&")
    // The delimiters of the header field are not parts of a URL (RFC 3986).
    return (base + halves[0] + "?" + query).replacing("<", with: "%3C").replacing(">", with: "%3E")
      .replacing("\"", with: "%22")
  }
}
