import EmbeddedMarket
import Foundation
import Platform
import Synchronization
import TestSupport
import WriteJournal

/// A number of days of a shop: two people with homes of their own, two markets, cron, an agent that plans, buyers, and a
/// network, a disk and a clock that fail.
///
/// With weeks, the timer of the system does what cron does otherwise, and suppliers deliver files: see `Month+Weeks.swift`.
struct Month {
  private enum Act: CaseIterable {
    case stated, computed, importing, exported, folder, plan, script, create, createByFile, undo, resume, forget
  }

  let shop: Shop
  private let days: Int
  private var dice: SplitMix64
  var ledger = Ledger()
  var trace: [String] = []
  private(set) var lines = 0
  /// The weeks of the shop, or `nil` for days without suppliers, reports and a new computer.
  var weeks: Weeks?
  /// The home of the shop's owner, which another one replaces when the work is handed over.
  var owner = "own"
  /// The stock that was typed into the file of a product in the folder and not pushed yet.
  private var typed: [Int64: Int] = [:]
  private var made = 0
  private var pushed = 0
  var sale: (number: Int, ends: Date)?
  private var sales = 0
  /// A Boolean value that indicates that an undo or a dismissal left other discounts than a sale, which a person sees and puts
  /// right.
  private var isSaleUndone = false
  /// A Boolean value that indicates that the sale was ended or dismissed by hand.
  private var isSaleClosed = false

  static let products: [Int64] = [138, 132, 60, 54]
  static let onSale: [Int64] = [42, 6]

  init(_ seed: UInt64, _ shop: Shop, days: Int, hasWeeks: Bool = false) {
    (self.shop, self.days) = (shop, days)
    dice = SplitMix64(seed)
    weeks = hasWeeks ? Weeks() : nil
  }

  /// Lives the days, and settles everything at the end.
  mutating func live() async throws {
    if weeks != nil { try await open() }
    for day in 1...days {
      trace.append("day \(day)")
      if chance(10) {
        shop.clock.set(-86_400 * Double(number(1...40)), in: owner)
        weeks?.moved = shop.clock.date
      } else {
        shop.clock.set(0, in: owner)
      }
      if weeks != nil { try await begin(day: day, of: days) }
      for _ in 0..<number(3...6) {
        try await pass(Double(number(60...7_000)))
        if weeks != nil, chance(35) { try await weeklyAct() } else { try await act() }
        if chance(30) { try buy() }
      }
      try await due()
      try await pass(Double(number(30_000...86_400)))
      if ledger.faults.count > 3 { return }
    }
    try await settle()
  }

  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
  mutating func one<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

  /// Lets time pass; with weeks, the timer runs on the way.
  private mutating func pass(_ seconds: Double) async throws {
    if weeks == nil { shop.clock.advance(seconds) } else { try await passWithTimer(seconds) }
  }

  func rows() throws -> Ledger.Rows {
    try shop.markets.keys.reduce(into: [:]) { $0[$1] = try shop.rows(at: $1) }
  }

  // MARK: Lines

  /// The things that go wrong during one line.
  struct Weather {
    var fates: [Int: Program.Fate] = [:]
    var reads: [Int: Program.Fate] = [:]
    var hasFullDisk = false
    var isKilled = false
    var name = ""
  }

  mutating func weather() -> Weather {
    var weather = Weather()
    guard chance(40) else { return weather }
    let at = number(1...3)
    switch number(1...12) {
    case 1, 2: (weather.fates[at], weather.isKilled) = (.killed(applied: true), true)
    case 3, 4: (weather.fates[at], weather.isKilled) = (.killed(applied: false), true)
    case 5: weather.fates[at] = .lost
    case 6: weather.fates[at] = .landed
    case 7: weather.fates[at] = .status(429, applied: chance(50))
    case 8: weather.fates[at] = .status(503, applied: chance(50))
    case 9: weather.fates[at] = .unsent
    case 10: weather.fates[at] = .interrupted
    case 11: (weather.reads[number(1...6)], weather.isKilled) = (.killed(applied: true), true)
    default: weather.hasFullDisk = true
    }
    weather.name = " with \(weather.fates)\(weather.reads)\(weather.hasFullDisk ? " full disk" : "")"
    return weather
  }

  /// Runs a line, and returns its exit status and whether a request of it was the one that failed.
  mutating func run(
    _ line: String, in home: String, at market: String, _ weather: Weather = Weather()
  ) async throws -> (code: Int32, isRecorded: Bool, said: String) {
    lines += 1
    let before = weeks == nil ? [:] : try rows()
    let hit = Flag()
    let arrived = ArrivedStocks()
    let program = try shop.start(in: home, at: market, hasFullDisk: weather.hasFullDisk) { passage in
      let fate = (passage.isWrite ? weather.fates : weather.reads)[passage.number] ?? .normal
      if passage.isWrite, fate.isApplied { arrived.add(passage) }
      if case .normal = fate { return fate }
      if passage.isWrite { hit.set() }
      return fate
    }
    let ended: Program.Ended
    if line.hasPrefix("-f ") {
      ended = try await shop.run(script: String(line.dropFirst(3)), in: program)
    } else {
      ended = try await shop.run(line, in: program)
    }
    if weeks != nil { note(line, in: home, ended.code, before, try rows()) }
    // What was typed into the folder is pushed when it arrives, whatever the market shows afterwards.
    if home == owner, market == "shop" {
      typed = typed.filter { !arrived.contains(stock: $0.value, of: $0.key) }
    }
    let last = ended.said.split(separator: "\n").suffix(4).joined(separator: " / ")
    trace.append("\(home)@\(market)> \(line)\(weather.name) -> \(ended.code): \(last)")
    return (ended.code, hit.isSet && weather.isKilled, ended.said)
  }

  private mutating func act() async throws {
    let (home, market) = (chance(75) ? owner : "colleague", chance(85) ? "shop" : "outlet")
    let count = number(1...3)
    let ids = Array(Month.products.shuffled(using: &dice).prefix(count))
    // What two people want is never equal: nobody can see who of them made it.
    let value = number(1...9) * 10 + (home == owner ? 0 : 5)
    let list = ids.map(String.init).joined(separator: ",")
    let wanted = Dictionary(uniqueKeysWithValues: ids.map { (place($0, market), Ledger.Effect.set(value)) })
    switch one(Act.allCases) {
    case .stated: try await enter("patch \(list) stock=\(value) jobs 1 yes", wanted, home, market)
    case .computed:
      let added = Dictionary(uniqueKeysWithValues: ids.map { (place($0, market), Ledger.Effect.add(2)) })
      try await enter("patch \(list) stock+=2 jobs 1 yes", added, home, market, repeats: true)
    case .importing:
      try shop.write("week.csv", "id,stock\n" + ids.map { "\($0),\(value)\n" }.joined())
      try await enter("import ~/week.csv jobs 1 yes", wanted, home, market)
    case .exported:
      let condition = ids.map { "id=\($0)" }.joined(separator: " or ")
      let weather = weather()
      let before = try rows()
      let export = try await run(
        "export where \(condition) columns stock to ~/q.csv replace", in: home, at: market, weather)
      ledger.enter(
        "export", in: home, code: 0, wanted: [:], isRecorded: false, isHeld: false, at: shop.clock.date(in: home),
        before,
        try rows())
      guard export.code == 0 else { return }
      try shop.write(
        "q.csv",
        try shop.text("q.csv").replacing(/(?m)^(\d+),\d+/.anchorsMatchLineEndings()) { "\($0.output.1),\(value)" })
      try await enter("import ~/q.csv jobs 1 yes", wanted, home, market)
    case .folder: try await folder(ids)
    case .plan:
      // What has the value when it is planned is no part of the plan.
      let shown = try rows()
      let planned = wanted.filter { Ledger.value($0.key, shown) != value }
      guard
        try await run("plan patch \(list) stock=\(value) to ~/agent.plan replace", in: "agent", at: market).code == 0
      else { return }
      let isBought = chance(20)
      if isBought { try buy() }
      // A product that has changed since is left out.
      try await enter("apply ~/agent.plan jobs 1 yes", planned, home, market, isWhole: !isBought)
    case .script:
      let added = ids.map { "patch \($0) stock+=2 yes\n" }.joined()
      try shop.write("daily.market", added)
      try await enter(
        "-f daily.market", Dictionary(uniqueKeysWithValues: ids.map { (place($0, market), .add(2)) }), home, market,
        repeats: true)
      try await settleRuns(home, market)
    case .create:
      made += 1
      let name = "Made \(made)"
      try await create(
        "new name=\"\(name)\" description=\"something to be sold\" price=1000 currency=KRW stock=3 images=~/cup.png yes",
        name, home, market)
    case .createByFile:
      made += 1
      let name = "Made \(made)"
      try shop.write(
        "new\(made).csv",
        "name,description,price,currency,stock,images\n\(name),something to be sold,1000,KRW,3,cup.png\n")
      try await create("import ~/new\(made).csv yes", name, home, market)
      if chance(50) { try await create("import ~/new\(made).csv yes", name, home, market) }
    case .undo:
      let weather = weather()
      let before = try rows()
      let ended = try await run("undo yes", in: home, at: market, weather)
      let after = try rows()
      ledger.enterUndo(in: home, code: ended.code, before, after)
      noticeSale(before, after)
    case .resume: try await resume(home, market, weather())
    case .forget: try await settleRuns(home, market)
    }
  }

  func place(_ id: Int64, _ market: String, _ field: Ledger.Field = .stock) -> Ledger.Place {
    Ledger.Place(market: market, product: id, field: field)
  }

  /// Runs a line and enters it; one that was killed is perhaps repeated by cron, and has to be held back if it computes.
  mutating func enter(
    _ line: String, _ wanted: [Ledger.Place: Ledger.Effect], _ home: String, _ market: String, repeats: Bool = false,
    isWhole: Bool = true
  ) async throws {
    let weather = weather()
    let before = try rows()
    let ended = try await run(line, in: home, at: market, weather)
    let after = try rows()
    // Another home's plan, an import with a conflict and a held line may leave out anything, and say so with their status.
    // A script that is stopped by a held line has made the lines before.
    // On a full disk a change may be planned that can't be sent, which is said.
    let isPending = line.hasPrefix("-f") || weather.hasFullDisk || leavesPending(ended.said)
    let code = isPending && ended.code == 4 ? 7 : ended.code
    // A cell that is named as a conflict is no part of the plan, so that `resume` doesn't make it either.
    let skipped = Month.conflicts(ended.said)
    let planned = wanted.filter { !skipped.contains($0.key.product) }
    ledger.enter(
      line, in: home, code: code, wanted: planned, isRecorded: ended.isRecorded && isWhole && !line.hasPrefix("-f"),
      isHeld: false, at: shop.clock.date(in: home), before, after)
    guard repeats, ended.isRecorded, chance(50) else { return }
    let again = try await run(line, in: home, at: market)
    ledger.enter(
      line + ", again", in: home, code: again.code, wanted: wanted, isRecorded: false, isHeld: true,
      at: shop.clock.date(in: home),
      after, try rows())
  }

  /// Returns whether a line says that its change stays pending: another one's unknown outcome blocks it, or the disk is full.
  func leavesPending(_ said: String) -> Bool { said.contains("The change stays pending") }

  /// Returns the products whose stock an import names as a conflict.
  private static func conflicts(_ said: String) -> Set<Int64> {
    Set(said.matches(of: /product (\d+), stock: exported/).compactMap { Int64($0.output.1) })
  }

  private mutating func create(_ line: String, _ name: String, _ home: String, _ market: String) async throws {
    let weather = weather()
    let before = try rows()
    let ended = try await run(line, in: home, at: market, weather)
    ledger.enterCreate(line, name, at: market, code: ended.code, before, try rows())
  }

  /// Pulls a folder, types a stock into the files of products, and pushes it.
  ///
  /// A file whose stock is that of the last pull is no edit, so no value is typed a second time.
  private mutating func folder(_ ids: [Int64]) async throws {
    pushed += 1
    let value = 100 + pushed
    let before = try rows()
    let list = Month.products.map(String.init).joined(separator: ",")
    let pull = try await run("pull ~/folder \(list)", in: owner, at: "shop", weather())
    ledger.enter(
      "pull", in: owner, code: 0, wanted: [:], isRecorded: false, isHeld: false, at: shop.clock.date(in: owner), before,
      try rows()
    )
    guard pull.code == 0 || pull.code == 7 else { return }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: shop.folder + "/folder/products")) ?? []
    for id in ids {
      guard let name = names.first(where: { $0.hasPrefix("000\(String(id).count < 3 ? "0" : "")\(id)") }) else {
        continue
      }
      let text = try shop.text("folder/products/" + name)
      try shop.write(
        "folder/products/" + name,
        text.replacing(/(?m)^stock = \d+/.anchorsMatchLineEndings(), with: "stock = \(value)"))
      typed[id] = value
    }
    let wanted = Dictionary(uniqueKeysWithValues: typed.map { (place($0.key, "shop"), Ledger.Effect.set($0.value)) })
    let weather = weather()
    let old = try rows()
    let push = try await run("push ~/folder jobs 1 yes", in: owner, at: "shop", weather)
    let new = try rows()
    ledger.enter(
      "push", in: owner, code: leavesPending(push.said) && push.code == 4 ? 7 : push.code, wanted: wanted,
      isRecorded: false, isHeld: false, at: shop.clock.date(in: owner), old,
      new)
    if push.code == 0 { typed = [:] }
  }

  mutating func resume(_ home: String, _ market: String, _ weather: Weather = Weather()) async throws {
    let before = try rows()
    let ended = try await run("resume yes", in: home, at: market, weather)
    let after = try rows()
    // It may finish the start or the end of the sale.
    let discounts = Month.onSale.map { place($0, "shop", .discount) }.filter { discount in
      let now = Ledger.value(discount, after) ?? 0
      let price = Ledger.value(place(discount.product, "shop", .price), after) ?? 0
      return home == owner && market == "shop" && (now == 0 || abs(now - price / 10) <= 10)
    }
    noticeSale(before, after, isResumed: true)
    ledger.enterResume(
      in: home, at: market, code: ended.code, alsoAllowing: Set(discounts), at: shop.clock.date(in: home), before, after
    )
  }

  /// Gives up what is interrupted, as a person does who begins anew.
  mutating func settleRuns(_ home: String, _ market: String) async throws {
    try await resume(home, market)
    for run in try unsettled(home, market) {
      let before = try rows()
      _ = try await self.run("forget \(run) yes", in: home, at: market)
      ledger.enterForget(in: home, at: market, before, try rows())
    }
  }

  private func unsettled(_ home: String, _ market: String) throws -> [String] {
    guard Journal.exists(in: shop.home(home).journalFolder) else { return [] }
    return try Journal(at: shop.home(home).journalFolder).unsettledRuns(shop.binding(market)).map(\.name)
  }

  private mutating func buy() throws {
    let id = one(Month.products)
    guard let row = try shop.rows()[id], row.stock > 1 else { return }
    try shop.set(stock: row.stock - 1, of: id)
    ledger.enterForeign(place(id, "shop"))
    trace.append("a buyer took one of \(id)")
  }

  // MARK: Sales

  /// Schedules a sale if there is none, and applies what is due, as cron does.
  private mutating func due() async throws {
    try await restoreDiscounts()
    if sale == nil, chance(60) {
      let ends = shop.clock.date + Double(number(1...3)) * 86_400
      let list = Month.onSale.map(String.init).joined(separator: ",")
      let day = ends.formatted(.iso8601.year().month().day())
      let ended = try await run("sale \(list) 10% from today to \(day) round 10 yes", in: owner, at: "shop")
      if ended.code == 0, !ended.said.contains("No sale was saved") {
        sales += 1
        sale = (sales, ends + 86_400)
        isSaleClosed = false
      }
    }
    try await applyDue(weather())
    if let sale, chance(10) {
      let before = try rows()
      let word = chance(50) ? "end" : "dismiss"
      let ended = try await run("sale \(word) \(sale.number) yes", in: owner, at: "shop")
      enterSale("sale \(word)", ended.code, before, try rows())
      if ended.code == 0 { isSaleClosed = true }
      // A dismissed end leaves the discounts, which is said, and the user takes them away by hand.
      if ended.said.contains("Dismissed the end") { isSaleUndone = true }
    }
  }

  /// Notices that an undo changed a discount.
  mutating func noticeSale(_ before: Ledger.Rows, _ after: Ledger.Rows, isResumed: Bool = false) {
    let isChanged = Month.onSale.contains { id in
      let discount = place(id, "shop", .discount)
      return Ledger.value(discount, before) != Ledger.value(discount, after)
    }
    // What `resume` changes may also be the start or the end of the sale itself.
    if isChanged, !isResumed || ledger.isUndoing(owner) { isSaleUndone = true }
  }

  /// Takes away the discounts that an undo brought back, as a person does who sees them.
  private mutating func restoreDiscounts() async throws {
    guard isSaleUndone, sale == nil else { return }
    let before = try rows()
    let list = Month.onSale.map(String.init).joined(separator: ",")
    let ended = try await run("patch \(list) discount=0 yes", in: owner, at: "shop")
    enterSale("patch", ended.code, before, try rows())
    if ended.code == 0 { isSaleUndone = false }
  }

  private mutating func applyDue(_ weather: Weather = Weather()) async throws {
    guard weeks == nil else { return try await runTimer(weather) }
    let before = try rows()
    let ended = try await run("due apply jobs 1 yes", in: owner, at: "shop", weather)
    enterSale("due apply", ended.code, before, try rows())
    if ended.code == 0 { try endSale("due apply") }
  }

  /// Notices that nothing is due any more after the end of the sale, when no product may have its discount.
  mutating func endSale(_ line: String) throws {
    guard let sale, shop.clock.date(in: owner) > sale.ends else { return }
    self.sale = nil
    for id in Month.onSale where try !isSaleUndone && shop.rows()[id]?.discount != 0 {
      ledger.blame("\(line) ended with 0 after the end of the sale, and \(id) has a discount")
    }
  }

  /// Returns whether nothing of the sale can be left to do: it was closed by hand or its end has passed, and no product has
  /// its discount.
  func mayBeOver() throws -> Bool {
    guard let sale else { return false }
    // A sale ends with its last day, in UTC.
    let end = (sale.ends.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
    guard isSaleClosed || shop.clock.date(in: owner).timeIntervalSince1970 >= end else { return false }
    let rows = try shop.rows()
    return isSaleUndone || Month.onSale.allSatisfy { rows[$0]?.discount == 0 }
  }

  /// Goes on with the numbers that another home gives its sales, the last of which is that of the current sale.
  mutating func renumberSales(_ number: Int?) {
    sales = number ?? 0
    if let number { sale?.number = number }
  }

  /// Enters changes of discounts: to that of the sale, or back to none.
  mutating func enterSale(_ line: String, _ code: Int32, _ before: Ledger.Rows, _ after: Ledger.Rows) {
    var wanted: [Ledger.Place: Ledger.Effect] = [:]
    for id in Month.onSale {
      let discount = place(id, "shop", .discount)
      guard let old = Ledger.value(discount, before), let new = Ledger.value(discount, after), old != new else {
        continue
      }
      let price = Ledger.value(place(id, "shop", .price), before) ?? 0
      if new != 0, abs(new - price / 10) > 10 { ledger.blame("\(line) set the discount of \(id) to \(new)") }
      wanted[discount] = .set(new)
    }
    ledger.enter(
      line, in: owner, code: code == 4 ? 7 : code, wanted: wanted, isRecorded: false, isHeld: false,
      at: shop.clock.date(in: owner),
      before, after)
  }

  // MARK: The end

  /// Nothing fails any more: everything is resumed, ended or given up, and the log is compared with the effects.
  private mutating func settle() async throws {
    shop.clock.set(0, in: owner)
    trace.append("settling")
    let homes = Set(["colleague", "own", owner]).sorted()
    for market in shop.markets.keys.sorted() {
      for home in homes {
        try await resume(home, market)
        try await settleRuns(home, market)
        _ = try await run("resume forget yes", in: home, at: market)
      }
    }
    shop.clock.advance(10 * 86_400)
    for _ in 1...3 { try await applyDue() }
    sale = nil
    try await restoreDiscounts()
    for id in Month.onSale where try shop.rows()[id]?.discount != 0 { ledger.blame("\(id) keeps a discount") }
    for fault in try await shop.logFaults(homes) { ledger.blame(fault) }
    if weeks != nil { try await closeWeeks() }
  }
}

/// A Boolean value that is set once.
private final class Flag: Sendable {
  private let value = Atomic(false)
  func set() { value.store(true, ordering: .relaxed) }
  var isSet: Bool { value.load(ordering: .relaxed) }
}

/// The stocks that the requests of a line set.
private final class ArrivedStocks: Sendable {
  private struct Body: Decodable { var stock: Int? }

  private let stocks = Mutex<[String: Set<Int>]>([:])

  func add(_ passage: Program.Passage) {
    guard let stock = try? JSONDecoder().decode(Body.self, from: passage.body).stock else { return }
    let product = passage.target.split(separator: "/").last.map(String.init) ?? ""
    stocks.withLock { _ = $0[product, default: []].insert(stock) }
  }

  func contains(stock: Int, of product: Int64) -> Bool {
    stocks.withLock { $0["\(product)"]?.contains(stock) == true }
  }
}
