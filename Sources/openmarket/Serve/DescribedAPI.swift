import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The API of `serve --api FILE`, which a file describes.
///
/// The file is read by the reader of the shell. What it says is copied into the type of the server, because client and
/// server share none.
struct DescribedAPI {
  let description: ServedDescription

  /// The maximum size of a sample in bytes; each product of a response has most of them.
  private static let maximumSampleBytes = 1 << 16

  /// Reads the description that the user named.
  ///
  /// - Throws: `FileError` and `DescriptionError` for the file, `FileError` for the sample, and `CommandError` for what the
  ///   server can't do.
  init(path: String) throws {
    try self.init(try DescriptionReader.read(path: path), in: ConfinedPath(folderOf: path))
  }

  /// Reads the description that a lesson names.
  ///
  /// - Throws: As the initializer for the path of a user.
  init(_ file: ConfinedPath) throws {
    try self.init(try DescriptionReader.read(file), in: file.parent)
  }

  /// Creates the API of a description, with the sample below its folder.
  private init(_ market: MarketDescription, in folder: ConfinedPath) throws {
    var served = DescribedAPI.served(market)
    if let sample = market.serving.sample {
      served.sample = try DescribedAPI.sample(ConfinedPath(stated: sample, below: folder), of: market)
    }
    if let path = served.unusablePath {
      throw DescribedAPI.unusable(
        market,
        LocalizedText(
          "The path \(.value(path)) is that of a page of the server.",
          ko: "\(.value(path)) 경로에는 서버의 웹 페이지가 있습니다."),
        next: LocalizedText(
          "Put the API below another path, such as \(.command("base = \"/api\"")).",
          ko: "\(.command("base = \"/api\"")) 같은 경로 아래에 두세요."))
    }
    if let name = served.unusableField {
      throw DescribedAPI.unusable(
        market,
        LocalizedText(
          "The header field \(.value(name)) frames a response, or is set by the server itself.",
          ko: "\(.value(name)) 헤더는 응답의 경계를 나타내거나 서버가 직접 정합니다."),
        next: LocalizedText(
          "Name another field, such as \(.command("$response.header.X-Total-Count")).",
          ko: "\(.command("$response.header.X-Total-Count")) 같은 다른 헤더를 쓰세요."))
    }
    description = served
  }

  private static func unusable(_ market: MarketDescription, _ reason: LocalizedText, next: LocalizedText)
    -> CommandError
  {
    CommandError(
      .usageError,
      .failure("\(.value(market.file)) can't be served.", ko: "\(.value(market.file), .object) 서버로 실행할 수 없습니다.")
        .because(reason).next(next))
  }

  /// Returns the JSON text of the product in a file.
  private static func sample(_ file: ConfinedPath, of market: MarketDescription) throws -> String {
    let text = try file.text(limit: maximumSampleBytes)
    guard let text else { throw FileError.cannotRead(path: file.shown, errno: ENOENT) }
    guard ServedDescription.isObject(text) else {
      throw unusable(
        market,
        LocalizedText(
          "The sample \(.value(file.shown)) is not one JSON object.",
          ko: "예시 파일 \(.value(file.shown), .topic) JSON 객체 하나가 아닙니다."),
        next: LocalizedText(
          "Save a product with \(.command("get")), such as \(.command("get /products/1 to \(file.shown)")).",
          ko: "\(.command("get /products/1 to \(file.shown)"))처럼 상품 하나를 저장하세요."))
    }
    return text
  }

  // MARK: Tables

  private static func served(_ market: MarketDescription) -> ServedDescription {
    var list = ServedDescription.List(path: path(market.list.path, market))
    list.records = pointer(market.list.records)
    list.isNewestFirst = market.list.order == .newestFirst
    list.page = page(market.list.page)
    list.search = market.list.search.map { rule in
      ServedDescription.Search(parameter: rule.parameter, path: rule.path.map { path($0, market) })
    }
    list.members = market.serving.list.map { .init(place($0.at), json: $0.value.serialized) }
    var read = ServedDescription.Call(["GET"], path(market.read.path, market))
    read.query = query(market.read.query)
    read.record = pointer(market.read.record)
    var served = ServedDescription(
      name: market.name, file: market.file, id: pointer(market.id), list: list, read: read)
    served.login = login(market.authentication)
    served.create = call(market.write(.create), market)
    served.update = call(market.write(.edit), market)
    if !market.serving.updateMethods.isEmpty {
      served.update?.methods = market.serving.updateMethods.map(\.rawValue)
    }
    served.delete = call(market.write(.delete), market)
    for (field, rule) in market.fields {
      if let field = ServedDescription.Field(rawValue: field.rawValue) { served.fields[field] = self.rule(rule) }
    }
    served.messages = market.messages.map(pointer)
    // A response with a text is preferred: clients of the API test the text.
    if let gone = market.read.gone.first(where: { $0.text != nil }) ?? market.read.gone.first {
      served.gone = ServedDescription.Gone(status: gone.status, at: gone.at.map(pointer), text: gone.text)
    }
    served.select = market.serving.select
    served.extra = members(market.serving.extra)
    served.createValues = members(market.write(.create)?.values ?? [])
    served.deleteResponse =
      switch market.serving.deleteResponse {
      case .product: .product
      case .nothing: .nothing
      case .true: .yes
      }
    served.deletedMembers = members(market.serving.deletion)
    served.forgetsWrites = !market.keepsWrites
    return served
  }

  private static func page(_ rule: MarketDescription.PageRule) -> ServedDescription.Page {
    var page = ServedDescription.Page()
    page.kind =
      switch rule.kind {
      case .none: .none
      case .page: .page
      case .offset: .offset
      case .cursor: .cursor
      case .link: .link
      }
    page.parameter = rule.parameter
    page.limit = rule.limit
    page.first = rule.first
    page.size = rule.size
    // Without a limit in the file, as many rows as the shell requests at once.
    page.maximumSize = rule.maximumSize ?? max(rule.size, 100)
    page.next = rule.next.map(place)
    page.total = rule.total.map(place)
    return page
  }

  private static func call(_ rule: MarketDescription.WriteRule?, _ market: MarketDescription) -> ServedDescription.Call?
  {
    guard let rule else { return nil }
    var call = ServedDescription.Call([rule.method.rawValue], path(rule.path, market))
    call.query = query(rule.query)
    call.body = pointer(rule.body)
    call.record = pointer(rule.record)
    call.along = rule.along.map(pointer)
    call.mark = rule.mark.map(pointer)
    call.required = rule.required.compactMap { ServedDescription.Field(rawValue: $0.rawValue) }
    call.usesETag = rule.usesETag
    return call
  }

  private static func rule(_ rule: MarketDescription.FieldRule) -> ServedDescription.Rule {
    let notation: ServedDescription.Notation =
      switch rule.notation {
      case .text: .text
      case .integer: .integer
      case .decimal: .decimal
      case .decimalText: .decimalText
      case .minorUnits: .minorUnits
      case .percentOfPrice: .percentOfPrice
      case .salePrice: .salePrice
      case .time: .time
      case .seconds: .seconds
      case .milliseconds: .milliseconds
      case .urls: .addresses
      }
    var served = ServedDescription.Rule(at: pointer(rule.at), notation)
    served.digits = rule.digits
    served.each = rule.each.map(pointer)
    served.isInList = rule.isInList
    served.removal = rule.removal
    served.constant = rule.constant
    return served
  }

  private static func login(_ authentication: MarketDescription.Authentication) -> ServedDescription.Login {
    switch authentication {
    case .none: .none
    case .basic: .basic
    case .bearer: .bearer
    case .header(let name, let prefix): .header(name: name, prefix: prefix)
    case .query(let name): .query(name: name)
    }
  }

  // MARK: Places

  private static func pointer(_ pointer: JSONPointer) -> WirePointer { WirePointer(pointer.tokens) }

  private static func place(_ location: ResponseLocation) -> ServedDescription.Place {
    switch location {
    case .body(let place): .body(pointer(place))
    case .header(let name): .header(name)
    }
  }

  private static func path(_ path: RequestPath, _ market: MarketDescription) -> [String] {
    market.base.appending(path).segments
  }

  /// Returns the parameters that name a product; the others are constants, which the server doesn't need.
  private static func query(_ items: [QueryItem]) -> [String: String] {
    let named = items.filter { $0.value.contains(RequestPath.id) }
    return Dictionary(named.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static func members(_ members: [MarketDescription.ConstantMember]) -> [ServedDescription.Member] {
    members.map { .init(.body(pointer($0.at)), json: $0.value.serialized) }
  }
}
