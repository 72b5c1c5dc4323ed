import Foundation
import GRDB
import HTTPTypes
import Images

/// The requests that change the market.
///
/// Each is one transaction, including its record in the effect log.
extension DescribedHandlers {
  @Sendable func create(_ call: RequestContext, _ rule: ServedDescription.Call) async throws -> MarketResponse {
    try server.storage.checkDisk()
    let (vendor, sent, cause) = try await change(call, rule)
    var change = sent
    try change.require(rule.required, description)
    change.dropOwnPictures(base: call.base, description)
    let made = try change.product(of: vendor.id, description, at: server.clock(), pictures: pictures(for: change))
    let members = try change.members(after: nil, mark: rule.mark, lists: product.lists)
    let stored = try await server.store.write { database in
      let size = made.byteCount + members.json.utf8.count
      try server.storage.check(adding: size, of: vendor.id, in: database)
      try checkMark(members, of: nil, in: database)
      let id = try made.insert(in: database)
      try members.store(of: id, in: database)
      try AuditLog.append(.create, product: id, vendor: vendor.id, cause: cause, at: made.created, in: database)
      return try StoredProduct.find(id, in: database)
    }
    guard let stored else { throw MarketHTTPError(500, "The product was not kept") }
    return response(stored, at: rule, base: call.base, status: 201)
  }

  @Sendable func update(_ call: RequestContext, _ rule: ServedDescription.Call) async throws -> MarketResponse {
    try server.storage.checkDisk()
    let id = id(in: call, of: rule)
    let now = server.clock()
    let (vendor, change, cause) = try await change(call, rule)
    let stored = try await server.store.write { [call] database in
      guard let id, var stored = try StoredProduct.find(id, in: database) else {
        throw MarketHTTPError.missingProduct(id)
      }
      try checkPrecondition(of: call, by: rule, stored)
      let before = stored
      var change = change
      change.dropUnchanged(from: product.json(stored.row, stored.members, base: call.base), description)
      try change.apply(to: &stored.row, description)
      let members = try change.members(after: stored.members, mark: description.create?.mark, lists: product.lists)
      stored.members = DescribedHandlers.parsed(members.json)
      let growth =
        stored.row.textBytes - before.row.textBytes + members.json.utf8.count - (before.members?.bytes.count ?? 0)
      if growth > 0 { try server.storage.check(adding: growth, of: stored.row.vendor.id, in: database) }
      try checkMark(members, of: id, in: database)
      stored.row.modifiedAt = now
      try stored.row.update(in: database)
      try members.store(of: id, in: database)
      try AuditLog.append(.edit, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
      return stored
    }
    return response(stored, at: rule, base: call.base)
  }

  @Sendable func delete(_ call: RequestContext, _ rule: ServedDescription.Call) async throws -> MarketResponse {
    let id = id(in: call, of: rule)
    let vendor = try await vendor(of: call)
    let (now, cause) = (server.clock(), call.cause)
    let stored = try await server.storage.deleting {
      try await server.store.write { database in
        guard let id, let stored = try StoredProduct.find(id, in: database) else {
          throw MarketHTTPError.missingProduct(id)
        }
        try checkPrecondition(of: call, by: rule, stored)
        try database.execute(sql: "DELETE FROM products WHERE id = ?", arguments: [id])
        try AuditLog.append(.delete, product: id, vendor: vendor.id, cause: cause, at: now, in: database)
        return stored
      }
    }
    switch description.deleteResponse {
    case .nothing: return .nothing
    case .yes: return .json(.bool(true))
    case .product:
      var deleted = product.json(stored.row, stored.members, base: call.base)
      for member in description.deletedMembers {
        guard let place = member.at.pointer else { continue }
        deleted.set(member.value.filling(["{now}": .text(now.isoText)]), at: place)
      }
      var body = WireJSON.null
      body.set(deleted, at: rule.record)
      return .json(body)
    }
  }

  /// Returns the vendor and the body of a request, which is read after the login is checked.
  private func change(
    _ call: RequestContext, _ rule: ServedDescription.Call
  ) async throws -> (VendorRow, DescribedChange, AuditCause) {
    let vendor = try await vendor(of: call)
    var call = call
    call.client.vendor = vendor.id
    let (change, cause) = try await call.decode { [description, product] call in
      (try DescribedChange(call.body, of: rule, in: description, like: product), call.cause)
    }
    return (vendor, change, cause)
  }

  /// Returns the picture of a new product without one: it is drawn when it is requested.
  private func pictures(for change: DescribedChange) -> [NewPicture] {
    let isLacking = [ServedDescription.Field.images, .thumbnail].contains { field in
      description.fields[field].map { change.members.value(at: $0.at) == nil } ?? false
    }
    guard isLacking, let motif = Subject.allCases.randomElement() else { return [] }
    let palette = UInt64.random(in: .min ... .max)
    return [
      NewPicture(
        origin: server.identifier().hexString, thumb: server.identifier().hexString, fileExtension: ".jpg",
        content: .drawn(motif: motif.rawValue, palette: palette))
    ]
  }

  /// Throws a 409 if another product has the member that no two have.
  private func checkMark(_ members: ProductMembers, of id: Int64?, in database: Database) throws {
    guard let mark = members.mark, try ProductMembers.isTaken(mark, byAnotherThan: id, in: database) else { return }
    throw MarketHTTPError(409, "\(description.create?.mark ?? .root) is that of another product")
  }

  /// Throws a 412 unless the product is in the state that a request names (RFC 9110 section 13.1.1).
  private func checkPrecondition(
    of call: RequestContext, by rule: ServedDescription.Call, _ stored: StoredProduct
  ) throws(MarketHTTPError) {
    guard rule.usesETag, let wanted = call.headers[.ifMatch] else { return }
    let tags = wanted.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard tags != ["*"], !tags.contains(tag(of: stored)) else { return }
    throw MarketHTTPError(412, "The product was changed in the meantime")
  }
}

// MARK: Login
extension DescribedHandlers {
  func login(_ field: (HTTPField.Name) -> String?, query: Substring) -> SentLogin? {
    switch description.login {
    case .none: return nil
    case .basic: return BasicLogin(field(.authorization)).map { .identifier($0.identifier) }
    case .bearer, .header, .query:
      return secret(field) { QueryParameters(String(query))[$0] }.map { .secret($0) }
    }
  }

  /// Returns the secret of a request to an API whose requests have no identifier.
  private func secret(_ field: (HTTPField.Name) -> String?, _ parameter: (String) -> String?) -> String? {
    switch description.login {
    case .none, .basic: nil
    case .bearer: field(.authorization).flatMap { DescribedHandlers.rest(of: $0, after: "Bearer ") }
    case .header(let name, let prefix):
      HTTPField.Name(name).flatMap(field).flatMap { DescribedHandlers.rest(of: $0, after: prefix) }
    case .query(let name): parameter(name)
    }
  }

  /// Returns the text after a prefix, whose case doesn't matter, or `nil` for another text.
  private static func rest(of text: String, after prefix: String) -> String? {
    guard text.count > prefix.count, text.prefix(prefix.count).lowercased() == prefix.lowercased() else { return nil }
    return String(text.dropFirst(prefix.count))
  }

  /// Returns the vendor whose login a request has; without a login in the API, the demo vendor.
  ///
  /// - Throws: A 401 for no login and a wrong one, a 403 for a vendor who is no longer on the list of the class, and a 429.
  private func vendor(of call: RequestContext) async throws -> VendorRow {
    let identifier: String
    let secret: String?
    switch description.login {
    case .none: (identifier, secret) = (EmbeddedMarket.demoVendor.identifier, nil)
    case .basic:
      guard let login = BasicLogin(call.headers[.authorization]) else { throw MarketHTTPError.noLogin }
      (identifier, secret) = (login.identifier, login.secret)
    case .bearer, .header, .query:
      guard let token = self.secret({ call.headers[$0] }, { call.query[$0] }) else { throw MarketHTTPError.noLogin }
      let vendor = try await server.store.read { try VendorRow.find(secret: token, in: $0) }
      try server.secretAttempts.check(vendor != nil, of: "any vendor", call, wrong: .wrongLogin)
      return try allowed(vendor)
    }
    let vendor = try await server.store.read { try VendorRow.find(identifier: identifier, in: $0) }
    if let secret {
      guard let vendor else { throw MarketHTTPError.wrongLogin }
      try server.secretAttempts.check(secret == vendor.secret, of: "vendor \(vendor.id)", call, wrong: .wrongLogin)
    }
    return try allowed(vendor)
  }

  private func allowed(_ vendor: VendorRow?) throws(MarketHTTPError) -> VendorRow {
    guard let vendor else { throw .wrongLogin }
    if server.removedVendors.contains(vendor.id) {
      throw MarketHTTPError(403, "The vendor is no longer on the list of vendors")
    }
    return vendor
  }
}

/// The identifier and the secret of the basic scheme (RFC 7617).
struct BasicLogin: Hashable, Sendable {
  var identifier: String
  var secret: String

  /// Reads the value of `Authorization`, or returns `nil` for another scheme or a text that can't be read.
  init?(_ value: String?) {
    let words = (value ?? "").split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic",
      let text = Data(base64Encoded: words[1].trimmingCharacters(in: .whitespaces))
        .flatMap({ String(validating: $0, as: UTF8.self) }),
      let colon = text.firstIndex(of: ":"), !text.contains("\0")
    else { return nil }
    identifier = String(text[..<colon])
    secret = String(text[text.index(after: colon)...])
  }
}

extension MarketHTTPError {
  static let noLogin = MarketHTTPError(401, "The request has no login")
  static let wrongLogin = MarketHTTPError(401, "The login is not that of a vendor")
}
