import Catalog
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The checks of the changes in a description, with a product that is created for them and deleted at the end.
///
/// Every request that writes is recorded in the log as a raw request before it is sent.
struct DescribedWrites {
  private let client: Client<MarketService>
  private let description: MarketDescription
  private let scope: CommandScope
  private let sender: ContractSender
  private var report: ContractReport

  private static let done = LocalizedText("a success", ko: "성공")

  init(
    _ client: Client<MarketService>, _ description: MarketDescription, in scope: CommandScope, report: ContractReport
  ) throws {
    (self.client, self.description, self.scope, self.report) = (client, description, scope, report)
    sender = try ContractSender(client, in: scope)
  }

  private var market: MarketService { client.service }

  /// Runs the checks.
  ///
  /// - Throws: `CancellationError`, `MarketError` for a request that can't be made, and the error if nothing can be sent.
  mutating func run() async throws -> ContractReport {
    guard let id = try await create() else { return report }
    guard description.keepsWrites else {
      try await checkNotStored(id)
      return report
    }
    do {
      try await values(of: id)
      try Task.checkCancellation()
      try await precondition(id)
      try await end(id)
    } catch {
      await cleanUp(id)
      throw error
    }
    return report
  }

  /// The values with which the product is created.
  private static let first = ProductValues(
    name: ContractSender.name, description: "made by a check of the server and deleted by it", price: Amount(10),
    discount: Amount(1), stock: 3)
  /// The values to which it is changed.
  private static let second = ProductValues(
    name: ContractSender.name + " 2", description: "changed by a check of the server", price: Amount(20),
    discount: Amount(2), stock: 7
  )

  private func draft() -> ProductDraft {
    var draft = ProductDraft(
      name: ContractSender.name, description: DescribedWrites.first.description ?? "", price: Amount(10),
      discount: Amount(1), currency: .usd, stock: 3, pictures: [])
    let writable = market.dialect.capabilities.writableFields ?? []
    draft.unset = Set(ProductField.writableValues.filter { !writable.contains($0) || $0 == .currency })
    return draft
  }

  /// Creates the product, and returns its id, or `nil` if it wasn't created or can't be found.
  private mutating func create() async throws -> Product.ID? {
    let operation = ULID.make()
    let call = CreateProduct(draft(), boundary: "-", operation: operation)
    let response = try await sender.send(try call.makeRequest(to: market))
    report.add(
      LocalizedText("create", ko: "등록"), expected: DescribedWrites.done, seen: response.summary, response.isSuccess)
    guard response.isSuccess, let answer = response.response else { return nil }
    var id: Product.ID?
    do {
      id = try call.decode(from: answer, of: market).id
    } catch {
      addMissingRecord(of: answer, error)
      let newest = try await client.send(ListProducts(page: 1)).products
      let found = newest.filter { $0.mark == operation || $0.mark == nil && $0.name == ContractSender.name }
      id = found.count == 1 ? found[0].id : nil
    }
    let expected = LocalizedText("the id of the new product", ko: "새 상품의 번호")
    report.add(
      LocalizedText("id of the new product", ko: "새 상품의 번호"), expected: expected,
      seen: id.map { LocalizedText(same: "\($0)") } ?? LocalizedText("not found", ko: "찾지 못함"), id != nil)
    return id
  }

  /// Reports a response to a create in which the product isn't at its place.
  ///
  /// The outcome of every create would then be looked for. A response without a body contradicts nothing if the new product is
  /// found by its mark.
  private mutating func addMissingRecord(of answer: Response, _ error: any Error) {
    let rule = description.write(.create)
    let record = rule?.record ?? .root
    let isEmpty = answer.body.isEmpty
    report.add(
      record == .root
        ? LocalizedText("product in the response", ko: "응답의 상품")
        : LocalizedText("product at \(record) in the response", ko: "응답의 \(record)에 있는 상품"),
      expected: LocalizedText("a product", ko: "상품"),
      seen: isEmpty ? LocalizedText("no body", ko: "본문 없음") : CommandError(describing: error).message.what,
      isEmpty && rule?.mark != nil)
  }

  private mutating func checkNotStored(_ id: Product.ID) async throws {
    let expected = LocalizedText("not kept", ko: "저장 안 됨")
    let now = try await MarketReader(client).productIfExists(id)
    let isStored = now?.name == ContractSender.name
    report.add(
      LocalizedText("product \(id)", ko: "\(id)번 상품"), expected: expected,
      seen: isStored ? LocalizedText("kept", ko: "저장됨") : expected, !isStored)
  }

  /// Checks that the product has the values of the create, and that each field can be changed alone.
  private mutating func values(of id: Product.ID) async throws {
    let writable = market.dialect.capabilities.writableFields ?? []
    var before = try await client.send(GetDocument(id))
    for field in writable where field != .currency {
      guard let value = DescribedWrites.first[field] else { continue }
      compare(
        LocalizedText("\(field) of the new product", ko: "새 상품의 \(field)"), expected: value,
        found: ProductValues(of: before.product)[field])
    }
    guard market.dialect.supports(.edit) else { return }
    for field in writable where field != .currency {
      guard let value = DescribedWrites.second[field] else { continue }
      var to = ProductValues()
      to[field] = value
      let after = try await update(field, of: before, to: to)
      compare(
        LocalizedText("\(field) after the update", ko: "수정한 뒤의 \(field)"), expected: value,
        found: ProductValues(of: after.product)[field])
      checkOthers(than: field, before, after)
      before = after
    }
    guard writable.contains(.images), let address = try await picture(ofAnotherThan: id) else { return }
    let after = try await update(.images, of: before, to: ProductValues(pictures: [PictureFile(address: address)]))
    // A server may store a copy at an address of its own.
    let count = after.product.images?.count ?? 0
    report.add(
      LocalizedText("\(ProductField.images) after the update", ko: "수정한 뒤의 \(ProductField.images)"),
      expected: LocalizedText(same: "1"), seen: LocalizedText(same: "\(count)"), count == 1)
    checkOthers(than: .images, before, after)
  }

  /// Changes one field, and returns the product after it.
  private mutating func update(
    _ field: ProductField, of document: ProductDocument, to: ProductValues
  ) async throws -> ProductDocument {
    let id = document.product.id
    var call = EditProduct(id, to, pictures: to.pictures, current: document.product, boundary: "-")
    call.document = document
    let response = try await sender.send(try call.makeRequest(to: market))
    report.add(
      LocalizedText("update of \(field)", ko: "\(field) 수정"), expected: DescribedWrites.done, seen: response.summary,
      response.isSuccess)
    return try await client.send(GetDocument(id))
  }

  private mutating func checkOthers(than field: ProductField, _ before: ProductDocument, _ after: ProductDocument) {
    let others = ProductValues(of: before.product).differing(from: ProductValues(of: after.product))
    report.shape(
      LocalizedText("other fields after it", ko: "그 밖의 필드"), expected: LocalizedText("as before", ko: "전과 같음"),
      others.filter { $0 != field }.map { LocalizedText(same: "\($0.rawValue)") })
  }

  /// Returns the address of a picture that the market has, or `nil` if the first page shows none.
  private func picture(ofAnotherThan id: Product.ID) async throws -> String? {
    for row in try await client.send(ListProducts(page: 1)).products.prefix(5) where row.id != id {
      let product = row.images == nil ? try await client.send(GetProduct(row.id)) : row
      if let address = product.images?.first?.url { return address }
    }
    return nil
  }

  private mutating func compare(_ name: LocalizedText, expected: FieldValue, found: FieldValue?) {
    report.add(
      name, expected: LocalizedText(same: "\(expected.description)"),
      seen: found.map { LocalizedText(same: "\(.foreign($0.description))") } ?? LocalizedText("no value", ko: "값 없음"),
      found.map(expected.isSame) ?? false)
  }

  /// Checks that the server refuses a change whose request names another state of the product.
  private mutating func precondition(_ id: Product.ID) async throws {
    guard let rule = description.write(.edit), rule.usesETag, description.fields[.name]?.isWritable == true else {
      return
    }
    var document = try await client.send(GetDocument(id))
    report.add(
      LocalizedText("ETag of a product", ko: "상품의 ETag"), expected: LocalizedText("a value", ko: "값 있음"),
      seen: document.tag.map { LocalizedText(same: "\(.foreign($0))") } ?? LocalizedText("no value", ko: "값 없음"),
      document.tag != nil)
    document.tag = "\"openmarket-contract\""
    var call = EditProduct(id, ProductValues(name: "not written"), current: document.product, boundary: "-")
    call.document = document
    let response = try await sender.send(try call.makeRequest(to: market))
    report.status(
      LocalizedText("update of another state", ko: "다른 상태의 수정"), response: response, statuses: 412...412)
  }

  private mutating func end(_ id: Product.ID) async throws {
    guard market.dialect.supports(.delete) else { return sender.sayLeft(id) }
    let tag = description.write(.delete)?.usesETag == true ? try await client.send(GetDocument(id)).tag : nil
    let response = try await sender.send(try DeleteProduct(id, tag: tag).makeRequest(to: market))
    report.add(
      LocalizedText("delete", ko: "삭제"), expected: DescribedWrites.done, seen: response.summary, response.isSuccess)
    let gone = LocalizedText("not there", ko: "없음")
    let isGone = try await MarketReader(client).productIfExists(id) == nil
    report.add(
      LocalizedText("product after the delete", ko: "삭제한 상품"), expected: gone,
      seen: isGone ? gone : LocalizedText("a product", ko: "상품"), isGone)
    if !isGone { sender.sayLeft(id) }
    guard isGone, description.ids == .grow, let next = try await create() else { return }
    report.add(
      LocalizedText("id after a delete", ko: "삭제 뒤의 번호"), expected: LocalizedText("above \(id)", ko: "\(id)보다 큼"),
      seen: LocalizedText(same: "\(next)"), next > id)
    await cleanUp(next)
  }

  /// Deletes the product, in a task of its own, because this one may be canceled.
  private func cleanUp(_ id: Product.ID) async {
    let checks = self
    let isDeleted = await scope.context.program.interruption.cleaningUp {
      await Task {
        guard checks.market.dialect.supports(.delete) else { return false }
        let document = try? await checks.client.send(GetDocument(id))
        guard let request = try? DeleteProduct(id, tag: document?.tag).makeRequest(to: checks.market) else {
          return false
        }
        return (try? await checks.sender.send(request))?.isSuccess ?? false
      }.value
    }
    if isDeleted != true { sender.sayLeft(id) }
  }
}
