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

/// `image`: shows an image of a product in the terminal, or writes its original bytes to a file or a program.
package struct ImageCommand: Command {
  package static let declaration = CommandDeclaration(
    "image", group: .view, summary: LocalizedText("show or save a product's image", ko: "사진 보기, 저장하기"),
    usage: ["image [TARGET] [N] [to FILE]"],
    details: LocalizedText(
      "Draws an image in the terminal as well as the terminal can. With to FILE, it saves the original file instead.",
      ko: "터미널이 할 수 있는 방식으로 사진을 표시합니다. to FILE을 쓰면 원본 파일을 저장합니다."),
    producesData: true,
    parameters: [
      Parameter(
        "TARGET", .positional(required: false), kind: .target,
        summary: LocalizedText("which product (default: the last product)", ko: "대상 상품; 없으면 마지막 상품")),
      Parameter(
        "N", .positional(required: false), kind: .number(1...100),
        summary: LocalizedText("which image, from 1", ko: "몇 번째 사진, 1부터")),
    ],
    examples: [
      .init("image 42", "the first image of product 42", ko: "42번 상품의 첫 사진"),
      .init("image _ 1", "the first image of the last product", ko: "마지막 상품의 첫 번째 사진"),
      .init("image 42 1 to cup.jpg", "saves the original file", ko: "원본 그대로 파일로"),
      .init("image 42 | sha256sum", "pipes the image data to a program", ko: "사진의 바이트를 프로그램에"),
      .init("image 42 as json", "its URL, size and type", ko: "주소, 크기, 종류"),
    ])

  private let target: ProductSelector
  private let number: Int
  private let file: String?
  private let program: String?
  private let clauses: Clauses

  /// - Throws: `ParseError` for the name of a workbook.
  package init(_ invocation: ParsedCommand) throws {
    try invocation.clauses.refuseWorkbook()
    target = invocation.target("TARGET") ?? .last
    number = invocation.number("N") ?? 1
    clauses = invocation.clauses
    // With a format, `to` writes the properties of the image instead of its bytes.
    file = invocation.clauses.format == nil ? invocation.clauses.file : nil
    let program = invocation.clauses.pipe ?? (invocation.clauses.namesStandardOutput ? "cat" : nil)
    self.program = invocation.clauses.format == nil ? program : nil
  }

  /// - Throws: `ParseError` for several products with one file or program; `CommandError` for an image that doesn't exist or
  ///   can't be loaded.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    var reports: [Report] = []
    let market = try await scope.marketClient()
    let ids = try await TargetResolver(target).ids(from: market, in: scope)
    if file != nil, ids.count > 1 {
      throw ParseError(LocalizedText("Only one image can be saved per file.", ko: "파일 하나에는 사진 한 장만 담습니다."))
    }
    if program != nil, ids.count > 1 {
      throw ParseError(LocalizedText("Only one image can be piped to a program.", ko: "프로그램에는 사진 한 장만 넘깁니다."))
    }
    let before = scope.session
    for id in ids { reports.append(try await picture(of: id, at: market, before, in: &scope)) }
    return CommandResult(reports.count == 1 ? reports[0] : .group(reports))
  }

  /// Returns the picture of a product that a line names in a session.
  private func picture(
    of id: Product.ID, at market: Client<MarketService>, _ session: Session, in scope: inout CommandScope
  ) async throws -> Report {
    let product = try await ReturnedProductReader(market, scope).product(id)
    try TargetResolver(target).checkMarket(market, of: session)
    scope.session.remember(product)
    let addresses = product.images.map { $0.map(\.url) } ?? [product.thumbnailURL].compactMap(\.self)
    guard addresses.indices.contains(number - 1) else { throw missing(product, addresses.count) }
    let address = addresses[number - 1]
    guard let url = URL(string: address) else {
      throw TransportError(.invalidURL(address), extent: .none)
    }
    do {
      let data = try await scope.context.network.images.cache.picture(
        at: url, of: scope.context.network.markets.generation(at: market.service.baseURL), through: market.transport)
      if let file { return try scope.resultWithoutSaving?.report ?? save(data, to: file, product, in: scope.context) }
      if let program {
        try await ShellPipe.run(program, input: Array(data), for: scope.context.program)
        return .empty
      }
      // The properties are reported even if the image can't be drawn.
      let isSeen =
        clauses == Clauses(format: clauses.format)
        && ReportWriter(clauses, scope).format == .table
      return try PictureView(product, number: number, of: addresses.count, address: address, data: data)
        .report(in: scope, isSeen: isSeen)
    } catch let error as PictureError {
      throw broken(product, CommandError.reason(error))
    } catch is PictureFetcher.Missing {
      throw broken(product, LocalizedText("The image server does not have it.", ko: "사진 서버에 그 사진이 없습니다."))
    }
  }

  private func save(_ data: Data, to file: String, _ product: Product, in context: CommandContext) throws -> Report {
    let file = ProtectedOutputFile(file, context)
    try file.write(data)
    let path = file.path
    let size = NumberFormatting.bytes(data.count)
    return .message(
      .success(
        "Saved image \(number) of product \(product.id) to \(.value(path)) (\(size)).",
        ko: "\(product.id)번 상품의 \(number)번째 사진을 \(.value(path))에 저장했습니다(\(size))."))
  }

  private func broken(_ product: Product, _ reason: LocalizedText) -> CommandError {
    CommandError(
      .refused,
      .failure(
        "Cannot display image \(number) of product \(product.id).",
        ko: "\(product.id)번 상품의 \(number)번째 사진을 표시할 수 없습니다."
      ).because(reason))
  }

  private func missing(_ product: Product, _ count: Int) -> CommandError {
    CommandError(
      .refused,
      .failure(
        "Product \(product.id) has no image \(number).", ko: "\(product.id)번 상품에는 \(number)번째 사진이 없습니다."
      ).because("Number of images: \(count).", ko: "사진은 모두 \(count)장입니다."))
  }
}
