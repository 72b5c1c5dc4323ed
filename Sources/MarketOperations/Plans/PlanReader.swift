import Catalog
import CommandLanguage
import Foundation
import Networking
import Text
import WriteJournal

/// Decodes the JSON of a plan file.
///
/// All errors are collected instead of stopping at the first.
struct PlanReader {
  private(set) var problems: [LocalizedText] = []
  private let object: JSONObject
  private let policy: LimitPolicy

  /// The number of errors after which no more are looked for.
  static let maximumProblems = 100

  private static let keys = [
    "openmarket_plan", "id", "digest", "made", "maker", "actor", "command", "note", "due", "expires", "sale", "profile",
    "base_url", "generation", "vendor_id",
    "login", "changes",
  ]

  init(_ object: JSONObject, _ policy: LimitPolicy) {
    self.object = object
    self.policy = policy
  }

  /// Returns the plan, or `nil` if the object isn't a plan.
  mutating func read() -> PlanFile? {
    guard let version = try? object.int("openmarket_plan") else {
      problems.append(LocalizedText("the file is not marked as a plan", ko: "계획 파일이라는 표시가 없습니다"))
      return nil
    }
    guard version == PlanFile.version || version == PlanFile.saleVersion else {
      problems.append(LocalizedText("unsupported plan version: \(version)", ko: "지원하지 않는 계획 파일 형식: \(version)"))
      return nil
    }
    PlanChangeReader.check(object, PlanReader.keys, &problems)
    guard let profile = (try? object.string("profile")) ?? nil, let url = (try? object.string("base_url")) ?? nil,
      let made = (try? object.string("made")).flatMap({ $0 }).flatMap({ Timestamp($0) }),
      let elements = object["changes"]?.array
    else {
      problems.append(
        LocalizedText(
          "made, profile, base_url or changes is missing", ko: "made, profile, base_url, changes 중 빠진 것이 있습니다"))
      return nil
    }
    let (due, expires) = (time("due"), time("expires"))
    let sale = object["sale"].flatMap { SaleRule($0) }
    if (version == PlanFile.saleVersion) != (sale != nil && due != nil) || (object["sale"] != nil) != (sale != nil) {
      problems.append(LocalizedText("invalid rule of a sale", ko: "할인 규칙이 올바르지 않습니다"))
    }
    let actor = (try? object.string("actor")) ?? nil
    if let actor, ChangeActor(actor) == nil {
      problems.append(LocalizedText("unknown actor: \(.foreign(actor))", ko: "알 수 없는 actor: \(.foreign(actor))"))
    }
    let destination = PlanFile.Destination(
      profile: profile, baseURL: url,
      generation: ((try? object.string("generation")) ?? nil).flatMap { MarketGeneration($0) },
      vendor: (try? object.int("vendor_id")) ?? nil,
      login: (try? object.string("login")) ?? nil)
    let command = ((try? object.string("command")) ?? nil) ?? ""
    guard let id = (try? object.string("id")) ?? nil, !id.isEmpty, id.utf8.count <= 100 else {
      problems.append(LocalizedText("its ID is missing", ko: "id가 없습니다"))
      return nil
    }
    var file = PlanFile(
      id: id, destination: destination, createdAt: made, maker: (try? object.string("maker")) ?? nil,
      actor: actor.flatMap { ChangeActor($0) }, expires: expires, command: command,
      note: (try? object.string("note")) ?? nil, notBefore: due, sale: sale, plan: plan(elements))
    file.isEdited = (try? object.string("digest")) ?? nil != file.digest
    return file
  }

  /// Returns the time of a member, or `nil` without one.
  private mutating func time(_ key: String) -> Timestamp? {
    guard let text = (try? object.string(key)) ?? nil else { return nil }
    guard let time = Timestamp(text), time.isUTC else {
      problems.append(LocalizedText("not a UTC time: \(.foreign(text))", ko: "\(.foreign(text), .topic) UTC 시각이 아닙니다"))
      return nil
    }
    return time
  }

  private mutating func plan(_ elements: [JSON]) -> Plan {
    var plan = Plan()
    var indices: [Product.ID: Int] = [:]
    for (index, element) in elements.enumerated() {
      // The caller looks for the cancellation before it uses the plan.
      if Task.isCancelled || problems.count > PlanReader.maximumProblems { break }
      var reader = PlanChangeReader(policy)
      let change = reader.change(element)
      let id = reader.id
      problems += reader.problems.map { PlanReader.located($0, number: index + 1, id: id) }
      guard let change else { continue }
      if let id, let first = indices.updateValue(index + 1, forKey: id) {
        problems.append(
          PlanReader.located(
            LocalizedText("change \(first) already has this product", ko: "이미 \(first)번째 변경에 있는 상품입니다"),
            number: index + 1, id: id)
        )
      }
      plan.rows.append(Plan.Row(change))
      plan.rows[plan.rows.count - 1].origin.formulas = reader.formulas
    }
    return plan
  }

  private static func located(_ what: LocalizedText, number: Int, id: Product.ID?) -> LocalizedText {
    let product = id.map { LocalizedText(" (product \($0))", ko: "(\($0)번 상품)") } ?? LocalizedText("", ko: "")
    return LocalizedText(
      "change \(number)\(product[.english]): \(what[.english])",
      ko: "\(number)번째 변경\(product[.korean]): \(what[.korean])")
  }
}

/// Decodes one change of a plan file.
///
/// Values follow the grammar of typed values.
struct PlanChangeReader {
  private(set) var problems: [LocalizedText] = []
  private(set) var id: Product.ID?
  /// The assignments that computed the values of an edit.
  private(set) var formulas: [String] = []
  private let policy: LimitPolicy

  init(_ policy: LimitPolicy) { self.policy = policy }

  mutating func change(_ element: JSON) -> Change? {
    guard let object = element.object else { return fail(LocalizedText("not a JSON object", ko: "JSON 객체가 아닙니다")) }
    if object["create"] != nil { return create(object) }
    if object["edit"] != nil { return edit(object) }
    if object["delete"] != nil { return delete(object) }
    return fail(LocalizedText("not a create, edit or delete", ko: "create, edit, delete 중 하나가 아닙니다"))
  }

  private mutating func create(_ object: JSONObject) -> Change? {
    PlanChangeReader.check(object, ["create", "digest", "partial", "document", "mark"], &problems)
    guard let made = object["create"]?.object else { return fail(.noFields) }
    let fields = self.fields(made, policy)
    if object["partial"] == .bool(true) { return partial(fields, object) }
    guard let name = fields.name, let description = fields.description, let price = fields.price,
      let currency = fields.currency, let pictures = fields.pictures
    else {
      return fail(
        LocalizedText(
          "a new product needs name, description, price, currency, images",
          ko: "새 상품에는 name, description, price, currency, images가 있어야 합니다"))
    }
    let discount = fields.discount ?? .zero
    if policy == .documented, discount > price {
      return fail(LocalizedText("the discount is higher than the price", ko: "할인이 정가보다 큽니다"))
    }
    return .create(
      ProductDraft(
        name: name, description: description, price: price, currency: currency, pictures: pictures, others: fields))
  }

  /// Returns the create of a product in a market that a file describes, which needs fewer fields.
  private mutating func partial(_ fields: ProductValues, _ object: JSONObject) -> Change? {
    guard let name = fields.name else { return fail(.noFields) }
    var draft = ProductDraft(
      name: name, description: fields.description ?? "", price: fields.price ?? .zero,
      currency: fields.currency ?? Currency(""), pictures: fields.pictures ?? [], others: fields)
    draft.unset = Set(ProductField.writableValues.filter { fields[$0] == nil })
    if case .string(let document)? = object["document"] { draft.document = document }
    if case .string(let mark)? = object["mark"] { draft.mark = mark }
    return .create(draft)
  }

  private mutating func edit(_ object: JSONObject) -> Change? {
    PlanChangeReader.check(object, ["edit", "name", "from", "to", "computed", "product", "digest"], &problems)
    formulas = (object["computed"]?.array ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    guard let product = product(object, "edit"), let before = object["from"]?.object, let after = object["to"]?.object
    else { return fail(.noFields) }
    // The old values aren't checked against the documented limits, which real markets exceed.
    let (from, to) = (fields(before, .server), fields(after, policy))
    for key in after.keys where before[key] == nil && key != "images" && key != "thumbnail" {
      problems.append(
        LocalizedText("\(.foreign(key)) has no old value", ko: "\(.foreign(key))의 바꾸기 전 값이 없습니다"))
    }
    for key in before.keys where after[key] == nil {
      problems.append(LocalizedText("\(.foreign(key)) has no new value", ko: "\(.foreign(key))의 바꿀 값이 없습니다"))
    }
    guard !to.isEmpty else { return fail(.noFields) }
    return problems.isEmpty ? .edit(product, from: from, to: to) : nil
  }

  private mutating func delete(_ object: JSONObject) -> Change? {
    PlanChangeReader.check(object, ["delete", "from", "product", "digest"], &problems)
    guard var product = product(object, "delete"), let before = object["from"]?.object else { return fail(.noFields) }
    product.apply(fields(before, .server))
    // The file doesn't hold the price after the discount.
    product.sale = nil
    return problems.isEmpty ? .delete(product) : nil
  }

  private mutating func product(_ object: JSONObject, _ key: String) -> Product? {
    guard let id = (try? object.int(key)) ?? nil, id > 0 else {
      problems.append(LocalizedText("invalid product ID: \(key)", ko: "\(key, .topic) 상품 번호가 아닙니다"))
      return nil
    }
    self.id = id
    var product = Product(id: id, name: (try? object.string("name")) ?? nil)
    product.assign(ProductReference(id, object["product"]))
    return product
  }

  // MARK: Values

  private mutating func fields(_ object: JSONObject, _ policy: LimitPolicy) -> ProductValues {
    PlanChangeReader.check(object, ProductField.writable.map(\.rawValue), &problems)
    var fields = ProductValues()
    for key in object.keys {
      guard let field = ProductField(rawValue: key), let value = object[key], value != .null else { continue }
      do {
        try set(field, value: value, fields: &fields, limits: policy)
      } catch let misread as ParseError {
        problems.append(misread.message)
      } catch {
        let found = (error as? JSONTypeError)?.found ?? ""
        problems.append(
          LocalizedText(
            "invalid value for \(.field(key)): \(.foreign(found))",
            ko: "\(.field(key)) 값으로 \(.foreign(found), .object) 쓸 수 없습니다"
          ))
      }
    }
    return fields
  }

  private func set(_ field: ProductField, value: JSON, fields: inout ProductValues, limits policy: LimitPolicy) throws {
    switch field {
    case .name: fields.name = try FieldValueParser.text(text(value, field), of: field, policy)
    case .description: fields.description = try FieldValueParser.text(text(value, field), of: field, policy)
    case .price: fields.price = try FieldValueParser.amount(number(value, field), of: field)
    case .discount: fields.discount = try FieldValueParser.amount(number(value, field), of: field)
    case .currency: fields.currency = try FieldValueParser.currency(text(value, field))
    case .stock: fields.stock = try FieldValueParser.stock(number(value, field))
    case .thumbnail:
      guard let id = Int(try number(value, field)), id > 0 else {
        throw JSONTypeError(field: field.rawValue, found: value)
      }
      fields.thumbnailID = id
    case .images: fields.pictures = try pictures(value)
    case .id, .sale, .vendor, .vendorID, .created, .modified: break
    }
  }

  private func text(_ value: JSON, _ field: ProductField) throws(JSONTypeError) -> String {
    guard case .string(let text) = value else { throw JSONTypeError(field: field.rawValue, found: value) }
    return text
  }

  /// Returns the digits of a number as they are written, so that `1e3` is rejected as a price.
  private func number(_ value: JSON, _ field: ProductField) throws(JSONTypeError) -> String {
    guard case .number(let number) = value else { throw JSONTypeError(field: field.rawValue, found: value) }
    return number.literal
  }

  private func pictures(_ value: JSON) throws(JSONTypeError) -> [PictureFile] {
    guard let elements = value.array else { throw JSONTypeError(field: "images", found: value) }
    var pictures: [PictureFile] = []
    for element in elements {
      if let address = (try? element.object?.string("address")) ?? nil, element.object?.keys == ["address"] {
        // As long as a path at most; see below.
        guard address.utf8.count <= 4096 else { throw JSONTypeError(field: "images", found: element) }
        pictures.append(PictureFile(address: address))
        continue
      }
      guard let object = element.object, let name = (try? object.string("name")) ?? nil,
        let type = (try? object.string("type")) ?? nil, ["image/jpeg", "image/png"].contains(type),
        let base64 = (try? object.string("base64")) ?? nil, let bytes = Data(base64Encoded: base64),
        policy.limits.map({ bytes.count < $0.pictureBytes }) ?? true
      else { throw JSONTypeError(field: "images", found: element) }
      let path = (try? object.string("path")) ?? nil
      // `PATH_MAX` of limits.h: a longer one would only fill the preview.
      if let path, path.utf8.count > 4096 { throw JSONTypeError(field: "images", found: "\(path.utf8.count)") }
      pictures.append(PictureFile(name: name, type: type, bytes: bytes, statedPath: path))
    }
    if policy.limits?.pictures.contains(pictures.count) == false {
      throw JSONTypeError(field: "images", found: "\(pictures.count)")
    }
    return pictures
  }

  // MARK: Problems

  /// Appends the unknown and the duplicate keys of an object.
  static func check(_ object: JSONObject, _ known: [String], _ problems: inout [LocalizedText]) {
    for key in object.keys where !known.contains(key) {
      problems.append(unknown(key, known))
      if problems.count > PlanReader.maximumProblems { return }
    }
    for key in object.duplicateKeys.prefix(PlanReader.maximumProblems) {
      problems.append(LocalizedText("duplicate key \(.foreign(key))", ko: "\(.foreign(key), .subject) 두 번 나옵니다"))
    }
  }

  private mutating func fail(_ what: LocalizedText) -> Change? {
    if problems.isEmpty { problems.append(what) }
    return nil
  }

  static func unknown(_ key: String, _ known: [String]) -> LocalizedText {
    guard let near = SpellingSuggester.closest(key, in: known) else {
      return LocalizedText("unknown key \(.foreign(key))", ko: "알 수 없는 키 \(.foreign(key))")
    }
    return LocalizedText(
      "unknown key \(.foreign(key)); did you mean \(.field(near))?",
      ko: "알 수 없는 키: \(.foreign(key)). \(.field(near), .object) 뜻하셨나요?")
  }
}

extension LocalizedText {
  fileprivate static let noFields = LocalizedText("missing fields", ko: "필드가 없습니다")
}
