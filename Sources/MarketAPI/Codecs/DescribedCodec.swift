import Catalog
import Foundation
import Networking

/// The codec of a market that a file describes (see the article Markets).
///
/// A change is possible if the file describes its request.
struct DescribedCodec: MarketCodec {
  let description: MarketDescription

  private var paging: MarketDescription.PageRule { description.list.page }
  private var isSequential: Bool { paging.kind == .cursor || paging.kind == .link }

  var capabilities: MarketCapabilities {
    var operations: [Operation] = [.list, .show]
    if description.list.search != nil { operations.append(.search) }
    if paging.limit != nil || paging.kind == .none { operations.append(.pageSize) }
    operations += description.writes.map(\.operation)
    if description.write(.edit) != nil, description.writableFields.contains(.images) {
      operations.append(.replacePictures)
    }
    let described = Set(description.fields.keys).union([.id])
    var unsupported = ProductField.allCases.filter { !described.contains($0) }
    // Each of the two follows from the price and the other.
    if described.contains(.price) { unsupported.removeAll { $0 == .sale } }
    if described.contains(.sale) { unsupported.removeAll { $0 == .discount } }
    var capabilities = MarketCapabilities(
      operations: operations, ownership: .none, discountedPriceIsSalePrice: false,
      listsNewestFirst: description.list.order == .newestFirst, deletionReturnsProduct: false,
      fieldsMissingInLists: ProductField.allCases.filter { description.fields[$0]?.isInList == false })
    capabilities.unsupportedFields = unsupported
    capabilities.requiredFields = description.write(.create)?.required ?? []
    capabilities.writableFields = description.writableFields
    capabilities.idsGrow = description.ids == .grow
    capabilities.keepsWrites = description.keepsWrites
    capabilities.limits = nil
    capabilities.scanPageSize = paging.kind == .none ? DescribedCodec.wholeList : size(of: ProductScan.defaultSize)
    capabilities.concurrency = description.concurrency
    capabilities.isSequential = isSequential
    capabilities.readsWindows = false
    capabilities.credentials =
      switch description.authentication {
      case .none: []
      case .basic: [.identifier, .secret]
      case .bearer, .header, .query: [.secret]
      }
    return capabilities
  }

  /// The page size of a scan of a list that has no pages.
  private static let wholeList = 10_000

  /// Returns the number of rows that is requested where a user or a scan asks for `asked`.
  private func size(of asked: Int?) -> Int {
    guard paging.limit != nil || paging.kind == .none else { return paging.size }
    return min(asked ?? paging.size, paging.maximumSize ?? (paging.kind == .none ? .max : max(paging.size, 100)))
  }

  // MARK: Requests

  func list(_ asked: ListProducts) -> Request {
    let search = asked.search.flatMap { $0.isEmpty ? nil : $0 }
    if paging.kind == .link, let next = asked.after {
      var request = request(.get, description.list.path, [])
      request.rawTarget = next
      return request
    }
    var query = description.list.query
    if let limit = paging.limit { query.append(QueryItem(limit, String(size(of: asked.size)))) }
    if let name = paging.parameter {
      switch paging.kind {
      case .none, .link: break
      case .page: query.append(QueryItem(name, String(asked.page - 1 + paging.first)))
      case .offset: query.append(QueryItem(name, asked.after ?? String((asked.page - 1) * size(of: asked.size))))
      case .cursor: if let after = asked.after { query.append(QueryItem(name, after)) }
      }
    }
    if let search, let rule = description.list.search { query.append(QueryItem(rule.parameter, search)) }
    let path = search == nil ? nil : description.list.search?.path
    return request(.get, path ?? description.list.path, query)
  }

  func show(_ id: Product.ID) -> Request { request(.get, description.read.path, description.read.query, id: id) }

  private func request(
    _ method: RequestMethod, _ path: RequestPath, _ query: [QueryItem], id: Product.ID? = nil,
    operation: String? = nil, headers: [HeaderField] = []
  ) -> Request {
    func filled(_ text: String) -> String {
      let text = id.map { text.replacing(RequestPath.id, with: String($0)) } ?? text
      return operation.map { text.replacing(RequestPath.operation, with: $0) } ?? text
    }
    let fields = description.headers + headers.map { HeaderField($0.name, filled($0.value)) }
    return Request(
      method, description.base.appending(path).segments.map(filled),
      query: query.map { QueryItem($0.name, filled($0.value)) }, headers: fields)
  }

  /// Returns the request with the credentials where the file says, and nowhere else.
  ///
  /// Without a secret, the request is sent as it is, because many markets let everybody read.
  func authorizing(_ request: Request, as credentials: Credentials?) throws(MarketError) -> Request {
    guard credentials?.secret != nil else { return request }
    var request = request
    switch description.authentication {
    case .none: return request
    case .basic:
      let (identifier, secret) = try credentials.needBoth()
      let (user, password) = (identifier.secret.reveal(), secret.secret.reveal())
      let pair = Data("\(user):\(password)".utf8).base64EncodedString()
      guard !user.contains(":"), let hidden = Secret(pair) else { throw .invalidCredential(.identifier) }
      request.headers.append(HeaderField("Authorization", "Basic " + pair))
      request.secrets += [NamedSecret(Credentials.basicVariable, hidden), secret]
    case .bearer: try add("Authorization", "Bearer ", to: &request, credentials)
    case .header(let name, let prefix): try add(name, prefix, to: &request, credentials)
    case .query(let name):
      let secret = try credentials.needSecret()
      request.query.append(QueryItem(name, secret.secret.reveal()))
      request.secrets.append(secret)
    }
    return request
  }

  private func add(_ name: String, _ prefix: String, to request: inout Request, _ credentials: Credentials?)
    throws(MarketError)
  {
    let secret = try credentials.needSecret()
    let field = HeaderField(name, prefix + secret.secret.reveal())
    guard field.isValid else { throw .invalidCredential(.secret) }
    request.headers.append(field)
    request.secrets.append(secret)
  }

  private var dialect: Dialect { Dialect(description) }

  func edit(_ edit: EditProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    guard let rule = description.write(.edit) else { throw .unsupported(.edit, dialect) }
    let members = description.members(for: edit.fields, current: edit.current)
    try checkArrays(members.map(\.at), rule, edit.document)
    var body = JSON.object(JSONObject())
    for pointer in rule.along {
      guard let document = edit.document, let container = pointer.container,
        members.contains(where: { $0.at.isBelow(container) }), !members.contains(where: { $0.at == pointer })
      else { continue }
      guard let value = pointer.value(in: document.record) else {
        throw .unsuitedProduct(DescriptionMismatch(.missing, at: pointer.description, describedAt: rule.position))
      }
      body = try set(value, at: pointer, in: body, rule)
    }
    for member in members { body = try set(member.value, at: member.at, in: body, rule) }
    return try send(rule, body, id: edit.id, tag: edit.document?.tag, as: credentials)
  }

  /// Throws unless the arrays whose elements are written have exactly the one element that the file describes.
  private func checkArrays(
    _ pointers: [JSONPointer], _ rule: MarketDescription.WriteRule, _ document: ProductDocument?
  ) throws(MarketError) {
    guard let document else { return }
    for array in pointers.flatMap(\.arrays) {
      let count = array.value(in: document.record)?.array?.count ?? 0
      guard count != 1 else { continue }
      throw .unsuitedProduct(DescriptionMismatch(.elements(count), at: array.description, describedAt: rule.position))
    }
  }

  private func set(
    _ value: JSON, at pointer: JSONPointer, in body: JSON, _ rule: MarketDescription.WriteRule
  ) throws(MarketError) -> JSON {
    guard let result = pointer.setting(value, in: body) else {
      throw .unsuitedProduct(DescriptionMismatch(.missing, at: pointer.description, describedAt: rule.position))
    }
    return result
  }

  /// Returns the request of a change.
  private func send(
    _ rule: MarketDescription.WriteRule, _ record: JSON?, id: Product.ID? = nil, operation: String? = nil,
    tag: String? = nil, as credentials: Credentials?
  ) throws(MarketError) -> Request {
    var request = request(
      rule.method, rule.path, rule.query, id: id, operation: operation, headers: rule.headers)
    if let record {
      request.body = .json(try set(record, at: rule.body, in: .object(JSONObject()), rule))
    } else if rule.method == .post {
      request.body = .json(.object(JSONObject()))
    }
    if rule.usesETag, let tag {
      let field = HeaderField("If-Match", tag)
      if field.isValid { request.headers.append(field) }
    }
    if description.authentication != .none { _ = try credentials.needSecret() }
    return try authorizing(request, as: credentials)
  }

  /// Returns the request that creates a product.
  ///
  /// A deleted product is created again with all members that it had, except the id, the members that can't be written,
  /// and those that the file omits.
  func create(_ creation: CreateProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    let (draft, operation) = (creation.draft, creation.operation)
    guard let rule = description.write(.create) else { throw .unsupported(.create, dialect) }
    var body = JSON.object(JSONObject())
    if let text = draft.document, let saved = try? JSON(parsing: Data(text.utf8)), saved.object != nil {
      body = description.id.removing(from: saved)
      for field in description.fields.values where !field.isWritable { body = field.at.removing(from: body) }
      for pointer in rule.omitted { body = pointer.removing(from: body) }
    }
    for member in rule.values {
      var value = member.value
      if case .string(let text) = value { value = .string(text.replacing(RequestPath.operation, with: operation)) }
      // A product that is created again has its own value.
      if draft.document != nil, let own = member.at.value(in: body), own != .null { continue }
      body = try set(value, at: member.at, in: body, rule)
    }
    var values = ProductValues(of: draft)
    if !draft.pictures.isEmpty { values.pictures = draft.pictures }
    for member in description.members(for: values, current: nil) {
      body = try set(member.value, at: member.at, in: body, rule)
    }
    if let mark = rule.mark { body = try set(.string(draft.mark ?? operation), at: mark, in: body, rule) }
    return try send(rule, body, operation: operation, as: credentials)
  }

  func requestDeletion(of id: Product.ID, as credentials: Credentials?) throws(MarketError) -> Request {
    throw .unsupported(.requestDeletion, dialect)
  }

  func isValidToken(_ token: String) -> Bool { false }

  func delete(_ deletion: DeleteProduct, as credentials: Credentials?) throws(MarketError) -> Request {
    guard let rule = description.write(.delete) else { throw .unsupported(.delete, dialect) }
    return try send(rule, nil, id: deletion.id, tag: deletion.tag, as: credentials)
  }
}

// MARK: Responses
extension DescribedCodec {
  func page(in response: ResponseDecoder, asked: ListProducts) throws(MarketError) -> Page {
    let body = try response.json()
    guard var rows = description.list.records.value(in: body)?.array else {
      throw response.undecodable(
        .mismatch(
          DescriptionMismatch(
            .noList(found: DescribedCodec.members(of: body)), at: description.list.records.description,
            describedAt: description.list.recordsPosition)))
    }
    let size = size(of: asked.size)
    var total = try total(in: body, response)
    if paging.kind == .none {
      total = rows.count
      let start = (asked.page - 1).multipliedReportingOverflow(by: size)
      rows = start.overflow ? [] : Array(rows.dropFirst(start.partialValue).prefix(size))
    }
    let next = try next(in: body, response, asked: asked, isFull: rows.count >= size)
    let (products, broken) = RowDecoder.read(rows, id: { try? description.productID(in: $0) }) {
      row throws(JSONTypeError) in
      try description.product(from: row, inList: true)
    }
    let last = total.map { max(1, ($0 - 1) / size + 1) }
    let hasNext: Bool? =
      if isSequential { next != nil } else if rows.isEmpty { false } else { last.map { asked.page < $0 } }
    return Page(
      number: asked.page, size: size, total: total, last: last, hasNext: hasNext, hasPrevious: asked.page > 1,
      next: next, products: products, broken: broken)
  }

  /// Throws the error for the status of the response to a write, whatever its body is.
  private func checkWrite(in response: ResponseDecoder) throws(MarketError) {
    try throwIfGone(response)
    try response.throwIfUnsuccessful()
  }

  /// Returns the product in the response to a create.
  ///
  /// - Throws: `MarketError.unreadable` after a success without the product; it is then looked for.
  func created(in response: ResponseDecoder) throws(MarketError) -> Product {
    try response.throwIfUnsuccessful()
    return try writtenProduct(description.write(.create), in: response)
  }

  /// Returns the product in the response to an update.
  ///
  /// - Throws: `MarketError.unreadable` after a success without the product, which is then read.
  func edited(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product {
    try checkWrite(in: response)
    let product = try writtenProduct(description.write(.edit), in: response)
    guard product.id == id else { throw response.undecodable(.otherProduct(product.id)) }
    return product
  }

  func deleted(_ id: Product.ID, in response: ResponseDecoder) throws(MarketError) -> Product? {
    try checkWrite(in: response)
    return nil
  }

  private func writtenProduct(_ rule: MarketDescription.WriteRule?, in response: ResponseDecoder)
    throws(MarketError) -> Product
  {
    let body = try response.json()
    guard let row = (rule?.record ?? .root).value(in: body), row.object != nil else {
      throw response.undecodable(.json)
    }
    do { return try description.product(from: row, inList: false) } catch {
      throw response.undecodable(.field(error.field, found: error.found))
    }
  }

  private func throwIfGone(_ response: ResponseDecoder) throws(MarketError) {
    let status = response.response.status
    for rule in description.read.gone where rule.status == status {
      let message = status == 404 ? response.message : ""
      guard let text = rule.text else { throw .notFound(message: message) }
      let found = try? JSON(parsing: response.response.body)
      if found.flatMap({ (rule.at ?? .root).value(in: $0) }) == .string(text) {
        throw .notFound(message: message)
      }
    }
  }

  func product(_ id: Product.ID?, in response: ResponseDecoder) throws(MarketError) -> Product {
    try throwIfGone(response)
    let body = try response.json()
    let record = description.read.record
    guard let row = record.value(in: body) else {
      // The record is an element of a list, which is empty.
      if let list = record.container, list.value(in: body)?.array?.isEmpty == true { throw .notFound(message: "") }
      throw mismatch(
        response, .noProduct(found: Self.members(of: body)), at: record.description,
        describedAt: description.read.position)
    }
    if row == .null { throw .notFound(message: "") }
    let product: Product
    do {
      product = try description.product(from: row, inList: false)
    } catch {
      if let fault = error.textFault {
        throw response.undecodable(.invalidText(fault, try? description.productID(in: row)))
      }
      let rule = description.fields.values.first { $0.at.description == error.field }
      throw mismatch(
        response, .wrong(error.found), at: error.field, describedAt: rule?.position ?? description.read.position)
    }
    if let id, product.id != id { throw response.undecodable(.otherProduct(product.id)) }
    return product
  }

  private func mismatch(
    _ response: ResponseDecoder, _ problem: DescriptionMismatch.Problem, at location: String,
    describedAt position: String
  ) -> MarketError {
    response.undecodable(.mismatch(DescriptionMismatch(problem, at: location, describedAt: position)))
  }

  private func total(in body: JSON, _ response: ResponseDecoder) throws(MarketError) -> Int? {
    guard let location = paging.total else { return nil }
    func wrong(_ problem: DescriptionMismatch.Problem) -> MarketError {
      mismatch(response, problem, at: location.description, describedAt: paging.totalPosition)
    }
    switch location {
    case .header(let name):
      guard let value = response.response.header(name) else { throw wrong(.missing) }
      // A server that doesn't count says so, `0-14/*`.
      return PageCounts.count(value.firstMatch(of: #/([0-9]+)\s*$/#).flatMap { Int($0.1) })
    case .body(let pointer):
      guard let found = pointer.value(in: body) else { throw wrong(.missing) }
      guard case .number(let number) = found, let count = number.int else {
        throw wrong(.wrong(JSONTypeError(field: "", found: found).found))
      }
      return PageCounts.count(count)
    }
  }

  /// Returns the cursor or the path of the next page, or `nil` after the last one.
  ///
  /// A full page that says nothing of a next one contradicts the description: the list would end too early.
  private func next(in body: JSON, _ response: ResponseDecoder, asked: ListProducts, isFull: Bool) throws(MarketError)
    -> String?
  {
    guard isSequential, let location = paging.next else { return nil }
    let text: String
    switch location {
    case .header(let name):
      guard let value = response.response.header(name) else { return nil }
      guard name.lowercased() == "link" else {
        text = value
        break
      }
      guard let link = LinkHeader.next(in: value) else { return nil }
      text = link
    case .body(let pointer):
      switch pointer.value(in: body) {
      case .string(let next): text = next
      case .number(let number) where paging.kind == .cursor: text = number.literal
      case .null, .bool(false): return nil
      case nil:
        if isFull { throw mismatch(response, .missing, at: location.description, describedAt: paging.nextPosition) }
        return nil
      case let other?:
        throw mismatch(
          response, .wrong(JSONTypeError(field: "", found: other).found), at: location.description,
          describedAt: paging.nextPosition)
      }
    }
    guard !text.isEmpty else { return nil }
    if paging.kind == .cursor { return text }
    let base = response.market.baseURL
    guard let target = NextLink.target(of: text, in: list(asked), at: base, below: description.base) else {
      throw mismatch(
        response, .foreignLink(response.excerpt(text)), at: location.description, describedAt: paging.nextPosition)
    }
    return target
  }

  /// Returns the server's own message in the body of an error.
  func message(in body: JSON) -> String? {
    for pointer in description.messages {
      if case .string(let text)? = pointer.value(in: body), !text.isEmpty { return text }
    }
    return nil
  }

  /// Returns the members of a response with what they are, for a message that says where a list could be.
  private static func members(of body: JSON) -> [String] {
    func kind(_ value: JSON) -> String {
      switch value {
      case .array(let elements): " [\(elements.count)]"
      case .object: " {…}"
      case .null, .bool, .number, .string, .invalidLiteral: ""
      }
    }
    guard let object = body.object else {
      return [kind(body).trimmingCharacters(in: .whitespaces)].filter { !$0.isEmpty }
    }
    return object.keys.prefix(12).map { "/" + $0 + kind(object[$0] ?? .null) }
  }

  func product(from object: JSONObject) throws(JSONTypeError) -> Product {
    try description.product(from: .object(object), inList: false)
  }
}
