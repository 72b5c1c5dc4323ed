import GRDB
import Images

/// Fills a new market with vendors and, unless it must be empty, about 130 products whose pictures are drawn on demand.
struct SampleMarket: Sendable {
  let seed: UInt64
  let empty: Bool
  /// The currency of all products, or `nil` for that of each vendor.
  var currency: String?
  let now: MarketTime

  private static let koreanTints = ["크림", "먹색", "세이지", "하늘", "모래", "와인"]
  private static let englishTints = ["Cream", "Charcoal", "Sage", "Sky", "Sand", "Burgundy"]
  private static let variantsPerProduct = 3

  func seed(_ database: Database) throws {
    var random = SeededGenerator(seed: seed)
    try insertVendors(database, &random)
    if empty { return }
    let count = SampleCatalog.list.count * SampleMarket.variantsPerProduct
    // The oldest product is eight months old, the newest an hour.
    let step = Int64(240 * 86_400) / Int64(count)
    for number in 0..<count {
      let created = now.adding(seconds: -step * Int64(count - 1 - number) - 3600)
      // The goods alternate, so that neighbours in a list differ.
      let goods = SampleCatalog.list[(number * 5) % SampleCatalog.list.count]
      let round = number / SampleCatalog.list.count
      _ = try product(goods, number: number, round: round, created: created, &random).insert(in: database)
    }
  }

  private func insertVendors(_ database: Database, _ random: inout SeededGenerator) throws {
    let since = now.adding(seconds: -300 * 86_400)
    let demo = SampleVendors.demo
    try VendorRow(
      id: Int64(demo.vendorID), name: demo.name, identifier: demo.identifier, secret: demo.secret, created: since
    ).insert(in: database)
    for entry in SampleVendors.others + [SampleVendors.camp] {
      let identifier = UUIDv1(at: since.adding(seconds: entry.id), random: random.next()).text
      let secret = String(random.next(), radix: 36)
      try VendorRow(id: entry.id, name: entry.name, identifier: identifier, secret: secret, created: since)
        .insert(in: database)
    }
  }

  private func product(
    _ goods: SampleProduct, number: Int, round: Int, created: MarketTime, _ random: inout SeededGenerator
  ) -> NewProduct {
    let vendor = vendor(of: number)
    let isKorean = currency.map { $0 == "KRW" } ?? vendor.isKorean
    let tint = (number * 7 + round) % SampleMarket.koreanTints.count
    let name =
      isKorean
      ? "\(SampleMarket.koreanTints[tint]) \(goods.korean)" : "\(goods.english), \(SampleMarket.englishTints[tint])"
    let factor = 90 + Int64(random.next() % 5) * 5
    let (price, discount) =
      isKorean
      ? won(goods.won * factor / 100 / 100 * 100, &random) : dollars(goods.cents * factor / 100, &random)
    let pictures = (0...Int(random.next() % 3)).map { picture in
      newPicture(goods, at: created.adding(seconds: Int64(picture)), &random)
    }
    return NewProduct(
      vendor: vendor.id, name: name, description: isKorean ? goods.koreanText : goods.englishText, price: price,
      discount: discount, currency: currency ?? (isKorean ? "KRW" : "USD"), stock: stock(&random), created: created,
      issued: created, pictures: pictures)
  }

  /// Returns the vendor of a product.
  ///
  /// Every sixth belongs to the demo vendor.
  private func vendor(of number: Int) -> SampleVendors.Entry {
    if number % 6 == 5 { return SampleVendors.demoEntry }
    return SampleVendors.others[(number + number / 6) % SampleVendors.others.count]
  }

  private func won(_ price: Int64, _ random: inout SeededGenerator) -> (DecimalPrice, DecimalPrice) {
    let discount = random.next() % 3 == 0 ? price / 10 * Int64(1 + random.next() % 3) / 100 * 100 : 0
    return (exact(price, hundredths: false), exact(discount, hundredths: false))
  }

  private func dollars(_ cents: Int64, _ random: inout SeededGenerator) -> (DecimalPrice, DecimalPrice) {
    let price = cents / 100 * 100 + 90
    let discount = random.next() % 3 == 0 ? price / 100 * Int64(1 + random.next() % 3) * 10 : 0
    return (exact(price, hundredths: true), exact(discount, hundredths: true))
  }

  private func exact(_ number: Int64, hundredths: Bool) -> DecimalPrice {
    DecimalPrice("\(number)\(hundredths ? "e-2" : "")") ?? .zero
  }

  /// Returns a stock.
  ///
  /// One in nine products is sold out.
  private func stock(_ random: inout SeededGenerator) -> Int64 {
    random.next() % 9 == 0 ? 0 : Int64(1 + random.next() % 60)
  }

  private func newPicture(_ goods: SampleProduct, at stamp: MarketTime, _ random: inout SeededGenerator) -> NewPicture {
    NewPicture(
      origin: UUIDv1(at: stamp, random: random.next()).hexString,
      thumb: UUIDv1(at: stamp, random: random.next()).hexString,
      fileExtension: ".jpg", content: .drawn(motif: goods.motif, palette: random.next()))
  }
}

/// A kind of product in both languages.
struct SampleProduct: Sendable {
  var motif: String
  var korean: String
  var english: String
  var koreanText: String
  var englishText: String
  /// The price in KRW.
  var won: Int64
  /// The price in US cents.
  var cents: Int64
}

/// All goods of the sample market.
///
/// Their number must not be divisible by 5, the step in which the market takes them.
enum SampleCatalog {
  static let list = DeviceGoods.list + HomeGoods.list + OutdoorGoods.list
}

/// The vendors of the sample market.
///
/// The ids have gaps, as those of the real servers.
enum SampleVendors {
  static let demo = VendorLogin(
    identifier: "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31", secret: "open-the-market", vendorID: 15, name: "구름상점")

  struct Entry: Sendable {
    var id: Int64
    var name: String
    /// Indicates names and descriptions in Korean and prices in KRW; otherwise English and USD.
    var isKorean: Bool
  }

  static let others: [Entry] = [
    Entry(id: 3, name: "한강마켓", isKorean: true),
    Entry(id: 6, name: "Blue Fern Studio", isKorean: false),
    Entry(id: 13, name: "달빛공방", isKorean: true),
    Entry(id: 29, name: "northside", isKorean: false),
    Entry(id: 36, name: "오늘의서재", isKorean: true),
    Entry(id: 50, name: "Harbor & Pine", isKorean: false),
  ]

  static let demoEntry = Entry(id: 15, name: demo.name, isKorean: true)

  /// The owner of products created in the editions of 2021, which have no vendors.
  static let camp = Entry(id: VendorRow.campID, name: "camp", isKorean: true)
}
