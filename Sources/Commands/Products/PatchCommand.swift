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

/// `patch`: changes fields of products.
///
/// Only values that differ are sent.
package struct PatchCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "patch", aliases: [], group: .change, summary: LocalizedText("change fields of products", ko: "상품 수정"),
    usage: ["patch TARGETS FIELD=VALUE... [images=FILE,...] [round STEP [half even|up]] [all] [pages N]"],
    details: LocalizedText(
      "Shows the old and the new value of each field and asks first. Only fields that differ are sent. Unusual values, such as less than half or more than double the price, are sent only with outliers. undo restores the old values.",
      ko:
        "각 필드의 이전 값과 새 값을 보여 주고 먼저 묻습니다. 달라진 필드만 보냅니다. 가격이 절반 아래나 두 배 위로 바뀌는 것처럼 평소와 크게 다른 값은 outliers가 있어야 보냅니다. undo는 이전 값을 복원합니다."
    ),
    writesToMarket: true,
    producesData: true,
    traits: [.daily, .capturesProduct],
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter("set", .flag, kind: .none, summary: LocalizedText("optional word before the fields", ko: "생략 가능")),
      Parameter(
        "FIELD=VALUE", .assignments, kind: .productAssignments(["images"]),
        summary: LocalizedText(
          "new values (see help assignments); also +=, -=, *=, percentages, formulas and name~s/old/new/",
          ko: "새 값; += -= *=, 퍼센트, 수식, name~s/전/후/도 가능")),
      Parameter(
        "round", .option, kind: .text,
        summary: LocalizedText("round calculated values to this step", ko: "계산 결과를 이 단위로 반올림"),
        placeholder: "STEP"),
      Parameter(
        "half", .option, kind: .choice(Amount.Rounding.allCases.map(\.rawValue)),
        summary: LocalizedText(
          "rounding of values exactly in the middle: to the even step (default), or up",
          ko: "딱 절반인 값의 반올림: 짝수(even) 또는 올림(up)")),
      .showingAll, .pages,
    ],
    examples: [
      .init("patch 42 price=30000", "sets a new price", ko: "새 정가"),
      .init(
        "ls mine; patch @1-3 price-=10%", "lowers the price of three rows by 10%", ko: "세 행을 10% 내리기"),
      .init(
        "patch where stock=0 and vendor=me price-=10% round 100", "products that match a condition", ko: "조건에 맞는 상품들"),
      .init(
        "patch mine price=round(price*1.1, 100) discount=10%",
        "calculated for each product; 10% means 10% of the price",
        ko: "상품마다 계산; 10%는 정가의 10%"),
      .init(
        "patch mine sale=price*0.9 name~s/cup/mug/", inKorean: "patch mine sale=price*0.9 name~s/컵/머그/",
        "sets what buyers pay, and replaces a word in the names",
        ko: "판매가; 이름 속 단어"),
      .init(
        "patch _ name=\"Tea cup\" stock+=5", inKorean: "patch _ name=\"새 이름\" stock+=5",
        "changes two fields of the last product", ko: "마지막 상품의 두 필드"),
    ])

  package let consent: WriteOptions
  private let target: ProductSelector
  private let pages: Int?
  private let assignments: [Assignment]
  private let edits: ProductEdit
  /// The assignments that compute a value from the old one, as text; see `WriteOrigin.formulas`.
  private let formulas: [String]

  /// - Throws: `ParseError` for a value that no product can have, and if no field is given.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    pages = invocation.number("pages")
    target = invocation.target("TARGETS") ?? .last
    assignments = invocation.assignments
    // Errors that don't depend on the product are reported before anything is read.
    let rounding = [invocation.text("round"), invocation.text("half")].compactMap(\.self).map { " " + $0 }.joined()
    let computed = assignments.filter { $0.operation != .set }
    formulas = (computed.isEmpty ? assignments : computed).map { $0.name + $0.operation.rawValue + $0.value + rounding }
    edits = try ProductEdit(
      assignments.filter { !$0.isFile }, round: invocation.text("round"),
      half: invocation.text("half").flatMap { Amount.Rounding(rawValue: $0) } ?? .toNearestOrEven, limits: .server)
    if assignments.isEmpty {
      throw ParseError(
        LocalizedText("patch needs at least one field.", ko: "바꿀 필드를 하나 이상 적으세요."),
        suggestion: LocalizedText(
          "For example: \(.command("patch 42 price=3500"))", ko: "예: \(.command("patch 42 price=3500"))"))
    }
  }

  /// - Throws: The errors of reading the products; `ParseError` for a value that one of them can't have; `FileError`
  ///   for files with values.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    let prepared = try prepared(market.service.dialect, scope)
    let targets = TargetResolver(
      target, .init(consent, pages: pages, scope.mode), writtenBy: scope.mode == .curl ? nil : "patch")
    let products = try await targets.products(from: market, requiring: prepared.edits.fieldsNeeded, in: &scope)
    return try await plan(of: products, prepared, at: market, in: scope)
  }

  /// Returns the plan for products that were already read.
  ///
  /// - Throws: The error of the first value that a product can't have. Nothing is sent before.
  func plan(
    of products: [Product], at market: Client<MarketService>, in scope: CommandScope
  ) async throws -> Plan {
    let prepared = try prepared(market.service.dialect, scope)
    return try await plan(of: products, prepared, at: market, in: scope)
  }

  /// The values read from files and checked against the dialect and the limits of the session.
  private struct Prepared {
    var edits: ProductEdit
    var pictures: [PictureFile]?
  }

  private func prepared(_ dialect: Dialect, _ scope: CommandScope) throws -> Prepared {
    try dialect.requireDescribed([.edit], assignments.compactMap { ProductField(rawValue: $0.name)?.written })
    let pictures = try pictures(dialect, scope)
    if !dialect.supports(.chooseThumbnail), assignments.contains(where: { $0.name == ProductField.thumbnail.rawValue })
    {
      throw MarketError.unsupported(.chooseThumbnail, dialect)
    }
    return Prepared(
      edits: try edits.limited(to: scope.session.limits, with: textsOfFiles(scope.context.program.environment)),
      pictures: pictures
    )
  }

  private func plan(
    of products: [Product], _ prepared: Prepared, at market: Client<MarketService>, in scope: CommandScope
  ) async throws -> Plan {
    let old = prepared.pictures == nil ? nil : PictureBackup(market, scope)
    var plan = Plan()
    var refusals: [(product: Product, reason: ParseError)] = []
    for product in products {
      var (from, to) = (ProductValues(), ProductValues())
      do { (from, to) = try prepared.edits.changes(of: product) } catch { refusals.append((product, error)) }
      to.pictures = prepared.pictures
      await old?.save(of: product)
      plan.append(
        product, from: from, to: to, computedBy: prepared.edits.isCumulative ? formulas : [],
        stating: prepared.edits.isRelative ? [] : prepared.edits.assignedFields)
    }
    try Plan.check(refusals, of: products.count)
    plan.dependsOnObservedState = prepared.edits.isRelative
    plan.computesPrices = plan.dependsOnObservedState
    sayDiscountStays(plan, scope)
    return plan
  }

  /// Notes that a percentage of the price of a discounted product is another one of its sale price.
  private func sayDiscountStays(_ plan: Plan, _ scope: CommandScope) {
    guard let price = assignments.first(where: { $0.name == ProductField.price.rawValue }), price.value.hasSuffix("%"),
      !assignments.contains(where: { $0.name == ProductField.discount.rawValue })
    else { return }
    let count = plan.changes.count { change in
      guard case .edit(let product, _, let to) = change, to.price != nil else { return false }
      return (product.discount ?? .zero) > .zero
    }
    guard count > 0 else { return }
    let line = "sale" + price.operation.rawValue + price.value
    scope.say(
      .note(
        "\(count) \(count == 1 ? StyledText("product has") : "products have") a discount that stays the same, so the sale price changes by another percentage.",
        ko: "상품 \(count)개는 할인 금액이 그대로라서 판매가가 바뀌는 비율은 다릅니다."
      ).next(
        "To change the sale price by that percentage, use \(.command(line)).",
        ko: "판매가를 그 비율로 바꾸려면 \(.command(line), .object) 쓰세요."))
  }

  /// Returns the assignments with the contents of the files that are given as values.
  private func textsOfFiles(_ environment: Environment) throws -> [Assignment] {
    try assignments.filter { $0.isFile && $0.name != "images" }.map { assignment in
      var read = assignment
      read.value = try AssignmentValue(assignment, environment).read()
      return read
    }
  }

  /// The lines that create the product again with the images of this line, and delete it.
  private var recreation: String {
    let id = if case .ids(let ranges) = target, let only = ranges.first { String(only.lowerBound) } else { "N" }
    let images = assignments.first { $0.name == "images" }.map { Quoting.quote($0.value) } ?? "FILE"
    return "new from \(id) images=\(images); rm \(id)"
  }

  /// Returns the new images if the market supports changing them, or `nil` if none are given.
  private func pictures(_ dialect: Dialect, _ scope: CommandScope) throws -> [PictureFile]? {
    guard let images = assignments.first(where: { $0.name == "images" }) else { return nil }
    guard dialect.supports(.replacePictures) else {
      throw ParseError(
        LocalizedText(
          "Images cannot be changed after a product is created.", ko: "등록한 뒤에는 사진을 바꿀 수 없습니다."),
        suggestion: LocalizedText(
          "Servers of this edition do not accept new images. Use \(.command("thumbnail=2")) to choose another existing image. For new ones, create the product again and delete the old one: \(.command(recreation))",
          ko:
            "이 API 버전에서는 사진을 바꿀 수 없습니다. \(.command("thumbnail=2"))로 대표 사진만 고를 수 있습니다. 새 사진을 쓰려면 다시 등록하고 이전 상품을 삭제하세요: \(.command(recreation))"
        ),
        at: images.range)
    }
    if !dialect.createsPictures { return try dialect.pictures(at: images.imagePaths, range: images.range) }
    let (files, remarks) = try PictureUploadLoader(
      images.imagePaths, home: scope.context.program.environment["HOME"],
      counts: scope.session.limits.limits?.pictures ?? 1...1000
    ).read()
    for remark in remarks { scope.say(remark) }
    return files
  }
}

extension Parameter {
  /// The option of commands that change many products: without it a long preview is truncated.
  static let showingAll = Parameter(
    "all", .flag, kind: .none, summary: LocalizedText("list every change before asking", ko: "확인 전에 모든 변경 표시"),
    hasEffect: false)
}

extension Parameter {
  /// The option of commands that read every page of the list.
  package static let pages = Parameter(
    "pages", .option, kind: .number(1...1_000_000_000),
    summary: LocalizedText("read at most N pages of a list that never ends", ko: "목록이 끝나지 않을 때 N페이지까지만 읽기"),
    hasEffect: false)
}
