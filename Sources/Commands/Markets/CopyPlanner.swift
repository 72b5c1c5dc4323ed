import Catalog
import CommandLanguage
import FoundationEssentials
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The changes that make the products of one market equal to those of another one.
struct CopyPlanner {
  /// The changes. The place of each row is the product that is copied.
  private(set) var plan = Plan()
  /// The products that are copied.
  private(set) var sources: [Product.ID: Product] = [:]
  /// The number of copies that have the values of their products already.
  private(set) var same = 0
  /// The values that the target can't store, one entry for each product and reason.
  private(set) var losses: [LocalizedText] = []
  /// The number of products that can't be copied at all.
  private(set) var skipped = 0

  private let map: ProductIDMap
  private let market: MarketService
  private let limits: LimitPolicy
  private var dialect: Dialect { market.dialect }

  init(_ map: ProductIDMap, to market: MarketService, _ limits: LimitPolicy) {
    self.map = map
    self.market = market
    self.limits = limits
  }

  /// Returns whether the data of a product's pictures is needed: it is sent, or compared with that of a copy whose pictures have
  /// other addresses.
  func readsPictures(of product: Product, onto target: Product?) -> Bool {
    if dialect.createsPictures { return true }
    guard let target, dialect.takesAddresses, dialect.supports(.replacePictures) else { return false }
    return FolderPictures.ordered(product).map(\.url) != FolderPictures.ordered(target).map(\.url)
  }

  /// Plans one product.
  ///
  /// - Parameters:
  ///   - product: The product with all its values.
  ///   - pictures: Its pictures, or `nil` if one can't be fetched; empty if their data isn't needed.
  ///   - target: Its copy, or `nil` if there is none.
  ///   - targetDigests: The digests of the copy's pictures, or `nil` if they aren't known.
  mutating func plan(
    _ product: Product, pictures: [PictureFile]?, onto target: Product?, targetDigests: [String]?
  ) {
    let name = LocalizedText("product \(product.id)", ko: "\(product.id)번 상품")
    let amounts = [product.price, product.discount].compactMap(\.self)
    if !dialect.supports(.fractionalPrices), amounts.contains(where: \.hasFraction) {
      losses.append(
        LocalizedText(
          "\(name[.english]) is not copied: \(dialect.name) stores no decimals, and it costs \(amounts[0])",
          ko: "\(name[.korean]): \(dialect.name) 버전은 소수점을 저장하지 않아 복사하지 않음(\(amounts[0]))"))
      skipped += 1
      return
    }
    if let (price, currency) = otherCurrency(of: product) {
      losses.append(
        LocalizedText(
          "\(name[.english]) is not copied: it costs \(price), and the prices of \(dialect.name) are in \(currency)",
          ko: "\(name[.korean]): \(dialect.name) 마켓의 가격은 \(currency)이고 이 상품은 \(price)이라 복사하지 않음"))
      skipped += 1
      return
    }
    let files = (pictures ?? []).enumerated().compactMap { CopiedPictures.sent($1, $0 + 1) }
    let isWhole = files.count == pictures?.count
    if !isWhole, dialect.createsPictures {
      losses.append(
        LocalizedText("\(name[.english]): not all images could be read", ko: "\(name[.korean]): 일부 사진을 읽지 못함"))
    }
    let sent = dialect.createsPictures ? files : addresses(of: product, name)
    do {
      if let target {
        try update(
          product, to: sent, digests: isWhole ? files.map { SHA256.hex($0.bytes) } : nil, target: target,
          targetDigests: targetDigests, name: name)
      } else {
        try create(product, sent, name: name)
      }
    } catch {
      losses.append(
        LocalizedText(
          "\(name[.english]) is not copied: \(error.message[.english])",
          ko: "\(name[.korean]): 복사하지 않음. \(error.message[.korean])"
        ))
      skipped += 1
    }
  }

  /// Returns the price of a product and the currency of the market, if all prices there are in one and this one isn't.
  private func otherCurrency(of product: Product) -> (price: String, currency: String)? {
    guard let constant = dialect.marketDescription?.fields[.currency]?.constant, let price = product.price,
      let currency = product.currency, currency != Currency(constant)
    else { return nil }
    return (price.formatted(in: currency), constant)
  }

  /// Returns the addresses of a product's pictures for a market that a file describes, or none with the reason.
  private mutating func addresses(of product: Product, _ name: LocalizedText) -> [PictureFile] {
    guard product.images?.isEmpty == false else { return [] }
    guard dialect.takesAddresses else {
      losses.append(
        LocalizedText(
          "\(name[.english]): its images are not copied, because \(dialect.name) takes none",
          ko: "\(name[.korean]): \(dialect.name) 마켓은 사진을 받지 않아 사진을 복사하지 않음"))
      return []
    }
    if let addresses = CopiedPictures.addresses(of: product, for: market.baseURL) { return addresses }
    losses.append(
      LocalizedText(
        "\(name[.english]): its images are not copied, because an address leads to this computer or its network",
        ko: "\(name[.korean]): 사진의 주소가 이 컴퓨터나 내부 네트워크를 가리켜 사진을 복사하지 않음"))
    return []
  }

  private mutating func create(
    _ product: Product, _ files: [PictureFile], name: LocalizedText
  ) throws(ParseError) {
    var pictures = files
    if pictures.isEmpty, dialect.createsPictures {
      pictures = [PictureFile.onePixel]
      losses.append(
        LocalizedText("\(name[.english]) has no image; it gets a blank one", ko: "\(name[.korean]): 사진이 없어 빈 사진을 넣음"))
    }
    var draft = ProductDraft(
      name: try FieldValueParser.text(product.name ?? "", of: .name, limits),
      description: try FieldValueParser.text(product.description ?? "", of: .description, limits),
      price: product.price ?? .zero, currency: product.currency ?? .krw, pictures: pictures,
      others: ProductValues(of: product))
    if let writable = dialect.capabilities.writableFields {
      draft.unset = Set(ProductField.writableValues.filter { product[$0] == nil || !writable.contains($0) })
    }
    append(.create(draft), from: product)
  }

  private mutating func update(
    _ product: Product, to files: [PictureFile], digests: [String]?, target: Product, targetDigests: [String]?,
    name: LocalizedText
  ) throws(ParseError) {
    let writable = dialect.capabilities.writableFields ?? ProductField.writableValues
    let fields = ProductField.writableValues.filter(writable.contains)
    let merge = Reconciliation(
      base: nil, mine: product.values(of: fields), market: target.values(of: fields), in: fields, winner: .file)
    var (from, to) = try ProductEdit(setting: merge.writes, limits: limits).changes(of: target)
    if !files.isEmpty, let digests {
      setPictures(files, digests, target: target, targetDigests: targetDigests, name, &from, &to)
    } else if !files.isEmpty, !dialect.createsPictures {
      losses.append(CopyPlanner.uncompared(name))
    }
    if to.isEmpty { same += 1 } else { append(.edit(target, from: from, to: to), from: product) }
  }

  /// Sets the pictures of a copy, or its thumbnail if only the order changed, as far as the market supports it.
  ///
  /// - Parameters:
  ///   - files: The pictures as they are sent.
  ///   - wanted: The digests of their data; empty if it wasn't needed.
  private mutating func setPictures(
    _ files: [PictureFile], _ wanted: [String], target: Product, targetDigests: [String]?, _ name: LocalizedText,
    _ from: inout ProductValues, _ to: inout ProductValues
  ) {
    guard let targetDigests else {
      // Without the data of any, the addresses are equal, or the market can't change them.
      let isSame = FolderPictures.ordered(target).map(\.url) == files.map(\.name)
      if !wanted.isEmpty { losses.append(CopyPlanner.uncompared(name)) }
      if wanted.isEmpty, !isSame { losses.append(unreplaced(target.id, name)) }
      return
    }
    guard targetDigests != wanted else { return }
    if dialect.supports(.replacePictures) {
      to.pictures = files
    } else if dialect.supports(.chooseThumbnail), targetDigests.sorted() == wanted.sorted(),
      let index = targetDigests.firstIndex(of: wanted[0]), let picture = FolderPictures.ordered(target)[index].id
    {
      (from.thumbnailID, to.thumbnailID) = (target.coverPicture?.id, picture)
    } else {
      losses.append(unreplaced(target.id, name))
    }
  }

  private func unreplaced(_ target: Product.ID, _ name: LocalizedText) -> LocalizedText {
    LocalizedText(
      "\(name[.english]): its images changed, but \(dialect.name) cannot replace those of product \(target)",
      ko: "\(name[.korean]): 사진이 바뀌었지만 \(dialect.name) 버전은 \(target)번 상품의 사진을 바꿀 수 없음")
  }

  private static func uncompared(_ name: LocalizedText) -> LocalizedText {
    LocalizedText("\(name[.english]): its images could not be compared", ko: "\(name[.korean]): 사진을 비교하지 못함")
  }

  private mutating func append(_ change: Change, from source: Product) {
    var row = Plan.Row(change)
    row.place = .product(source.id)
    row.digest = String(source.id)
    if let draft = row.draft {
      let pictures = draft.pictures.map { $0.address ?? SHA256.hex($0.bytes) }
      let text = ProductFile(source, pictures: pictures).text
      row.digest = "\(source.id) \(SHA256.hex(Data(text.utf8)).prefix(16))"
    }
    plan.rows.append(row)
    sources[source.id] = source
  }

  /// Returns the warning about what the target can't store, or `nil` if it can store all.
  func lossMessage(_ profile: String) -> Message? {
    guard !losses.isEmpty else { return nil }
    return .warning(
      "\(.value(profile)) cannot store everything:", ko: "\(.value(profile))에 그대로 저장할 수 없는 것이 있습니다:"
    ).because(first: 10, of: losses) { $0 }
  }
}
