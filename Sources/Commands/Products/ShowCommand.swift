import Catalog
import CommandLanguage
import Foundation
import Images
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `show`: shows one product or some of its fields.
package struct ShowCommand: Command {
  package static let declaration = CommandDeclaration(
    "show", group: .view, summary: LocalizedText("show a product", ko: "상품 하나 보기"),
    usage: [
      "show [TARGET] [FIELD...]", "show [TARGET] as server", "show TARGET FIELD over DATE", "show named TEXT",
      "show last",
    ],
    details: LocalizedText(
      "Shows all fields of a product with its thumbnail, or only the named fields. over shows how a field changed in the saved versions of the market. as json has the names of openmarket, as server is the JSON that the server sent.",
      ko:
        "상품의 모든 필드와 대표 사진을 표시하거나, 적은 필드만 표시합니다. over는 마켓의 저장본에서 필드가 어떻게 바뀌었는지 보여 줍니다. as json은 openmarket의 이름을 쓰고, as server는 서버가 보낸 JSON 그대로입니다."
    ), producesData: true,
    traits: [.daily, .capturesProduct],
    parameters: [
      Parameter(
        "TARGET", .positional(required: false), kind: .target,
        summary: LocalizedText("which product (default: the last product)", ko: "대상 상품; 없으면 마지막 상품")),
      Parameter(
        "FIELD", .rest(required: false), kind: .field, summary: LocalizedText("only these fields", ko: "이 필드만")),
      Parameter(
        "over", .option, kind: .text,
        summary: LocalizedText(
          "history of one field since 30d, monday or 2026-11-20", ko: "필드의 변화: 30d, monday, 2026-11-20"),
        placeholder: "DATE"),
      Parameter(
        "named", .option, kind: .text,
        summary: LocalizedText(
          "find by name, in edition open also by vendor; lists several matches",
          ko: "이름(open에서는 판매자 이름도)에 이 텍스트가 포함된 상품; 여럿이면 목록 표시")),
      Parameter(
        "last", .flag, kind: .none, summary: LocalizedText("print the last output again", ko: "마지막 출력을 다시 표시")),
      Parameter(
        "as", .option, kind: .choice(OutputFormat.allCases.map(\.rawValue) + [ShowCommand.server]),
        summary: LocalizedText("output format; server is the JSON of the server", ko: "형식; server는 서버의 JSON")),
    ],
    examples: [
      .init("show 42", "product 42", ko: "42번 상품"),
      .init("ls; show @3 name price", "two fields of row 3", ko: "3행의 두 필드"),
      .init("show 42 price over 30d", "price history from saved versions", ko: "저장본에 남은 가격 변화"),
      .init("show Ukulele", "finds a product by part of its name", ko: "이름의 일부로"),
      .init("show _ as json", "the last product as JSON", ko: "마지막 상품을 JSON으로"),
      .init("show 42 as server", "the JSON as an app receives it", ko: "앱이 받는 JSON 그대로"),
      .init("show last as csv to list.csv", "the last output again, to a file", ko: "마지막 출력을 파일로"),
    ])

  private let target: ProductSelector
  private let fields: [ProductField]?
  private let over: String?
  private let name: String?
  private let isLast: Bool
  /// A Boolean value that indicates that the document of the server is shown.
  private let isOfServer: Bool
  private let clauses: Clauses
  /// The word after `as` for the document of the server.
  private static let server = "server"

  /// - Throws: `ParseError` for a name together with a target, and for a part of a document.
  package init(_ invocation: ParsedCommand) throws {
    over = invocation.text("over")
    target = invocation.target("TARGET") ?? .last
    fields = invocation.fields("FIELD")
    name = invocation.text("named")
    isLast = invocation.has("last")
    clauses = invocation.clauses
    isOfServer = invocation.text("as") == ShowCommand.server
    if isOfServer, isLast || over != nil || fields != nil {
      throw ParseError(
        LocalizedText(
          "\(.command("as server")) shows whole products.", ko: "\(.command("as server"), .topic) 상품 전체를 표시합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("show 42 as server"))", ko: "예: \(.command("show 42 as server"))"))
    }
    if isLast, invocation.has("TARGET") || name != nil {
      throw ParseError(
        LocalizedText("\(.field("last")) stands alone.", ko: "\(.field("last"), .topic) 단독으로 씁니다."))
    }
    if name != nil, invocation.has("TARGET") {
      throw ParseError(
        LocalizedText(
          "\(.field("named")) and \(.field("TARGET")) cannot be combined.",
          ko: "\(.field("named"), .with) \(.field("TARGET"), .topic) 함께 쓸 수 없습니다."))
    }
  }

  /// - Throws: `CommandError` if no product has that name; the errors of reading.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if isLast { return try ShowCommand.last(scope.session) }
    if let name { return try await show(named: name, in: &scope) }
    let market = try await scope.marketClient()
    let targets = TargetResolver(target)
    let before = scope.session
    let result = try await show(try await targets.ids(from: market, in: scope), in: &scope)
    do {
      try targets.checkMarket(market, of: before)
    } catch {
      // A product that isn't shown doesn't become the last product.
      scope.session = before
      throw error
    }
    return result
  }

  /// Returns the last report.
  ///
  /// - Throws: `CommandError` if nothing was, or if it was too long to be stored.
  private static func last(_ session: Session) throws -> CommandResult {
    guard let shown = session.last.output else {
      throw CommandError(.usageError, .failure("There is no output yet.", ko: "아직 출력한 것이 없습니다."))
    }
    guard let data = shown.data else {
      throw CommandError(
        .usageError,
        .failure("The last list was too long to be saved.", ko: "마지막 목록이 너무 길어 저장되어 있지 않습니다.")
          .next(
            "Run the command again with \(.command("to FILE")).", ko: "\(.command("to FILE"), .object) 붙여 명령을 다시 실행하세요."
          ))
    }
    return CommandResult(data)
  }

  /// Shows the product with that text in its name, or the list of products if there are several.
  private func show(named name: String, in scope: inout CommandScope) async throws -> CommandResult {
    var query = ListQuery()
    query.search = name
    var trial = scope
    trial.output = CommandOutput()
    let list = try await PageLoader(query).load(in: &trial)
    scope.session.server = trial.session.server
    guard let page = trial.session.listing.last?.page, page.hasNext != true, page.products.count < 2 else {
      scope.session = trial.session
      return list
    }
    guard let only = page.products.first else {
      throw CommandError(
        .refused,
        .failure("No product name contains \(.value(name)).", ko: "이름에 \(.value(name), .subject) 포함된 상품이 없습니다."))
    }
    var result = try await show([only.id], in: &scope)
    result.merge(list)
    return result
  }

  private func show(_ ids: [Product.ID], in scope: inout CommandScope) async throws -> CommandResult {
    var reports: [Report] = []
    let market = try await scope.marketClient()
    if let over {
      for id in ids {
        for field in fields ?? [.price] {
          let history = try await FieldHistory(of: field, id, over: over, in: &scope)
          reports.append(history.report(scope.session))
        }
      }
      return CommandResult(reports.count == 1 ? reports[0] : .group(reports))
    }
    if isOfServer {
      let isSeen = scope.context.program.console.outputIsTerminal && !clauses.isRedirected
      for id in ids {
        let (product, document) = try await ReturnedProductReader(market, scope).read(id) {
          try await MarketDocument.read(GetProduct($0), of: market)
        }
        scope.session.remember(product)
        reports.append(.drawing(document.figure(isSeen: isSeen)))
      }
      return CommandResult(reports.count == 1 ? reports[0] : .group(reports))
    }
    for id in ids {
      let output = try await ReturnedProductReader(market, scope).read(id) {
        try await market.send(GetProductWithServerPrice($0))
      }
      let product = output.product
      if let otherSale = output.conflictingSalePrice {
        scope.say(ShowCommand.contradiction(product, otherSale))
      }
      scope.session.remember(product)
      let late = LateArrivalDetector(market.service, scope.context.stores)
      for warning in late.newWarnings(of: [product], &scope.session) { scope.say(warning) }
      reports.append(.product(product, fields: fields))
    }
    var result = CommandResult(reports.count == 1 ? reports[0] : .group(reports))
    if fields == nil, clauses == Clauses(format: .json), scope.context.program.asker != nil,
      !scope.session.hasExplainedJSON
    {
      scope.session.hasExplainedJSON = true
      result.closingMessages.append(ShowCommand.namesOfJSON(ids.first ?? 0))
    }
    return result
  }

  /// Returns the note that the JSON isn't that of the server, which an app has to decode.
  private static func namesOfJSON(_ id: Product.ID) -> Message {
    .note("These are the names of openmarket.", ko: "openmarket의 이름으로 표시한 것입니다.").next(
      "Run \(.command("show \(id) as server")) for the JSON of the server, or \(.command("swift show \(id)")) for its Swift types.",
      ko:
        "서버의 JSON은 \(.command("show \(id) as server"), .toward), Swift 타입은 \(.command("swift show \(id)"), .toward) 볼 수 있습니다."
    )
  }

  /// Returns the warning that the server reports another sale price than the one shown, which is computed from the list price
  /// and the discount.
  private static func contradiction(_ product: Product, _ reported: Amount) -> Message {
    .warning(
      "The server reports a sale price of \(.value(reported.description)), but price minus discount is \(.value(product.sale?.description ?? "")).",
      ko: "서버의 판매가는 \(.value(reported.description))이지만, 정가에서 할인을 빼면 \(.value(product.sale?.description ?? ""))입니다.")
  }
}

/// An image of a product as a report: drawn on a terminal that supports it, and its properties as data.
struct PictureView {
  private let product: Product
  private let number: Int
  private let count: Int
  private let address: String
  private let data: Data

  init(_ product: Product, number: Int, of count: Int, address: String, data: Data) {
    self.product = product
    self.number = number
    self.count = count
    self.address = address
    self.data = data
  }

  /// Returns the report of the image.
  ///
  /// The image is decoded only if `isSeen` is true, which means that it is shown on the terminal.
  func report(in scope: CommandScope, isSeen: Bool) throws(PictureError) -> Report {
    let header = try PictureHeader.read(data)
    let picture = isSeen ? try drawn(scope) : nil
    return .drawing(Figure([caption(header, scope.session)], table: table(header), picture: picture))
  }

  /// Returns the image for the terminal, or `nil` if it can't show images.
  private func drawn(_ scope: CommandScope) throws(PictureError) -> TerminalPicture? {
    let settings = scope.session.settings
    guard scope.context.program.console.outputIsTerminal, settings.colors, !settings.ascii,
      !settings.treatsAmbiguousAsWide,
      let graphics = TerminalGraphicsProtocol(environment: scope.context.program.environment.dictionary)
    else { return nil }
    let painter = TerminalPictureRenderer(graphics, cell: .init(scope.context.program.console.cellPixelSize))
    if !painter.isFullQuality {
      scope.say(
        .note(
          "libchafa is not installed. Images are drawn with block characters.", ko: "libchafa가 없어 사진을 블록 문자로 표시합니다."))
    }
    return try painter.paint(
      data, columns: min(100, scope.context.program.console.width ?? 80),
      rows: max(4, (scope.context.program.console.height ?? 24) - 3)
    )
  }

  private func caption(_ header: PictureHeader, _ session: Session) -> [Figure.Run] {
    let dot = session.settings.ascii ? " - " : " · "
    let parts = [
      "\(number)/\(count)", "\(header.width)x\(header.height)", NumberFormatting.bytes(data.count),
      Sanitizer.sanitized(address, limit: 500),
    ]
    return [.init(parts.joined(separator: dot), .dim)]
  }

  private func table(_ header: PictureHeader) -> Table {
    Table(
      [
        .init("product", LocalizedText("product", ko: "상품"), isNumber: true),
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("of", LocalizedText("of", ko: "모두"), isNumber: true), .init("url", LocalizedText("url", ko: "주소")),
        .init("type", LocalizedText("type", ko: "종류")),
        .init("width", LocalizedText("width", ko: "너비"), isNumber: true),
        .init("height", LocalizedText("height", ko: "높이"), isNumber: true),
        .init("bytes", LocalizedText("bytes", ko: "바이트"), isNumber: true),
      ],
      rows: [
        [
          .number(product.id), .number(number), .number(count), .text(address), .text(header.format.mediaType),
          .number(header.width), .number(header.height), .number(data.count),
        ]
      ], isSingle: true)
  }
}
