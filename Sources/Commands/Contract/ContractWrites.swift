import Catalog
import MarketAPI
import Networking
import ShellRuntime
import Text

/// The checks of writing, with a product that is created for them and deleted at the end.
///
/// Every request is recorded in the log as a raw request before it is sent.
struct ContractWrites {
  private let market: MarketService
  private let client: Client<MarketService>
  private let scope: CommandScope
  private let sender: ContractSender
  private let shapes: EditionSchemas
  private var report: ContractReport

  init(_ client: Client<MarketService>, _ shapes: EditionSchemas, in scope: CommandScope, report: ContractReport) throws
  {
    self.client = client
    market = client.service
    self.scope = scope
    sender = try ContractSender(client, in: scope)
    self.shapes = shapes
    self.report = report
  }

  /// Runs the checks.
  ///
  /// - Throws: `CancellationError`, and the error if nothing can be sent: no login, no journal.
  mutating func run() async throws -> ContractReport {
    let created = try await sender.send(try create(pictures: 1))
    report.add(
      LocalizedText("create", ko: "등록"),
      expected: LocalizedText(same: market.dialect.capabilities.ownership == .vendors ? "201" : "200-201"),
      seen: created.summary,
      market.dialect.capabilities.ownership == .vendors ? created.status == 201 : created.isSuccess)
    guard created.isSuccess, let id = (try? created.object?.int("id")) ?? nil else { return report }
    report.shape(
      LocalizedText("response to the create", ko: "등록의 응답"),
      expected: LocalizedText("keys and types of a product", ko: "상품의 키와 타입"),
      created.object.map { shapes.product.problems(of: $0) } ?? [ContractReads.notAnObject])
    do {
      try await change(id)
      try await strangers(id)
      try await pictures(created)
      try Task.checkCancellation()
      try await end(id)
      try Task.checkCancellation()
    } catch {
      await cleanUp(id)
      throw error
    }
    return report
  }

  /// Deletes the product after an error or an interruption, in a task of its own, because this one may be canceled.
  private func cleanUp(_ id: Product.ID) async {
    let checks = self
    let deleted = await scope.context.program.interruption.cleaningUp {
      await Task { try? await checks.delete(id) }.value
    }
    if deleted?.isSuccess != true, deleted?.status != 404 { sender.sayLeft(id) }
  }

  private func create(pictures count: Int) throws -> Request {
    let pictures = (1...count).map {
      PictureFile(name: "contract\($0).png", type: "image/png", bytes: PictureFile.onePixel.bytes)
    }
    let draft = ProductDraft(
      name: ContractSender.name, description: "made by a check of the server and deleted by it", price: Amount(1000),
      discount: Amount(100), currency: .krw, stock: 3, pictures: pictures)
    return try CreateProduct(draft, boundary: scope.context.stores.freshName()).makeRequest(to: market)
  }

  private func edit(_ id: Product.ID, stock: Int, as market: MarketService) throws -> Request {
    var fields = ProductValues()
    fields.stock = stock
    return try EditProduct(id, fields, boundary: scope.context.stores.freshName()).makeRequest(to: market)
  }

  private mutating func change(_ id: Product.ID) async throws {
    let response = try await sender.send(try edit(id, stock: 7, as: market))
    report.status(LocalizedText("update", ko: "수정"), response: response, statuses: 200...200)
    let stock = try await stock(of: id)
    report.add(
      LocalizedText("values after the update", ko: "수정한 뒤의 값"), expected: ContractWrites.words(stock: 7),
      seen: ContractWrites.words(stock: stock),
      stock == 7)
    guard market.dialect.supports(.verifyPassword) else { return }
    let asked = try await sender.send(
      try VerifyPassword(id, boundary: scope.context.stores.freshName()).makeRequest(to: market))
    report.status(LocalizedText("empty update", ko: "빈 수정"), response: asked, statuses: 200...200)
  }

  /// Checks that writes with a wrong secret, and writes to another vendor's product, are rejected and change nothing.
  private mutating func strangers(_ id: Product.ID) async throws {
    var wrong = market.credentials ?? Credentials()
    wrong.secret = Secret("contract-wrong-secret")
    let stranger = MarketService(market.baseURL, dialect: market.dialect, credentials: wrong)
    report.status(
      LocalizedText("wrong secret", ko: "틀린 시크릿"),
      response: try await sender.send(try edit(id, stock: 9, as: stranger)),
      statuses: 400...499)
    let stock = try await stock(of: id)
    report.add(
      LocalizedText("values after the wrong secret", ko: "틀린 시크릿 뒤의 값"), expected: ContractWrites.words(stock: 7),
      seen: ContractWrites.words(stock: stock), stock == 7)
    let listed = try await client.send(ListProducts(page: 1, size: 100)).products
    let me = scope.session.credentials.vendorID
    // The product's own value is sent, so that a server without this check changes nothing.
    guard
      let other = listed.first(where: {
        $0.id != id && (me == nil || $0.vendorID != me) && $0.name != ContractSender.name
      }),
      let stock = other.stock, me != nil || market.dialect.capabilities.ownership == .passwords
    else { return }
    report.status(
      LocalizedText("product of another vendor", ko: "다른 판매자의 상품"),
      response: try await sender.send(try edit(other.id, stock: stock, as: market)),
      statuses: 400...499)
  }

  private mutating func pictures(_ created: CheckedResponse) async throws {
    let many = try await sender.send(try create(pictures: 6))
    report.status(LocalizedText("six images", ko: "사진 여섯 장"), response: many, statuses: 400...499)
    if many.isSuccess, let id = (try? many.object?.int("id")) ?? nil { _ = try await delete(id) }
    guard let address = ContractWrites.pictureAddress(created.object),
      let url = PictureURLPolicy.url(address, of: market.baseURL)
    else { return }
    let available = LocalizedText("available immediately", ko: "바로 사용 가능")
    let found = try? await scope.context.network.images.cache.picture(
      at: url, of: scope.context.network.markets.generation(at: market.baseURL),
      through: scope.context.network.transport)
    report.add(
      LocalizedText("image of the new product", ko: "새 상품의 사진"), expected: available,
      seen: found == nil ? LocalizedText("not available", ko: "사용할 수 없음") : available, found != nil)
  }

  private static func pictureAddress(_ object: JSONObject?) -> String? {
    guard let first = ((try? object?.array("images")) ?? nil)?.first else { return nil }
    if case .string(let text) = first { return text }
    return (try? first.object?.string("url")) ?? nil
  }

  private mutating func end(_ id: Product.ID) async throws {
    let deleted = try await delete(id)
    report.status(LocalizedText("delete", ko: "삭제"), response: deleted, statuses: 200...200)
    if !deleted.isSuccess { sender.sayLeft(id) }
    let request = try GetProduct(id).makeRequest(to: market)
    let response = try await sender.transport.send(request, to: market.baseURL, with: SendOptions())
    report.status(
      LocalizedText("response after the delete", ko: "삭제한 상품"), response: CheckedResponse(response), statuses: 404...404
    )
  }

  /// Deletes the product with the requests that the edition requires, and returns the last response.
  private func delete(_ id: Product.ID) async throws -> CheckedResponse {
    guard market.dialect.deletionNeedsToken else {
      return try await sender.send(try DeleteProduct(id).makeRequest(to: market))
    }
    let asking = RequestDeletion(id)
    let first = try await sender.send(try asking.makeRequest(to: market))
    guard let response = first.response, first.isSuccess,
      let deletionToken = try? asking.decode(from: response, of: market)
    else { return first }
    return try await sender.send(try DeleteProduct(id, token: deletionToken).makeRequest(to: market))
  }

  private static func words(stock: Int?) -> LocalizedText {
    LocalizedText(
      "stock \(stock.map { "\($0)" } ?? "unknown")", ko: "재고 \(stock.map { "\($0)" } ?? "알 수 없음")")
  }

  private func stock(of id: Product.ID) async throws -> Int? { try await client.send(GetProduct(id)).stock }
}
