import Catalog
import MarketAPI
import Text

/// The JSON of an edition, as an app reads and writes it: records with their members, in the order of the server.
///
/// The commands `api` and `model` show it. A test compares it with `EditionSchemas`, by which `contract` judges a server.
package struct EditionModel: Sendable {
  enum MemberType: Hashable, Sendable {
    case whole
    case seconds
    case money
    case text
    case time
    case bool
    case texts
    case record(String)
    case records(String)

    /// The type in Swift.
    var swift: String {
      switch self {
      case .whole: "Int"
      case .seconds: "Double"
      case .money: "Decimal"
      case .text, .time: "String"
      case .bool: "Bool"
      case .texts: "[String]"
      case .record(let name): name
      case .records(let name): "[\(name)]"
      }
    }

    /// The type in JSON.
    var json: LocalizedText {
      switch self {
      case .whole: LocalizedText("integer", ko: "정수")
      case .seconds, .money: LocalizedText("number", ko: "수")
      case .text: LocalizedText("text", ko: "텍스트")
      case .time: LocalizedText("text, a time", ko: "텍스트(시각)")
      case .bool: LocalizedText("true or false", ko: "true나 false")
      case .texts: LocalizedText("list of texts", ko: "텍스트 배열")
      case .record: LocalizedText("object", ko: "객체")
      case .records: LocalizedText("list of objects", ko: "객체 배열")
      }
    }
  }

  /// A member of a record.
  struct Member: Sendable {
    let key: String
    let type: MemberType
    let meaning: LocalizedText
    /// The field of openmarket with the same meaning.
    var field: ProductField?
    /// A Boolean value that indicates that the member may be missing or null, or left out of a request.
    var isOptional = false

    /// The property in Swift: `createdAt` for `created_at`.
    var property: String { SwiftTypes.identifier(key).replacing("Id", with: "ID") }
  }

  /// An object of JSON, or the fields of a form.
  struct Record: Sendable {
    /// The name of the type in Swift, which no type of SwiftUI or Foundation has.
    let name: String
    let meaning: LocalizedText
    let members: [Member]
  }

  let edition: Edition
  let page: Record
  let row: Record
  let product: Record
  /// The records within a product.
  let parts: [Record]
  let refusal: Record
  let creation: Record
  let change: Record

  /// A Boolean value that indicates that creates and changes are forms of flat fields.
  var isForm: Bool { !edition.hasVendors }

  /// The records of responses, each before those within it.
  var responses: [Record] { [page, row, product] + parts + [refusal] }

  package init(_ edition: Edition) {
    self.edition = edition
    switch edition {
    case .camp1, .camp2:
      page = EditionModel.campPage
      row = Record(
        name: "ProductSummary", meaning: LocalizedText("a product in a list", ko: "목록의 상품"),
        members: EditionModel.campRow)
      product = Record(
        name: "Product", meaning: LocalizedText("a product with description and images", ko: "설명과 사진까지 있는 상품"),
        members: EditionModel.campRow + [
          Member(
            key: "descriptions", type: .text, meaning: LocalizedText("description", ko: "설명"), field: .description),
          Member(
            key: "images", type: .texts, meaning: LocalizedText("URLs of the images", ko: "사진 주소"), field: .images),
        ])
      parts = []
      refusal = Record(
        name: "RefusalBody",
        meaning: LocalizedText(
          "the body of a refusal, which has one of the two texts", ko: "거부 응답의 본문. 두 텍스트 중 하나가 있음"),
        members: [
          Member(
            key: "message", type: .text, meaning: LocalizedText("why the request was refused", ko: "거부한 이유"),
            isOptional: true),
          Member(
            key: "reason", type: .text, meaning: LocalizedText("why the request was refused", ko: "거부한 이유"),
            isOptional: true),
        ])
    case .training, .open:
      let isOpen = edition == .open
      page = EditionModel.vendorPage(isOpen: isOpen)
      row = Record(
        name: "ProductSummary", meaning: LocalizedText("a product in a list", ko: "목록의 상품"),
        members: EditionModel.vendorRow(
          isOpen: isOpen, name: isOpen ? EditionModel.vendorName : [],
          description: isOpen ? [EditionModel.description(isOpen: isOpen)] : []))
      product = Record(
        name: "Product", meaning: LocalizedText("a product with images and vendor", ko: "사진과 판매자까지 있는 상품"),
        members: EditionModel.vendorRow(
          isOpen: isOpen, name: [], description: [EditionModel.description(isOpen: isOpen)]) + [
            Member(
              key: "images", type: .records("ProductImage"), meaning: LocalizedText("the images", ko: "사진"),
              field: .images),
            Member(
              key: "vendors", type: .record("ProductVendor"),
              meaning: LocalizedText("the vendor, one object in spite of the name", ko: "판매자. 이름과 달리 객체 하나"),
              field: .vendor),
          ])
      parts = [EditionModel.image(isOpen: isOpen), EditionModel.vendor]
      refusal = Record(
        name: "RefusalBody", meaning: LocalizedText("the body of a refusal", ko: "거부 응답의 본문"),
        members: [
          Member(key: "code", type: .whole, meaning: LocalizedText("the status again", ko: "상태 코드")),
          Member(key: "message", type: .text, meaning: LocalizedText("why the request was refused", ko: "거부한 이유")),
        ])
    }
    creation = Record(
      name: "NewProduct", meaning: LocalizedText("what a product is created from", ko: "새 상품의 값"),
      members: EditionModel.inputs(edition, isChange: false))
    change = Record(
      name: "ProductChange",
      meaning: LocalizedText("a change of a product: what is left out stays as it is", ko: "상품의 변경. 적지 않은 값은 그대로 둠"),
      members: EditionModel.inputs(edition, isChange: true))
  }
}

// MARK: Members of the editions with vendors
extension EditionModel {
  private static func vendorPage(isOpen: Bool) -> Record {
    func key(_ open: String, _ training: String) -> String { isOpen ? open : training }
    return Record(
      name: "ProductPage", meaning: LocalizedText("a page of the list of products", ko: "상품 목록의 한 쪽"),
      members: [
        Member(
          key: key("pageNo", "page_no"), type: .whole,
          meaning: LocalizedText("number of the page, from 1", ko: "쪽 번호, 1부터")),
        Member(
          key: key("itemsPerPage", "items_per_page"), type: .whole,
          meaning: LocalizedText("rows of a full page", ko: "한 쪽의 상품 수")),
        Member(
          key: key("totalCount", "total_count"), type: .whole,
          meaning: LocalizedText("number of all products", ko: "전체 상품 수")),
        Member(
          key: "offset", type: .whole, meaning: LocalizedText("number of products before this page", ko: "이 쪽 앞의 상품 수")),
        Member(
          key: "limit", type: .whole,
          meaning: LocalizedText("index of the end of this page, not a size", ko: "이 쪽 끝의 순번(개수가 아님)")),
        Member(
          key: key("lastPage", "last_page"), type: .whole,
          meaning: LocalizedText("number of the last page", ko: "마지막 쪽 번호")),
        Member(
          key: key("hasNext", "has_next"), type: .bool,
          meaning: LocalizedText("whether a page follows", ko: "다음 쪽이 있는지")),
        Member(
          key: key("hasPrev", "has_prev"), type: .bool,
          meaning: LocalizedText("whether a page precedes", ko: "이전 쪽이 있는지")),
        Member(
          key: "pages", type: .records("ProductSummary"),
          meaning: LocalizedText("the products of this page", ko: "이 쪽의 상품")),
      ])
  }

  private static let vendorName = [
    Member(
      key: "vendorName", type: .text, meaning: LocalizedText("name of the vendor", ko: "판매자 이름"), field: .vendor)
  ]

  private static func description(isOpen: Bool) -> Member {
    Member(
      key: "description", type: .text, meaning: LocalizedText("description", ko: "설명"), field: .description,
      isOptional: !isOpen)
  }

  /// Returns the members of rows and products, of which old ones of `training` may be null.
  private static func vendorRow(isOpen: Bool, name: [Member], description: [Member]) -> [Member] {
    [
      Member(key: "id", type: .whole, meaning: LocalizedText("product ID", ko: "상품 번호"), field: .id),
      Member(key: "vendor_id", type: .whole, meaning: LocalizedText("vendor ID", ko: "판매자 번호"), field: .vendorID),
    ] + name + [
      Member(
        key: "name", type: .text, meaning: LocalizedText("name", ko: "이름"), field: .name, isOptional: !isOpen)
    ] + description + [
      Member(
        key: "thumbnail", type: .text, meaning: LocalizedText("URL of the thumbnail", ko: "대표 사진 주소"),
        field: .thumbnail, isOptional: !isOpen),
      Member(key: "currency", type: .text, meaning: LocalizedText("currency", ko: "통화"), field: .currency),
      Member(
        key: "price", type: .money, meaning: LocalizedText("list price", ko: "정가"), field: .price, isOptional: !isOpen),
      Member(
        key: "bargain_price", type: .money,
        meaning: LocalizedText("sale price: price minus discounted_price", ko: "판매가: price - discounted_price"),
        field: .sale, isOptional: !isOpen),
      Member(
        key: "discounted_price", type: .money,
        meaning: LocalizedText("the discount, not the price after it", ko: "할인 금액(할인된 가격이 아님)"), field: .discount,
        isOptional: !isOpen),
      Member(
        key: "stock", type: .whole, meaning: LocalizedText("number of pieces", ko: "재고"), field: .stock,
        isOptional: !isOpen),
      Member(
        key: "created_at", type: .time, meaning: LocalizedText("when it was created, in UTC", ko: "등록일(UTC)"),
        field: .created),
      Member(
        key: "issued_at", type: .time, meaning: LocalizedText("when it was changed, in UTC", ko: "수정일(UTC)"),
        field: .modified),
    ]
  }

  private static func image(isOpen: Bool) -> Record {
    let succeed = Member(
      key: "succeed", type: .bool, meaning: LocalizedText("whether the image was stored", ko: "사진이 저장되었는지"))
    return Record(
      name: "ProductImage", meaning: LocalizedText("an image of a product", ko: "상품 사진"),
      members: [
        Member(
          key: "id", type: .whole,
          meaning: LocalizedText("number of the image, for thumbnail_id", ko: "사진 번호(thumbnail_id에 씀)")),
        Member(key: "url", type: .text, meaning: LocalizedText("URL of the image", ko: "사진 주소")),
        Member(key: "thumbnail_url", type: .text, meaning: LocalizedText("URL of the small image", ko: "작은 사진 주소")),
      ] + (isOpen ? [] : [succeed]) + [
        Member(key: "issued_at", type: .time, meaning: LocalizedText("when it was stored, in UTC", ko: "저장한 날(UTC)"))
      ])
  }

  private static let vendor = Record(
    name: "ProductVendor", meaning: LocalizedText("the vendor of a product", ko: "상품의 판매자"),
    members: [
      Member(key: "id", type: .whole, meaning: LocalizedText("vendor ID", ko: "판매자 번호")),
      Member(key: "name", type: .text, meaning: LocalizedText("name of the vendor", ko: "판매자 이름")),
    ])
}

// MARK: Members of the editions with passwords
extension EditionModel {
  private static let campPage = Record(
    name: "ProductPage", meaning: LocalizedText("a page of the list of products", ko: "상품 목록의 한 쪽"),
    members: [
      Member(key: "page", type: .whole, meaning: LocalizedText("number of the page, from 1", ko: "쪽 번호, 1부터")),
      Member(
        key: "items", type: .records("ProductSummary"),
        meaning: LocalizedText(
          "the products of this page; a page without any is beyond the last one", ko: "이 쪽의 상품. 비어 있으면 마지막 쪽을 넘은 것")
      ),
    ])

  private static let campRow = [
    Member(key: "id", type: .whole, meaning: LocalizedText("product ID", ko: "상품 번호"), field: .id),
    Member(key: "title", type: .text, meaning: LocalizedText("name", ko: "이름"), field: .name),
    Member(key: "price", type: .money, meaning: LocalizedText("list price", ko: "정가"), field: .price),
    Member(key: "currency", type: .text, meaning: LocalizedText("currency", ko: "통화"), field: .currency),
    Member(key: "stock", type: .whole, meaning: LocalizedText("number of pieces", ko: "재고"), field: .stock),
    Member(
      key: "discounted_price", type: .money,
      meaning: LocalizedText("sale price, missing without a discount", ko: "판매가. 할인이 없으면 없음"), field: .sale,
      isOptional: true),
    Member(
      key: "thumbnails", type: .texts, meaning: LocalizedText("URLs of the small images", ko: "작은 사진 주소"),
      field: .thumbnail),
    Member(
      key: "registration_date", type: .seconds,
      meaning: LocalizedText("when it was created, in seconds since 1970", ko: "등록일(1970년부터의 초)"), field: .created),
  ]
}

// MARK: Members of requests
extension EditionModel {
  /// Returns the members of a create or a change, without the secret, the password and the images.
  private static func inputs(_ edition: Edition, isChange: Bool) -> [Member] {
    let isCamp = !edition.hasVendors
    let limits = DocumentedLimits.openMarket
    let currencies = limits.currencies.map(\.code).joined(separator: ", ")
    let price = Member(
      key: "price", type: .money,
      meaning: isCamp
        ? LocalizedText("list price, a whole number", ko: "정가, 정수")
        : LocalizedText("list price, 0 or more", ko: "정가, 0 이상"),
      field: .price, isOptional: isChange)
    let discount = Member(
      key: "discounted_price", type: .money,
      meaning: isCamp
        ? LocalizedText("sale price, at most the price", ko: "판매가, 정가 이하")
        : LocalizedText("the discount, at most the price", ko: "할인 금액, 정가 이하"), field: isCamp ? .sale : .discount,
      isOptional: true)
    let members = [
      Member(
        key: isCamp ? "title" : "name", type: .text,
        meaning: isCamp
          ? LocalizedText("name", ko: "이름")
          : LocalizedText(
            "name, \(limits.name.lowerBound) to \(limits.name.upperBound) characters",
            ko: "이름, \(limits.name.lowerBound)~\(limits.name.upperBound)자"), field: .name, isOptional: isChange),
      Member(
        key: Dialect(edition).capabilities.descriptionKey, type: .text,
        meaning: isCamp
          ? LocalizedText("description", ko: "설명")
          : LocalizedText(
            "description, \(limits.description.lowerBound) to \(limits.description.upperBound) characters",
            ko: "설명, \(limits.description.lowerBound)~\(limits.description.upperBound)자"), field: .description,
        isOptional: isChange),
      price,
      Member(
        key: "currency", type: .text, meaning: LocalizedText("one of \(currencies)", ko: "통화: \(currencies)"),
        field: .currency, isOptional: isChange),
      discount,
      Member(
        key: "stock", type: .whole, meaning: LocalizedText("number of pieces, 0 or more", ko: "재고, 0 이상"),
        field: .stock,
        isOptional: isChange || !isCamp),
    ]
    guard isChange, !isCamp else { return members }
    return members + [
      Member(
        key: "thumbnail_id", type: .whole,
        meaning: LocalizedText("number of the image that becomes the thumbnail", ko: "대표 사진으로 할 사진의 번호"),
        field: .thumbnail, isOptional: true)
    ]
  }
}

extension Edition {
  /// A Boolean value that indicates that products belong to vendors, and not to those who know a password.
  var hasVendors: Bool { Dialect(self).capabilities.ownership == .vendors }
}
