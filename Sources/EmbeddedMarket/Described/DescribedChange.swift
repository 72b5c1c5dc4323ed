import Foundation

/// The product in the body of a request to an API that a file describes: the values of the fields, and the other members.
struct DescribedChange: Sendable {
  private(set) var name: String?
  private(set) var description: String?
  private(set) var price: DecimalPrice?
  private(set) var discount: Discount?
  private(set) var currency: String?
  private(set) var stock: Int64?
  /// The members beyond the fields, as sent, without those that have the wrong kind or that only the server sets.
  private(set) var members = WireJSON.object([])

  /// The discount in one of the notations that a file can describe.
  enum Discount: Hashable, Sendable {
    case amount(DecimalPrice)
    /// A percentage of the price.
    case percent(DecimalPrice)
    /// The price after the discount.
    case sale(DecimalPrice)
  }

  /// The maximum size of a body in bytes: that of one product.
  static let maximumBytes = 64 * 1024
  /// The maximum number of values in a body.
  private static let maximumValues = 1000
  /// The maximum amount: JavaScript represents every integer up to it exactly.
  private static let maximumAmount = DecimalPrice(integer: 999_999_999_999_999)

  /// Reads the body of a request.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - call: The request, with the place of the product in its body.
  ///   - api: The API.
  ///   - product: The members that a product has, whose kinds are those of the members that are sent.
  /// - Throws: A 400 that names the first member with a value that can't be used, or a 413.
  init(
    _ body: Data, of call: ServedDescription.Call, in api: ServedDescription, like product: DescribedProduct
  ) throws(MarketHTTPError) {
    guard body.count <= DescribedChange.maximumBytes else { throw .tooLarge(DescribedChange.maximumBytes) }
    let json: WireJSON
    do {
      json = try WireJSONReader.read(body, maximumValues: DescribedChange.maximumValues)
    } catch {
      throw .malformed(
        "The body is not JSON: \(error.what) at byte \(error.at)",
        pattern: "The body is not JSON: \(error.what) at byte …")
    }
    guard let sent = json.value(at: call.body), case .object = sent else {
      let place = call.body == .root ? "The body" : call.body.description
      throw .malformed("\(place) must be an object")
    }
    var rest = sent
    for list in product.lists {
      guard case .list(let elements)? = sent.value(at: list) else { continue }
      guard elements.count == 1 else { throw .malformed("\(list) must have one element") }
    }
    try DescribedChange.check(along: call.along, in: sent)
    rest.remove(at: api.id)
    for field in ServedDescription.Field.allCases {
      guard let rule = api.fields[field], rule.constant == nil, field.isComputed || field.isOwn else { continue }
      if !field.isOwn, let value = rest.value(at: rule.at) { try read(value, of: field, by: rule) }
      rest.remove(at: rule.at)
    }
    members = try DescribedChange.accepted(rest, like: product.template, at: .root) ?? .object([])
  }

  /// Throws a 400 if a change has a member of an object, and not the one that must go along.
  private static func check(along places: [WirePointer], in sent: WireJSON) throws(MarketHTTPError) {
    for place in places where sent.value(at: place) == nil {
      guard let container = place.container, case .object(let members)? = sent.value(at: container),
        !members.isEmpty
      else { continue }
      throw .malformed("\(place) is missing: it goes with every change of the members beside it")
    }
  }

  /// Drops the values that a product has already, which a client has read and sends along.
  ///
  /// The addresses of its own pictures would be stored otherwise, and would be wrong at another address of the server.
  mutating func dropUnchanged(from product: WireJSON, _ api: ServedDescription) {
    for field in ServedDescription.Field.allCases where !field.isComputed {
      guard let place = api.fields[field]?.at, let value = members.value(at: place),
        value == product.value(at: place)
      else { continue }
      members.remove(at: place)
    }
  }

  /// Drops the addresses of pictures of this server: those of a deleted product, which is created again.
  mutating func dropOwnPictures(base: String, _ api: ServedDescription) {
    for field in [ServedDescription.Field.thumbnail, .images] {
      guard let place = api.fields[field]?.at, let value = members.value(at: place),
        DescribedPicture.isOwn(value, base: base)
      else { continue }
      members.remove(at: place)
    }
  }

  /// Throws a 400 if one of the fields is missing.
  func require(_ fields: [ServedDescription.Field], _ api: ServedDescription) throws(MarketHTTPError) {
    for field in fields {
      let isThere =
        switch field {
        case .name: name != nil
        case .description: description != nil
        case .price: price != nil
        case .discount, .sale: discount != nil
        case .currency: currency != nil
        case .stock: stock != nil
        case .vendor, .thumbnail, .images: api.fields[field].map { members.value(at: $0.at) != nil } ?? true
        case .vendorID, .created, .modified: true
        }
      guard !isThere, let rule = api.fields[field], rule.constant == nil else { continue }
      throw .malformed("\(rule.at) is missing")
    }
  }

  // MARK: Fields

  private mutating func read(
    _ value: WireJSON, of field: ServedDescription.Field, by rule: ServedDescription.Rule
  ) throws(MarketHTTPError) {
    switch field {
    case .name: name = try DescribedChange.text(value, rule.at)
    case .description: description = value == .null ? "" : try DescribedChange.text(value, rule.at)
    case .currency: currency = try DescribedChange.text(value, rule.at)
    case .price: price = try DescribedChange.amount(value, rule)
    case .stock: stock = try DescribedChange.whole(value, rule.at)
    case .discount:
      if value == .null {
        discount = .amount(.zero)
      } else {
        let number = try DescribedChange.amount(value, rule)
        discount = rule.notation == .percentOfPrice ? .percent(number) : .amount(number)
      }
    case .sale:
      // A discount in the same request takes precedence.
      guard discount == nil else { return }
      let isOver = value == .null || value == .text("") || rule.removal.map { value == .text($0) } ?? false
      discount = isOver ? .amount(.zero) : .sale(try DescribedChange.amount(value, rule))
    case .vendor, .vendorID, .created, .modified, .thumbnail, .images: break
    }
  }

  private static func text(_ value: WireJSON, _ place: WirePointer) throws(MarketHTTPError) -> String {
    guard case .text(let text) = value else { throw .malformed("\(place) must be a text") }
    guard !text.contains("\0") else { throw .nul(place.description) }
    return text
  }

  private static func whole(_ value: WireJSON, _ place: WirePointer) throws(MarketHTTPError) -> Int64 {
    guard case .number(let digits) = value, let number = DecimalPrice(digits), let whole = Int64(number.description),
      number <= maximumAmount
    else { throw .malformed("\(place) must be a whole number") }
    guard whole >= 0 else { throw .malformed("\(place) must not be negative") }
    return whole
  }

  private static func amount(
    _ value: WireJSON, _ rule: ServedDescription.Rule
  ) throws(MarketHTTPError) -> DecimalPrice {
    let digits: String
    switch (rule.notation, value) {
    case (.minorUnits, _): digits = "\(try whole(value, rule.at))e-\(rule.digits)"
    case (.decimalText, .text(let text)), (.salePrice, .text(let text)): digits = text
    case (_, .number(let number)): digits = number
    default:
      throw .malformed("\(rule.at) must be a number" + (rule.notation == .decimalText ? " in quotes" : ""))
    }
    guard let amount = DecimalPrice(digits) else { throw .malformed("\(rule.at) must be a decimal number") }
    guard !amount.isNegative else { throw .malformed("\(rule.at) must not be negative") }
    guard amount <= maximumAmount else { throw .malformed("\(rule.at) must be at most \(maximumAmount)") }
    if rule.notation == .percentOfPrice, amount > DecimalPrice(integer: 100) {
      throw .malformed("\(rule.at) must be from 0 to 100")
    }
    return amount
  }

  // MARK: Members

  /// Returns a member as it is stored, or `nil` for null in place of a value that all products have.
  ///
  /// Values have the kinds of those in the template, so that the product of one client can be decoded by the others.
  private static func accepted(
    _ value: WireJSON, like template: WireJSON?, at place: WirePointer
  ) throws(MarketHTTPError) -> WireJSON? {
    if value == .null { return template == nil || template == .null ? .null : nil }
    if let template, template != .null, template.kind != value.kind {
      throw .malformed("\(place) must be \(template.kind)")
    }
    switch value {
    case .null, .bool: return value
    case .number(let digits):
      guard DecimalPrice(digits) != nil else { throw .malformed("\(place) must be a number of at most 34 digits") }
      return value
    case .text(let text):
      guard !text.contains("\0") else { throw .nul(place.description) }
      return value
    case .list(let elements):
      var model: WireJSON?
      if case .list(let models)? = template { model = models.first }
      var result: [WireJSON] = []
      for (index, element) in elements.enumerated() {
        result.append(try accepted(element, like: model, at: place.appending(String(index))) ?? .null)
      }
      return .list(result)
    case .object(let members):
      var result: [WireJSON.Member] = []
      var indices: [String: Int] = [:]
      for member in members {
        guard !member.key.contains("\0") else { throw .nul(place.description) }
        let inner = place.appending(member.key)
        guard let value = try accepted(member.value, like: template?[member.key], at: inner) else { continue }
        // The last of equal keys counts.
        if let index = indices[member.key] {
          result[index].value = value
        } else {
          indices[member.key] = result.count
          result.append(WireJSON.Member(member.key, value))
        }
      }
      return .object(result)
    }
  }
}

extension WireJSON {
  /// The kind of value, for messages.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

// MARK: Products
extension DescribedChange {
  /// Sets the values of a product that were sent.
  ///
  /// A discount that is described as a percentage, or by the price after it, stays that when the price changes.
  ///
  /// - Throws: A 400 for a sale price above the price.
  func apply(to row: inout ProductRow, _ api: ServedDescription) throws(MarketHTTPError) {
    let before = row
    row.name = name ?? row.name
    row.description = description ?? row.description
    row.price = price ?? row.price
    row.currency = currency ?? row.currency
    row.stock = stock ?? row.stock
    if let discount {
      row.discount = try DescribedChange.amount(discount, of: row.price, api)
    } else if row.price != before.price, before.discount != .zero {
      if api.fields[.discount]?.notation == .percentOfPrice {
        row.discount = row.price.percent(before.discount.percentage(of: before.price))
      } else if api.fields[.discount] == nil, api.fields[.sale] != nil {
        row.discount = max(.zero, row.price - before.salePrice)
      }
    }
  }

  private static func amount(
    _ discount: Discount, of price: DecimalPrice, _ api: ServedDescription
  ) throws(MarketHTTPError) -> DecimalPrice {
    switch discount {
    case .amount(let amount): return amount
    case .percent(let percentage): return price.percent(percentage)
    case .sale(let sale):
      guard sale <= price else { throw .malformed("\(api.fields[.sale]?.at ?? .root) must be at most the price") }
      return price - sale
    }
  }

  /// Returns a new product; what was not sent is empty or 0.
  ///
  /// - Throws: A 400 for a sale price above the price.
  func product(
    of vendor: Int64, _ api: ServedDescription, at now: MarketTime, pictures: [NewPicture]
  ) throws(MarketHTTPError) -> NewProduct {
    let price = price ?? .zero
    return NewProduct(
      vendor: vendor, name: name ?? "", description: description ?? "", price: price,
      discount: try discount.map { (some) throws(MarketHTTPError) in
        try DescribedChange.amount(some, of: price, api)
      } ?? .zero,
      currency: currency ?? api.currency ?? "KRW", stock: stock ?? 0, created: now, issued: now, pictures: pictures)
  }

  /// Returns the members of a product after the change, with the mark that no other product may have.
  ///
  /// - Throws: A 413 if they are too many.
  func members(
    after before: WireJSON?, mark: WirePointer?, lists: Set<WirePointer>
  ) throws(MarketHTTPError) -> ProductMembers {
    let all = (before ?? .object([])).merged(with: members, elementwise: lists)
    let text = all.minified
    guard text.utf8.count <= DescribedChange.maximumBytes else {
      throw MarketHTTPError(
        413, "The members of the product would take more than \(DescribedChange.maximumBytes) bytes")
    }
    var stored = ProductMembers(json: text)
    if let mark, case .text(let value)? = all.value(at: mark), !value.isEmpty { stored.mark = value }
    return stored
  }
}
