import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `new`: creates a product from the given fields.
///
/// On a terminal it asks for the missing ones.
package struct NewCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "new", aliases: ["create"], group: .change, summary: LocalizedText("create a product", ko: "상품 등록"),
    usage: ["new", "new FIELD=VALUE... [images=FILE,...]", "new from TARGET|FILE [FIELD=VALUE...]", "new empty"],
    details: LocalizedText(
      "Without fields, it asks for each field in turn and checks the value at once. Images are turned upright and made smaller until they are below 300 KB. from 42 copies the values and images of product 42; a file whose name is a number is from ./42. undo deletes the new product.",
      ko:
        "필드를 적지 않으면 필드를 하나씩 묻고 값을 바로 확인합니다. 사진은 바로 세우고 300 KB 아래로 줄입니다. from 42는 42번 상품의 값과 사진을 복사합니다. 이름이 숫자인 파일은 from ./42로 씁니다. undo는 새 상품을 삭제합니다."
    ), writesToMarket: true,
    producesData: true,
    traits: [.daily, .capturesProduct],
    parameters: [
      Parameter(
        "FIELD=VALUE", .assignments, kind: .productAssignments(["images"]),
        summary: LocalizedText("field values; images=a.jpg,b.png", ko: "필드들; images=a.jpg,b.png")),
      Parameter(
        "from", .option, kind: .file,
        summary: LocalizedText("copy a product, or read a JSON file", ko: "상품을 복사하거나 JSON 파일을 읽음")),
      Parameter("empty", .flag, kind: .none, summary: LocalizedText("start with an empty form", ko: "빈 폼으로 시작")),
    ],
    examples: [
      .init("new", "asks for each field, continuing where you left off", ko: "필드를 하나씩 묻고, 전에 멈춘 곳부터 계속"),
      .init("new empty", "starts again with an empty form", ko: "빈 폼으로 다시 시작"),
      .init(
        "new name=\"Milk bottle\" description=\"Keeps tea warm all day\" price=3500 currency=KRW images=a.jpg,b.png",
        inKorean:
          "new name=\"우유병 텀블러\" description=\"보온이 잘 되는 텀블러입니다\" price=3500 currency=KRW images=a.jpg,b.png",
        "everything on one line", ko: "한 명령에 모두 입력"),
      .init("new from product.json images=a.jpg", "fields from a file, image from the command line", ko: "파일에서 읽어서"),
      .init(
        "new from 42 name='Tea cup, blue'", inKorean: "new from 42 name='찻잔, 파랑'",
        "a copy of product 42 with another name", ko: "42번 상품을 이름만 바꿔 복사"),
    ])

  package let consent: WriteOptions
  private let assignments: [Assignment]
  private let file: String?
  private let startsEmpty: Bool

  /// - Throws: `ParseError` for a value that no product can have, and for operators such as `+=`.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    assignments = invocation.assignments
    file = invocation.text("from")
    startsEmpty = invocation.has("empty")
    for assignment in assignments where assignment.operation != .set {
      throw ParseError(
        LocalizedText("A new product has no value to add to or subtract from.", ko: "새 상품에는 더하거나 뺄 현재 값이 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command("\(assignment.name)=VALUE"))", ko: "\(.command("\(assignment.name)=값"), .toward) 쓰세요."),
        at: assignment.range)
    }
    var unchecked = NewProductFields()
    for assignment in assignments where !assignment.isFile {
      try unchecked.set(assignment.name, text: assignment.value, limits: .server, at: assignment.range)
    }
  }

  /// - Throws: The errors of `plan`; `CommandError` if the form is left or the write isn't approved; the errors of writing.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let fields = try await given(market, in: &scope)
    if !fields.missing(of: market.service.dialect.capabilities.requiredFields).isEmpty,
      let asker = scope.context.program.asker
    {
      if scope.mode == .write { try NewCommand.requireLogin(at: market.service) }
      // An abandoned form isn't resumed if the line contains values, which belong to another product.
      let resumes = !startsEmpty && fields.typedValues.isEmpty
      return try await InteractiveNew(asker, given: fields, consent: consent, resumes: resumes).run(
        at: market, in: &scope)
    }
    let plan = try fields.plan(in: scope)
    if scope.context.program.asker != nil, !consent.yes, !scope.context.program.assumesYes {
      try await SameNames(market, scope.context).warn(of: plan, in: scope)
    }
    return try await PlanExecutor(market, consent).executeOnce(plan, in: &scope)
  }

  /// - Throws: `ParseError` for missing or contradictory values; `FileError` and `PictureError` for the files; for a copied
  ///   product the errors of reading it.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    try await given(market, in: &scope).plan(in: scope)
  }

  /// Checks that the session has the credentials of a request that creates a product, before a form is filled in in vain.
  ///
  /// - Throws: `MarketError.notLoggedIn`.
  private static func requireLogin(at market: MarketService) throws {
    let draft = ProductDraft(
      name: "-", description: "-", price: Amount(1), discount: .zero, currency: .krw, stock: 0, pictures: [.onePixel])
    do {
      _ = try CreateProduct(draft, boundary: "-").makeRequest(to: market)
    } catch MarketError.notLoggedIn(let missing) {
      throw MarketError.notLoggedIn(missing: missing)
    } catch {
      // Anything else is about the values, which aren't known yet.
    }
  }

  private func given(_ market: Client<MarketService>, in scope: inout CommandScope) async throws -> NewProductFields {
    let policy = scope.session.limits
    var fields = NewProductFields()
    if let copied {
      fields = try await values(of: copied, at: market, in: &scope)
    } else if let file {
      try fields.setAll(
        ProductJSONFile.read(Paths.expanded(file, home: scope.context.program.environment["HOME"])), policy)
    }
    for assignment in assignments {
      let value =
        assignment.name == ProductField.images.rawValue
        ? assignment.imagePaths.joined(separator: ",")
        : try AssignmentValue(assignment, scope.context.program.environment).read()
      if copied != nil, assignment.name == ProductField.sale.rawValue { fields.discount = nil }
      try fields.set(assignment.name, text: value, limits: policy, at: assignment.range)
    }
    return fields
  }

  /// The product whose values are copied, or `nil` if `from` names a file.
  private var copied: ProductSelector? {
    guard let file, file == "_" || Int(file.trimmingPrefix("@")) != nil else { return nil }
    return try? ProductSelector.read(file)
  }

  /// Returns the values of a product, with its images unless the line has others or the market takes none.
  ///
  /// - Throws: The errors of reading the product; `CommandError` for images that can't be read.
  private func values(
    of target: ProductSelector, at market: Client<MarketService>, in scope: inout CommandScope
  ) async throws -> NewProductFields {
    var fields = NewProductFields()
    guard let id = try await TargetResolver(target).ids(from: market, in: scope).first else { return fields }
    let product = try await ReturnedProductReader(market, scope).product(id)
    let dialect = market.service.dialect
    try fields.copy(
      product, dialect.capabilities.writableFields ?? ProductField.writableValues, limits: scope.session.limits)
    if assignments.contains(where: { $0.name == ProductField.images.rawValue }) { return fields }
    guard dialect.createsPictures else {
      if dialect.takesAddresses { fields.copiedPictures = product.images?.map { PictureFile(address: $0.url) } }
      return fields
    }
    let files = await CopiedPictures(market, stores: scope.context.stores, clock: scope.context.clock).files(
      of: product)
    let pictures = files?.enumerated().compactMap { CopiedPictures.sent($1, $0 + 1) }
    guard let pictures, !pictures.isEmpty, pictures.count == files?.count else {
      throw CommandError(
        .refused,
        .failure(
          "The images of product \(id) could not be read. Nothing was sent.",
          ko: "\(id)번 상품의 사진을 읽을 수 없습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Give the images of the new product: \(.command("images=FILE"))",
          ko: "새 상품의 사진을 지정하세요: \(.command("images=FILE"))"))
    }
    fields.copiedPictures = pictures
    return fields
  }
}
