import Catalog
import MarketAPI
import Networking
import Text

/// Guesses which members of a product are its fields, by a table of synonyms and the types of their values.
struct FieldGuesses {
  /// The guess about one field.
  struct Guess: Hashable, Sendable {
    var pointer: JSONPointer
    var notation: MarketDescription.Notation
    var each: JSONPointer?
    var digits: Int?
    var removal: String?
    var isInList = true
    var isWritable = true
    /// The kind of the values.
    var reason: LocalizedText
    /// A Boolean value that indicates a guess about money, which the user has to confirm.
    var isUncertain = false
  }

  private(set) var fields: [ProductField: Guess] = [:]
  /// The reasons why a member that is called like a field isn't one.
  private(set) var refusals: [ProductField: LocalizedText] = [:]
  private let row: ValueShape
  private let product: ValueShape?
  private let places: [ShapePlace]
  private let inProduct: Set<JSONPointer>

  /// Finds the fields.
  ///
  /// - Parameters:
  ///   - row: The shape of a row of the list.
  ///   - product: The shape of a single product, or `nil` if it isn't known.
  init(row: ValueShape, product: ValueShape?) {
    self.row = row
    self.product = product.flatMap { $0.members.isEmpty ? nil : $0 }
    let single = self.product.map { ShapePlace.all(in: $0) } ?? []
    let known = Set(single.map(\.pointer))
    inProduct = known
    places = single + ShapePlace.all(in: row).filter { !known.contains($0.pointer) }
    for field in ProductField.allCases where field != .id { find(field) }
    // A description has only one of the two: the other one follows from it and the price.
    if fields[.sale] != nil, fields.removeValue(forKey: .discount) != nil {
      refusals[.discount] = LocalizedText("sale is described instead", ko: "대신 sale을 적음")
    }
  }

  // MARK: Places

  /// A member of a row or of the product that is called like a field.
  private struct Candidate {
    var place: ShapePlace
    /// The order of preference: a smaller one is better, element by element.
    var order: [Int]
    var isInList: Bool
  }

  private mutating func find(_ field: ProductField) {
    guard let names = FieldNames.all[field] else { return }
    for candidate in candidates(names) {
      do throws(Refusal) {
        var guess = try self.guess(field, at: candidate.place)
        guess.isInList = candidate.isInList
        let canBeSet = field.isWritable && field != .thumbnail || field == .sale
        guess.isWritable = guess.isWritable && canBeSet
        if product != nil, !inProduct.contains(guess.pointer) {
          guess.reason = LocalizedText(
            guess.reason.english + "; a single product has none", ko: guess.reason.korean + "; 상품 하나에는 없음")
        }
        fields[field] = guess
        refusals[field] = nil
        return
      } catch {
        let place = candidate.place.pointer.description
        refusals[field] =
          refusals[field]
          ?? LocalizedText("\(place): " + error.reason.english, ko: "\(place): " + error.reason.korean)
      }
    }
  }

  private func candidates(_ names: FieldNames) -> [Candidate] {
    var candidates: [Candidate] = []
    for (index, place) in places.enumerated() {
      guard let rank = names.rank(of: place) else { continue }
      var place = place
      let isCommon = inProduct.contains(place.pointer)
      let inRow = row.shape(at: place.pointer)
      if let inRow, isCommon { place.shape.merge(inRow) }
      // A currency next to the price is that of the price.
      let isFar = names.isBesidePrice && fields[.price].map { $0.pointer.container != place.pointer.container } ?? false
      candidates.append(
        Candidate(
          place: place,
          order: [
            product == nil || isCommon ? 0 : 1, isFar ? 1 : 0, place.pointer.tokens.count, rank, inRow == nil ? 1 : 0,
            index,
          ],
          isInList: inRow != nil || row.members.isEmpty))
    }
    return candidates.sorted { $0.order.lexicographicallyPrecedes($1.order) }
  }

  // MARK: Values

  /// The reason why values can't be those of a field.
  private struct Refusal: Error {
    var reason: LocalizedText
    init(_ english: StyledText, ko korean: StyledText) { reason = LocalizedText(english, ko: korean) }
  }

  private static let unknownType = LocalizedText("a value whose type isn't known", ko: "형식을 알 수 없는 값")

  private func guess(_ field: ProductField, at place: ShapePlace) throws(Refusal) -> Guess {
    let shape = place.shape
    func plain(_ notation: MarketDescription.Notation, _ reason: LocalizedText) -> Guess {
      Guess(
        pointer: place.pointer, notation: notation, reason: shape.isUnknown ? FieldGuesses.unknownType : reason)
    }
    switch field {
    case .id: throw Refusal("no field", ko: "필드 아님")
    case .name, .description, .vendor, .thumbnail:
      guard shape.canBeText else { throw Refusal("not a text", ko: "텍스트가 아님") }
      return plain(.text, LocalizedText("a text", ko: "텍스트"))
    case .currency: return try currency(place)
    case .price, .discount, .sale: return try amount(field, at: place)
    case .stock, .vendorID:
      guard shape.canBeWhole else { throw Refusal("not a whole number", ko: "정수가 아님") }
      return plain(.integer, LocalizedText("a whole number", ko: "정수"))
    case .created, .modified: return try moment(place)
    case .images: return try pictures(place)
    }
  }

  private func currency(_ place: ShapePlace) throws(Refusal) -> Guess {
    guard place.shape.canBeText else { throw Refusal("not a text", ko: "텍스트가 아님") }
    let codes = place.shape.literals.filter { !$0.isEmpty }
    guard codes.allSatisfy({ $0.utf8.count == 3 && $0.utf8.allSatisfy { (65...90).contains($0) } }) else {
      throw Refusal("no code such as USD", ko: "USD 같은 코드가 아님")
    }
    return Guess(
      pointer: place.pointer, notation: .text,
      reason: codes.isEmpty
        ? LocalizedText("is it a code such as USD?", ko: "USD 같은 코드인가요?")
        : LocalizedText("codes such as USD", ko: "USD 같은 코드"), isUncertain: codes.isEmpty)
  }

  private func amount(_ field: ProductField, at place: ShapePlace) throws(Refusal) -> Guess {
    let (shape, name) = (place.shape, place.words.last ?? "")
    let literals = shape.literals.filter { !$0.isEmpty }
    let isText = shape.kinds == [.text]
    guard isText || shape.kinds.isSubset(of: [.integer, .number]) || isMixed(shape) else {
      throw Refusal("not a number", ko: "숫자가 아님")
    }
    guard !isText || literals.allSatisfy({ JSONNumber($0) != nil }) else {
      throw Refusal("texts that are no decimal numbers", ko: "십진수가 아닌 텍스트")
    }
    var guess = Guess(
      pointer: place.pointer, notation: isText ? .decimalText : .decimal,
      reason: isText
        ? LocalizedText("a decimal number in a text", ko: "텍스트로 쓴 십진수") : LocalizedText("a number", ko: "숫자"))
    let isWhole =
      shape.kinds == [.integer]
      || isText && !literals.isEmpty && !literals.contains { $0.contains(where: { ".eE".contains($0) }) }
    if shape.isUnknown || isMixed(shape) {
      guess.reason = FieldGuesses.unknownType
      guess.isUncertain = true
    } else if isWhole {
      guess.isUncertain = true
      guess.reason = LocalizedText(
        "whole numbers: or are they cents, minor-units?", ko: "정수: 혹시 센트 단위(minor-units)인가요?")
      if !isText, FieldNames.minorUnits.contains(name) {
        guess.notation = .minorUnits
        guess.digits = 2
        guess.reason = LocalizedText(
          "whole numbers of cents? digits are those of the currency", ko: "센트 단위의 정수인가요? digits는 통화의 소수 자릿수")
      }
    }
    switch field {
    case .sale:
      guess.notation = .salePrice
      guess.isUncertain = true
      guess.reason = LocalizedText("is it the price after the discount?", ko: "할인한 뒤의 가격인가요?")
      if shape.literals.contains("") { guess.removal = "" }
    case .discount:
      guess.isUncertain = true
      if name.contains("percent") || name.contains("rate") {
        guard !isText else { throw Refusal("a percentage in a text", ko: "텍스트로 쓴 백분율") }
        guess.notation = .percentOfPrice
        guess.digits = 2
        guess.reason = LocalizedText("is it percent? digits are those of the price", ko: "퍼센트인가요? digits는 가격의 소수 자릿수")
      } else {
        guess.reason = LocalizedText("is it an amount, and not percent?", ko: "퍼센트가 아니라 금액인가요?")
      }
    default: break
    }
    return guess
  }

  /// Returns whether a schema allows a number and a text.
  private func isMixed(_ shape: ValueShape) -> Bool {
    shape.values.isEmpty && shape.kinds.contains(.text) && shape.kinds.isSubset(of: [.text, .integer, .number])
      && shape.kinds.count > 1
  }

  private func moment(_ place: ShapePlace) throws(Refusal) -> Guess {
    let shape = place.shape
    let literals = shape.literals.filter { !$0.isEmpty }
    if shape.canBeText {
      guard literals.allSatisfy({ Timestamp($0) != nil }) else {
        throw Refusal("no times of the kind 2024-05-23T08:56:21Z", ko: "2024-05-23T08:56:21Z 같은 시각이 아님")
      }
      return Guess(pointer: place.pointer, notation: .time, reason: LocalizedText("a time in a text", ko: "텍스트로 쓴 시각"))
    }
    guard shape.kinds.isSubset(of: [.integer, .number]) else { throw Refusal("not a time", ko: "시각이 아님") }
    // Seconds have ten digits until the year 2286.
    let isLong = literals.contains { $0.prefix { $0 != "." }.count > 11 }
    return Guess(
      pointer: place.pointer, notation: isLong ? .milliseconds : .seconds,
      reason: isLong
        ? LocalizedText("milliseconds since 1970", ko: "1970년부터의 밀리초")
        : LocalizedText("seconds since 1970, or milliseconds", ko: "1970년부터의 초, 또는 milliseconds"))
  }

  private func pictures(_ place: ShapePlace) throws(Refusal) -> Guess {
    let shape = place.shape
    var guess = Guess(pointer: place.pointer, notation: .urls, reason: LocalizedText("an address", ko: "주소 하나"))
    if shape.kinds == [.text] {
      // Pictures are sent as a list.
      guess.isWritable = false
      return guess
    }
    guard shape.kinds == [.array] else { throw Refusal("no list of pictures", ko: "사진 목록이 아님") }
    guard let element = shape.element else { throw Refusal("a list without elements", ko: "원소가 없는 목록") }
    if element.kinds == [.text] {
      guess.reason = LocalizedText("a list of texts", ko: "텍스트 목록")
      return guess
    }
    let texts = element.members.filter { $0.shape.kinds == [.text] }
    guard let address = texts.first(called: FieldNames.addresses, by: \.name) else {
      throw Refusal("a list without addresses", ko: "주소가 없는 목록")
    }
    guess.each = JSONPointer.root.appending(address.name)
    guess.reason = LocalizedText("a list of objects with an address", ko: "주소가 있는 객체의 목록")
    return guess
  }

  // MARK: Changes

  /// Sets which fields can be set: those with a member in the body of a create or an update.
  mutating func setWritable(in bodies: [ValueShape]) {
    let known = bodies.filter { !$0.members.isEmpty }
    guard !known.isEmpty else { return }
    for (field, guess) in fields where guess.isWritable {
      let shapes = known.compactMap { $0.shape(at: guess.pointer) }
      guard shapes.allSatisfy(\.isReadOnly) else { continue }
      fields[field]?.isWritable = false
    }
  }
}

/// The names by which APIs call a field, and those of the objects around it.
struct FieldNames {
  /// The names, the most probable one first.
  let names: [String]
  /// The objects and arrays in which the field is looked for.
  var containers: [String] = []
  /// The objects that are the field, with the names of its value in them: the amount of a price.
  var holders: [String] = []
  var inner: [String] = []
  /// A Boolean value that indicates that the member next to the price is meant, if there are several.
  var isBesidePrice = false

  /// The objects in which any field is looked for.
  private static let wrappers = [
    "attributes", "fields", "product", "item", "data", "details", "info", "meta", "dates", "timestamps", "상품",
  ]

  /// Returns the rank of a member, or `nil` if it isn't called so.
  func rank(of place: ShapePlace) -> Int? {
    let words = place.words
    guard let name = words.last else { return nil }
    let outer = words.dropLast()
    func isAround(_ word: String) -> Bool { containers.contains(word) || holders.contains(word) }
    guard outer.allSatisfy({ isAround($0) || FieldNames.wrappers.contains($0) }) else { return nil }
    // An element of a list is one of several, but for those of the stock and the offers.
    let lists = place.pointer.arrays.compactMap(\.tokens.last)
    guard lists.allSatisfy({ isAround($0.synonymKey) }) else { return nil }
    if let rank = names.firstIndex(of: name) { return rank }
    guard let holder = outer.last, holders.contains(holder) else { return nil }
    return inner.firstIndex(of: name).map { names.count + $0 }
  }

  /// Returns whether a member is called like the name of a product, and is a text.
  static func isName(_ name: String, _ shape: ValueShape) -> Bool {
    shape.canBeText && all[.name]?.names.contains(name.synonymKey) ?? false
  }

  /// The names of amounts that are often counted in the smallest unit of the currency.
  static let minorUnits: Set = [
    "amount", "unitamount", "cents", "centamount", "pricecents", "priceincents", "amountcents", "minorunits",
    "priceminor",
  ]

  /// The names of addresses of pictures.
  static let addresses = [
    "src", "url", "original", "urlstandard", "imageurl", "href", "uri", "link", "full", "large", "path", "file",
  ]

  private static let prices = ["price", "prices", "pricing", "가격"]
  private static let offers = prices + ["offers", "offer", "variants", "variations", "stockrecords", "skus"]

  static let all: [ProductField: FieldNames] = [
    .name: FieldNames(names: [
      "name", "title", "productname", "producttitle", "itemname", "displayname", "goodsname", "label", "상품명", "이름",
    ]),
    .description: FieldNames(names: [
      "description", "body", "bodyhtml", "longdescription", "productdescription", "details", "content", "text",
      "summary", "shortdescription", "설명", "상품설명",
    ]),
    .price: FieldNames(
      names: [
        "regularprice", "price", "unitprice", "listprice", "sellingprice", "originalprice", "baseprice", "retailprice",
        "pricecents", "priceincents", "unitamount", "priceminor", "productprice", "가격", "판매가",
      ],
      containers: offers, holders: prices,
      inner: ["amount", "value", "centamount", "cents", "gross", "regular", "base", "current"]),
    .discount: FieldNames(
      names: [
        "discountpercentage", "discountpercent", "discountrate", "percentoff", "discountamount", "discount",
        "discountvalue", "할인율", "할인",
      ],
      containers: offers, holders: ["discount"], inner: ["percentage", "percent", "amount", "value"]),
    .sale: FieldNames(
      names: [
        "saleprice", "discountedprice", "discountprice", "specialprice", "promotionalprice", "promoprice", "offerprice",
        "할인가",
      ],
      containers: offers, holders: prices, inner: ["sale", "discounted", "special"]),
    .currency: FieldNames(
      names: ["currency", "currencycode", "pricecurrency", "currencyiso", "currencyid", "통화"],
      containers: offers, holders: ["currency"], inner: ["code", "iso"], isBesidePrice: true),
    .stock: FieldNames(
      names: [
        "stock", "stockquantity", "quantity", "inventorylevel", "numinstock", "inventoryquantity", "availablequantity",
        "quantityavailable", "stockcount", "countinstock", "currentstock", "stocklevel", "inventory", "qty", "onhand",
        "instock", "재고",
        "수량",
      ],
      containers: offers, holders: ["stock", "inventory", "availability", "재고"],
      inner: ["quantity", "level", "count", "available", "amount", "value"]),
    .vendor: FieldNames(
      names: [
        "vendor", "vendorname", "brand", "brandname", "seller", "sellername", "manufacturer", "manufacturername",
        "supplier", "suppliername", "판매자", "브랜드",
      ],
      holders: ["brand", "vendor", "seller", "manufacturer", "supplier"], inner: ["name", "title"]),
    .vendorID: FieldNames(names: ["vendorid", "sellerid", "supplierid", "merchantid"]),
    .created: FieldNames(names: [
      "datecreatedgmt", "createdat", "created", "datecreated", "creationat", "createdon", "creationdate", "createddate",
      "insertedat", "등록일",
    ]),
    .modified: FieldNames(names: [
      "datemodifiedgmt", "updatedat", "modifiedat", "modified", "updated", "dateupdated", "datemodified",
      "lastmodified",
      "updatedon", "modifieddate", "수정일",
    ]),
    .thumbnail: FieldNames(
      names: ["thumbnail", "thumbnailurl", "thumb", "thumburl", "previewurl", "썸네일"],
      holders: ["thumbnail"], inner: addresses),
    .images: FieldNames(
      names: [
        "images", "pictures", "photos", "imageurls", "gallery", "media", "image", "picture", "photo", "imageurl", "img",
        "사진", "이미지",
      ],
      holders: ["image", "picture", "photo", "featuredimage"], inner: addresses),
  ]
}
