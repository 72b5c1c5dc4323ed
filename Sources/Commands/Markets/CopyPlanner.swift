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
  private let dialect: Dialect
  private let limits: LimitPolicy

  init(_ map: ProductIDMap, to dialect: Dialect, _ limits: LimitPolicy) {
    self.map = map
    self.dialect = dialect
    self.limits = limits
  }

  /// Plans one product.
  ///
  /// - Parameters:
  ///   - product: The product with all its values.
  ///   - pictures: Its pictures, or `nil` if one can't be fetched.
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
    let files = (pictures ?? []).enumerated().compactMap { CopiedPictures.sent($1, $0 + 1) }
    if pictures == nil || files.count != pictures?.count {
      losses.append(
        LocalizedText("\(name[.english]): not all images could be read", ko: "\(name[.korean]): 일부 사진을 읽지 못함"))
    }
    do {
      if let target {
        try update(
          product, files: files, isWhole: files.count == pictures?.count, target: target, digests: targetDigests,
          name: name)
      } else {
        try create(product, files: files, name: name)
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

  private mutating func create(_ product: Product, files: [PictureFile], name: LocalizedText) throws(ParseError) {
    var pictures = dialect.createsPictures ? files : []
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
    _ product: Product, files: [PictureFile], isWhole: Bool, target: Product, digests: [String]?,
    name: LocalizedText
  ) throws(ParseError) {
    let merge = Reconciliation(
      base: nil, mine: product.values(of: ProductField.writableValues),
      market: target.values(of: ProductField.writableValues), in: ProductField.writableValues, winner: .file)
    var (from, to) = try ProductEdit(setting: merge.writes, limits: limits).changes(of: target)
    let wanted = files.map { SHA256.hex($0.bytes) }
    if isWhole, let digests, digests != wanted, !files.isEmpty {
      if dialect.supports(.replacePictures), dialect.createsPictures {
        to.pictures = files
      } else if dialect.supports(.chooseThumbnail), digests.sorted() == wanted.sorted(),
        let index = digests.firstIndex(of: wanted[0]), let picture = FolderPictures.ordered(target)[index].id
      {
        (from.thumbnailID, to.thumbnailID) = (target.coverPicture?.id, picture)
      } else {
        losses.append(
          LocalizedText(
            "\(name[.english]): its images changed, but \(dialect.name) cannot replace those of product \(target.id)",
            ko: "\(name[.korean]): 사진이 바뀌었지만 \(dialect.name) 버전은 \(target.id)번 상품의 사진을 바꿀 수 없음"))
      }
    }
    if to.isEmpty { same += 1 } else { append(.edit(target, from: from, to: to), from: product) }
  }

  private mutating func append(_ change: Change, from source: Product) {
    var row = Plan.Row(change)
    row.place = .product(source.id)
    row.digest = String(source.id)
    if let draft = row.draft {
      let pictures = draft.pictures.map { SHA256.hex($0.bytes) }
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
