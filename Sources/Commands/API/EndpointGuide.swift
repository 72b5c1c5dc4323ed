import Catalog
import MarketAPI
import Text

/// The requests of an edition for the author of an app: what each is for, what it needs, what it returns and why it is
/// refused.
///
/// The command `api` and the page of `serve` show it.
package struct EndpointGuide: Sendable {
  /// An operation, which is one request or two.
  package enum Operation: String, Hashable, Sendable, CaseIterable {
    case health, list, read, create, update, delete
  }

  /// A request of an operation.
  package struct Step: Sendable {
    /// The method and the path, with names such as `{id}` in place of values.
    package let request: String
    package let purpose: LocalizedText
    /// The values that are sent besides, by their names in the API.
    package let input: String
  }

  /// A value of a request.
  struct Input: Sendable {
    let name: String
    let place: LocalizedText
    let type: LocalizedText
    var field: ProductField?
    let meaning: LocalizedText
    var isOptional = false
  }

  /// A status that refuses a request, and why it is sent.
  struct Refusal: Sendable {
    let status: Int
    let meaning: LocalizedText
  }

  package let edition: Edition
  let model: EditionModel

  package init(_ edition: Edition) {
    self.edition = edition
    model = EditionModel(edition)
  }

  private var hasVendors: Bool { edition.hasVendors }

  /// The operations of the edition.
  package var operations: [Operation] {
    Operation.allCases.filter { $0 != .health || Dialect(edition).supports(.checkHealth) }
  }

  /// Returns the requests of an operation in order.
  package func steps(_ operation: Operation) -> [Step] {
    let form = "multipart/form-data: "
    switch operation {
    case .health:
      return [
        Step(request: "GET /healthChecker", purpose: LocalizedText("whether the server runs", ko: "서버 상태"), input: "")
      ]
    case .list:
      let search = edition == .open ? ", search_value" : ""
      return [
        Step(
          request: hasVendors ? "GET /api/products" : "GET /items/{page}",
          purpose: LocalizedText("list of products", ko: "상품 목록"),
          input: hasVendors ? "page_no, items_per_page\(search)" : "")
      ]
    case .read:
      return [
        Step(
          request: hasVendors ? "GET /api/products/{id}" : "GET /item/{id}",
          purpose: LocalizedText("one product", ko: "상품 하나"), input: "")
      ]
    case .create:
      return [
        Step(
          request: hasVendors ? "POST /api/products" : "POST /item",
          purpose: LocalizedText("create a product", ko: "상품 등록"),
          input: hasVendors
            ? "identifier; \(form)params (JSON), images"
            : "\(form)title, descriptions, price, currency, stock, password, images[]")
      ]
    case .update:
      return [
        Step(
          request: hasVendors ? "PATCH /api/products/{id}" : "PATCH /item/{id}",
          purpose: LocalizedText("update a product", ko: "상품 수정"),
          input: hasVendors ? "identifier; JSON" : "\(form)password, …")
      ]
    case .delete:
      let purpose = LocalizedText("delete a product", ko: "상품 삭제")
      guard hasVendors else {
        return [
          Step(
            request: "DELETE /item/{id}", purpose: purpose,
            input: edition == .camp1 ? "JSON: id, password" : "JSON: password")
        ]
      }
      let key = edition == .training ? ("secret", "{id}/{secret}") : ("archived", "{token}")
      return [
        Step(
          request: "POST /api/products/{id}/\(key.0)", purpose: LocalizedText("ask how to delete", ko: "삭제 방법 묻기"),
          input: "identifier; JSON: secret"),
        Step(request: "DELETE /api/products/\(key.1)", purpose: purpose, input: "identifier"),
      ]
    }
  }
}

// MARK: What an operation needs and returns
extension EndpointGuide {
  private static let path = LocalizedText("path", ko: "경로")
  private static let query = LocalizedText("query", ko: "쿼리")
  private static let header = LocalizedText("header", ko: "헤더")
  private static let form = LocalizedText("form", ko: "폼")
  private static let json = LocalizedText(same: "JSON")
  private static let text = LocalizedText("text", ko: "텍스트")

  /// Returns the values of the requests of an operation.
  func inputs(_ operation: Operation) -> [Input] {
    let integer = EditionModel.MemberType.whole.json
    let id = Input(
      name: "{id}", place: EndpointGuide.path, type: integer, field: .id,
      meaning: LocalizedText("product ID", ko: "상품 번호"))
    switch operation {
    case .health: return []
    case .read: return [id]
    case .list: return paging(integer)
    case .create:
      return identification + members(model.creation, of: hasVendors ? "params" : nil) + [proof(isForm: true), images]
    case .update:
      let isForm = !hasVendors
      return [id] + identification + members(model.change, of: nil) + [proof(isForm: isForm)] + (isForm ? [images] : [])
    case .delete:
      let again = Input(
        name: "id", place: EndpointGuide.json, type: integer, field: .id,
        meaning: LocalizedText("the number of the path again", ko: "경로와 같은 번호"))
      return [id] + identification + (edition == .camp1 ? [again] : []) + [proof(isForm: false)]
    }
  }

  private func paging(_ integer: LocalizedText) -> [Input] {
    let number = LocalizedText("number of the page, from 1", ko: "쪽 번호, 1부터")
    guard hasVendors else { return [Input(name: "{page}", place: EndpointGuide.path, type: integer, meaning: number)] }
    let search = Input(
      name: "search_value", place: EndpointGuide.query, type: EndpointGuide.text,
      meaning: LocalizedText("a part of the name or of the vendor's name", ko: "상품 이름이나 판매자 이름의 일부"), isOptional: true)
    return [
      Input(name: "page_no", place: EndpointGuide.query, type: integer, meaning: number, isOptional: true),
      Input(
        name: "items_per_page", place: EndpointGuide.query, type: integer,
        meaning: LocalizedText("products in a page (default: 20)", ko: "한 쪽의 상품 수(기본: 20)"), isOptional: true),
    ] + (edition == .open ? [search] : [])
  }

  /// The header field of writes in the editions with vendors.
  private var identification: [Input] {
    guard hasVendors else { return [] }
    return [
      Input(
        name: "identifier", place: EndpointGuide.header, type: EndpointGuide.text,
        meaning: LocalizedText("the vendor's identifier", ko: "판매자의 식별자"))
    ]
  }

  /// Returns the secret or the password of a write.
  private func proof(isForm: Bool) -> Input {
    let place =
      hasVendors
      ? (isForm ? LocalizedText(same: "params") : EndpointGuide.json)
      : (isForm ? EndpointGuide.form : EndpointGuide.json)
    return hasVendors
      ? Input(
        name: "secret", place: place, type: EndpointGuide.text,
        meaning: LocalizedText("the vendor's secret", ko: "판매자의 시크릿"))
      : Input(
        name: "password", place: place, type: EndpointGuide.text,
        meaning: LocalizedText("the password of the product", ko: "상품의 비밀번호"))
  }

  private var images: Input {
    let limits = DocumentedLimits.openMarket
    return Input(
      name: hasVendors ? "images" : "images[]", place: EndpointGuide.form, type: LocalizedText("files", ko: "파일"),
      field: .images,
      meaning: LocalizedText(
        "\(limits.pictures.lowerBound) to \(limits.pictures.upperBound) parts, JPEG or PNG under \(limits.pictureBytes / 1024) KB each",
        ko:
          "JPEG나 PNG \(limits.pictures.lowerBound)~\(limits.pictures.upperBound)개, 각각 \(limits.pictureBytes / 1024) KB 미만"
      ))
  }

  /// Returns the members of a record, which are in a part of a form, in JSON, or parts themselves.
  private func members(_ record: EditionModel.Record, of part: String?) -> [Input] {
    let place =
      part.map { LocalizedText(same: "\(.foreign($0))") } ?? (model.isForm ? EndpointGuide.form : EndpointGuide.json)
    return record.members.map { member in
      Input(
        name: member.key, place: place, type: member.type.json, field: member.field, meaning: member.meaning,
        isOptional: member.isOptional)
    }
  }

  /// Returns the records of a successful response, the first of which is the response itself.
  func outputs(_ operation: Operation) -> [EditionModel.Record] {
    switch operation {
    case .list: [model.page, model.row]
    case .read, .create, .update: [model.product] + model.parts
    case .health, .delete: []
    }
  }
}

// MARK: Refusals
extension EndpointGuide {
  /// Returns the refusals of the built-in market and of `serve`.
  func refusals(_ operation: Operation) -> [Refusal] {
    let missing = Refusal(status: 404, meaning: LocalizedText("there is no such product", ko: "그런 상품이 없음"))
    let noNumber = Refusal(status: 400, meaning: LocalizedText("text where a number is expected", ko: "숫자 자리에 텍스트가 있음"))
    let guesses = Refusal(
      status: 429,
      meaning: hasVendors
        ? LocalizedText("ten wrong secrets before: wait a second", ko: "틀린 시크릿을 열 번 보냄: 1초 기다리기")
        : LocalizedText("ten wrong passwords before: wait a second", ko: "틀린 비밀번호를 열 번 보냄: 1초 기다리기"))
    switch operation {
    case .health: return []
    case .list:
      guard hasVendors else {
        return [noNumber, Refusal(status: 404, meaning: LocalizedText("a page below 1", ko: "1보다 작은 쪽"))]
      }
      return [
        Refusal(
          status: 400,
          meaning: LocalizedText("text where a number is expected, or a number below 1", ko: "숫자 자리의 텍스트, 1보다 작은 수"))
      ]
    case .read: return [noNumber, missing]
    case .create:
      let bad = Refusal(
        status: 400,
        meaning: hasVendors
          ? LocalizedText(
            "no form, a missing part or member, a value outside its limits, an unknown identifier, a wrong secret",
            ko: "폼이 아님, 빠진 부분이나 값, 한도를 벗어난 값, 모르는 식별자, 틀린 시크릿")
          : LocalizedText(
            "no form, a missing field, a value of another type, no image or too many",
            ko: "폼이 아님, 빠진 필드, 형식이 다른 값, 사진이 없거나 너무 많음"))
      return [bad] + EndpointGuide.sizes + (hasVendors ? [guesses] : [])
    case .update:
      guard hasVendors else {
        let bad = Refusal(
          status: 400,
          meaning: LocalizedText("no form, no password, a value of another type", ko: "폼이 아님, 비밀번호 없음, 형식이 다른 값"))
        return [bad, EndpointGuide.wrongPassword] + EndpointGuide.sizes + [guesses]
      }
      let bad = Refusal(
        status: 400,
        meaning: LocalizedText(
          "no JSON, a value of another type or outside its limits, an unknown identifier, a wrong secret",
          ko: "JSON이 아님, 형식이 다르거나 한도를 벗어난 값, 모르는 식별자, 틀린 시크릿"))
      let image = Refusal(
        status: 409,
        meaning: LocalizedText("thumbnail_id is no image of the product", ko: "thumbnail_id가 이 상품의 사진이 아님"))
      return [bad, EndpointGuide.foreign, missing, image] + EndpointGuide.sizes + [guesses]
    case .delete:
      guard hasVendors else {
        let bad = Refusal(status: 400, meaning: LocalizedText("no JSON, no password", ko: "JSON이 아님, 비밀번호 없음"))
        let other = Refusal(
          status: 409, meaning: LocalizedText("id is not the number of the path", ko: "id가 경로의 번호와 다름"))
        return [bad, EndpointGuide.wrongPassword] + (edition == .camp1 ? [other] : []) + [guesses]
      }
      let bad = Refusal(
        status: 400,
        meaning: edition == .training
          ? LocalizedText(
            "no secret, an unknown identifier, a wrong secret, a key that the first response does not have",
            ko: "시크릿 없음, 모르는 식별자, 틀린 시크릿, 첫 응답에 없는 키")
          : LocalizedText("no secret, an unknown identifier, a wrong secret", ko: "시크릿 없음, 모르는 식별자, 틀린 시크릿"))
      let foreign =
        edition == .training
        ? EndpointGuide.foreign
        : Refusal(
          status: 403,
          meaning: LocalizedText(
            "the product belongs to another vendor, or the path is not that of the first response",
            ko: "다른 판매자의 상품, 첫 응답과 다른 경로"))
      return [bad, foreign, missing, guesses]
    }
  }

  private static let foreign = Refusal(
    status: 403, meaning: LocalizedText("the product belongs to another vendor", ko: "다른 판매자의 상품"))
  private static let wrongPassword = Refusal(
    status: 404, meaning: LocalizedText("a wrong password, or no such product", ko: "비밀번호가 틀렸거나 그런 상품이 없음"))
  private static let sizes = [
    Refusal(status: 413, meaning: LocalizedText("a body of more than 10 MB", ko: "10 MB를 넘는 본문")),
    Refusal(status: 507, meaning: LocalizedText("no room left on the server", ko: "서버의 남은 공간 부족")),
  ]
}

// MARK: Examples
extension EndpointGuide {
  /// Returns the command of an operation for a POSIX shell.
  package func curl(_ operation: Operation, product: Int64, at base: String) -> String {
    let examples = EditionExamples(edition, base: base)
    return switch operation {
    case .health: examples.health
    case .list: examples.read
    case .read: examples.show(product)
    case .create: examples.create
    case .update: examples.patch(product)
    case .delete: examples.delete(product)
    }
  }

  /// Returns the statement in Swift, with the types and the client that `model` prints, or `nil` if the client has none.
  func swift(_ operation: Operation, product: Int64) -> String? {
    let login =
      hasVendors
      ? "let market = MarketClient(identifier: identifier, secret: secret)"
      : "let market = MarketClient(password: password)"
    let keys = (name: hasVendors ? "name" : "title", text: Dialect(edition).capabilities.descriptionKey)
    return switch operation {
    case .health: nil
    case .list: "let page = try await MarketClient().products(page: 1\(hasVendors ? ", size: 3" : ""))"
    case .read: "let product = try await MarketClient().product(\(product))"
    case .create:
      """
      \(login)
      let product = try await market.create(
        NewProduct(
          \(keys.name): "Paper lamp", \(keys.text): "It folds into a card.", price: 9000, currency: "KRW", stock: 5),
        images: [photo])
      """
    case .update: "\(login)\nlet product = try await market.update(\(product), ProductChange(stock: 7))"
    case .delete: "\(login)\ntry await market.delete(\(product))"
    }
  }
}
