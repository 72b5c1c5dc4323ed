import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import ShellRuntime
import Text
import WriteJournal

/// The fields of a new product while they are collected.
///
/// Each value is validated when it is set.
package struct NewProductFields: Hashable, Sendable {
  package var name: String?
  package var description: String?
  package var price: Amount?
  package var discount: Amount?
  /// The discount as a percentage of the price.
  package var discountShare: Percentage?
  /// The sale price, as an alternative to a discount.
  package var sale: Amount?
  package var currency: Currency?
  package var stock: Int?
  package var images: [String]?
  /// The images of the product whose values are copied; `images` replaces them.
  package var copiedPictures: [PictureFile]?
  /// The currencies implied by the symbols of amounts: `₩18,500`.
  private var typedCurrencies: [Currency] = []

  package init(
    name: String? = nil, description: String? = nil, price: Amount? = nil, discount: Amount? = nil, sale: Amount? = nil,
    currency: Currency? = nil, stock: Int? = nil, images: [String]? = nil
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.sale = sale
    self.currency = currency
    self.stock = stock
    self.images = images
  }

  /// The known values as they would be typed.
  package var typedValues: [ProductField: String] {
    let all: [(ProductField, String?)] = [
      (.name, name), (.description, description), (.price, price?.description),
      (.discount, discountShare.map { $0.value.description + "%" } ?? discount?.description),
      (.currency, currency?.code), (.stock, stock.map { String($0) }), (.images, images?.joined(separator: ",")),
    ]
    return Dictionary(uniqueKeysWithValues: all.compactMap { field, text in text.map { (field, $0) } })
  }

  /// Returns the fields without a value, of those that a market requires.
  package func missing(of required: [ProductField]) -> [ProductField] {
    let values = typedValues
    return required.filter { values[$0] == nil && !($0 == .images && copiedPictures != nil) }
  }

  /// Sets one field to a typed value.
  ///
  /// - Throws: `ParseError` for an invalid value, and for a field that a new product doesn't have.
  package mutating func set(_ field: String, text: String, limits policy: LimitPolicy, at range: Range<Int>? = nil)
    throws
  {
    switch ProductField(rawValue: field) {
    case .name: name = try FieldValueParser.text(text, of: .name, policy, at: range)
    case .description: description = try FieldValueParser.text(text, of: .description, policy, at: range)
    case .price: price = try money(text, of: .price, at: range)
    case .discount:
      discountShare = Percentage(text)
      discount = discountShare == nil ? try money(text, of: .discount, at: range) : nil
    case .sale: sale = try money(text, of: .sale, at: range)
    case .currency: currency = try FieldValueParser.currency(text, at: range)
    case .stock: stock = try FieldValueParser.stock(text, policy, at: range)
    case .images: images = text.split(atScalar: ",").map(\.trimmed).filter { !$0.isEmpty }
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, nil:
      throw ParseError(
        LocalizedText(
          "\(.field(field)) cannot be set on a new product.", ko: "새 상품에는 \(.field(field), .object) 지정할 수 없습니다."),
        suggestion: LocalizedText(
          "Available: \(NewProductFields.available).", ko: "\(NewProductFields.available, .object) 지정할 수 있습니다."),
        at: range)
    }
  }

  private static let available = ProductField.list(ProductField.valuesAndImages, .english)

  private mutating func money(_ text: String, of field: ProductField, at range: Range<Int>?) throws -> Amount {
    let money = try FieldValueParser.money(text, of: field, at: range)
    if let currency = money.currency { typedCurrencies.append(currency) }
    return money.amount
  }

  /// Sets these fields to those of an existing product.
  ///
  /// - Throws: The errors of `set`.
  package mutating func copy(_ product: Product, _ fields: [ProductField], limits policy: LimitPolicy) throws {
    for field in ProductField.writableValues where fields.contains(field) {
      if let text = product.text(of: field) { try set(field.rawValue, text: text, limits: policy) }
    }
  }

  /// Sets the fields that were read from a file.
  ///
  /// - Throws: The errors of `set`.
  package mutating func setAll(_ values: [(name: String, value: String)], _ policy: LimitPolicy) throws {
    for (name, value) in values { try set(name, text: value, limits: policy) }
  }

  /// Throws if a field that a market requires has no value.
  ///
  /// - Throws: `ParseError` that names the missing fields.
  package func requireComplete(_ required: [ProductField]) throws {
    let missing = missing(of: required)
    guard let first = missing.first else { return }
    let names = missing.map(\.rawValue).joined(separator: ", ")
    throw ParseError(
      LocalizedText("A new product also needs \(.field(names)).", ko: "새 상품에는 \(.field(names), .subject) 필요합니다."),
      suggestion: LocalizedText(
        "For example: \(.command(NewProductFields.example(of: first)))",
        ko: "예: \(.command(NewProductFields.example(of: first)))"
      )
    )
  }

  private static func example(of field: ProductField) -> String {
    switch field {
    case .name: "name='Teacup, white'"
    case .description: "description='Holds 200 ml.'"
    case .price: "price=12900"
    case .currency: "currency=KRW"
    case .images: "images=front.jpg,back.jpg"
    case .id, .discount, .sale, .stock, .vendor, .vendorID, .created, .modified, .thumbnail: "\(field)=…"
    }
  }

  /// Returns the new product.
  ///
  /// A field without a value isn't sent to a market that a file describes; for the API editions, some fields have a default.
  ///
  /// - Throws: `ParseError` if price, sale price, discount and currency contradict each other.
  package func draft(pictures: [PictureFile], _ policy: LimitPolicy, for dialect: Dialect? = nil) throws -> ProductDraft
  {
    if let currency, let sign = typedCurrencies.first(where: { $0 != currency }) {
      throw FormattedAmount.mismatch(sign, currency)
    }
    let price = price ?? .zero
    if let sale, sale > price || discount != nil || discountShare != nil {
      throw ParseError(
        sale > price
          ? LocalizedText(
            "\(.field(ProductField.sale)) \(sale.formatted(in: currency)) is higher than \(.field(ProductField.price)) \(price.formatted(in: currency)).",
            ko: "판매가 \(sale.formatted(in: currency), .subject) 정가 \(price.formatted(in: currency))보다 큽니다.")
          : LocalizedText(
            "\(.field(ProductField.sale)) and \(.field(ProductField.discount)) cannot be combined.",
            ko: "\(.field(ProductField.sale), .with) \(.field(ProductField.discount), .topic) 함께 지정할 수 없습니다."))
    }
    let discount = discount ?? discountShare?.of(price, in: currency) ?? sale.map { price - $0 } ?? .zero
    if policy == .documented, discount > price {
      throw ParseError(
        LocalizedText(
          "\(.field(ProductField.discount)) \(discount.formatted(in: currency)) is higher than \(.field(ProductField.price)) \(price.formatted(in: currency)).",
          ko: "할인 \(discount.formatted(in: currency), .subject) 정가 \(price.formatted(in: currency))보다 큽니다."),
        suggestion: LocalizedText("The discount cannot be higher than the price.", ko: "할인은 정가를 넘을 수 없습니다."))
    }
    var draft = ProductDraft(
      name: name ?? "", description: description ?? "", price: price, discount: discount, currency: currency ?? .krw,
      stock: stock ?? 0, pictures: pictures)
    if dialect?.capabilities.writableFields != nil {
      let values = typedValues
      draft.unset = Set(ProductField.writableValues.filter { values[$0] == nil })
      if sale != nil { draft.unset.remove(.discount) }
      if currency == nil { draft.currency = Currency(dialect?.marketDescription?.fields[.currency]?.constant ?? "") }
    }
    return draft
  }
}

extension NewProductFields {
  /// Returns a plan that creates the product.
  ///
  /// Its pictures are read and fitted to the limits, and the user is informed about changes to them.
  ///
  /// - Throws: `ParseError` as `requireComplete` and `draft`; `PictureError` for a picture that can't be read or
  ///   fitted.
  package func plan(in scope: CommandScope) throws -> Plan {
    let dialect = scope.session.server.expectedDialect
    try requireComplete(dialect.capabilities.requiredFields)
    if images == nil, copiedPictures != nil || !dialect.capabilities.requiredFields.contains(.images) {
      return Plan([.create(try draft(pictures: copiedPictures ?? [], scope.session.limits, for: dialect))])
    }
    if !dialect.createsPictures {
      try dialect.requireDescribed([.create], [.images])
      let pictures = try dialect.pictures(at: images ?? [])
      return Plan([.create(try draft(pictures: pictures, scope.session.limits, for: dialect))])
    }
    let counts = scope.session.limits.pictureCount
    let pictures = try PictureUploadLoader(
      images ?? [], home: scope.context.program.environment["HOME"], counts: counts
    ).read()
    for remark in pictures.remarks { scope.say(remark) }
    return Plan([.create(try draft(pictures: pictures.files, scope.session.limits, for: dialect))])
  }
}

/// The fields of a product from a JSON file in the format of `show … as json`.
///
/// Numbers keep their text, so that prices aren't converted to binary fractions.
package enum ProductJSONFile {
  /// Returns the fields of the file as they would be typed.
  ///
  /// - Throws: `FileError`, which is `.malformed` for a file that isn't a JSON object or has an invalid field.
  package static func read(_ path: String) throws -> [(name: String, value: String)] {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    let malformed = FileError.malformed(
      path: path,
      reason: LocalizedText(
        "not a JSON object with product fields", ko: "상품 필드가 있는 JSON 객체가 아닙니다."))
    guard let object = (try? JSON(parsing: data))?.object else { throw malformed }
    guard JSON.unpairedSurrogate(in: data) == nil else {
      throw FileError.malformed(
        path: path,
        reason: LocalizedText("half of a surrogate pair", ko: "텍스트가 글자 중간에서 잘렸습니다(서로게이트 반쪽)."))
    }
    do {
      return try ProductField.writableValues.compactMap { field in
        try text(of: field, in: object).map { (field.rawValue, $0) }
      }
    } catch {
      throw malformed
    }
  }

  private static func text(of field: ProductField, in object: JSONObject) throws(JSONTypeError) -> String? {
    switch field.valueType {
    case .text: try object.string(field.rawValue)
    case .number: try object.int(field.rawValue).map { String($0) }
    case .amount: try object.amount(field.rawValue)?.description
    case .timestamp, .pictures: nil
    }
  }
}
