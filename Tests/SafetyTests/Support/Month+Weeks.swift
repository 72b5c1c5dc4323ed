import EmbeddedMarket
import Foundation
import MarketOperations

/// The weeks of a shop: suppliers whose files come as they are, lines that the timer runs, reports, and a new computer.
struct Weeks {
  /// A supplier, the headings of its file, and the line that reads it.
  struct Supplier {
    var name: String
    /// The products that it delivers.
    var products: [Int64]
    /// The heading of the column of stock, and the one that it has instead in some weeks.
    var headings: (usual: String, other: String)
    /// The heading that its recipe knows.
    var known = ""
    var delivery = Delivery()

    var file: String { "~/\(name).csv" }
  }

  /// A file of a supplier.
  struct Delivery {
    var heading = ""
    var wanted: [Ledger.Place: Ledger.Effect] = [:]
    /// A Boolean value that indicates a row that is named and not imported, so that the import ends with 7.
    var hasRepeatedRow = false
  }

  /// A change of a field that was seen between the beginning and the end of a line.
  struct Seen {
    /// The lines that may have made it: one of the timer alone, of a person, or of an interrupted run of either.
    enum Maker { case timer, person, either }

    var home: String
    var maker: Maker
    var place: Ledger.Place
    var difference: Int
    /// The time of the home's clock.
    var time: Date
    /// The time.
    var date: Date
    /// A Boolean value that indicates that the line did not end with 0, so that the log may learn of the change later.
    var isOpen: Bool
    /// A Boolean value that indicates that the home's clock was set back, so that a report knows the time by the writes before
    /// and after it alone.
    var isSetBack: Bool { time < date - 60 }
    /// The time by which a report has the change.
    var reported: Date { isSetBack ? date : time }
  }

  /// The product whose stock one recurring line adds 1 to each day, which nothing else does.
  static let counted: Int64 = 36
  /// The product that only buyers change.
  static let sold: Int64 = 24
  /// A cost and the price that `cost*1.3 round 100` is, computed by hand.
  static let prices = [(15_050, 19_600), (12_000, 15_600), (9_990, 13_000), (20_040, 26_100)]

  var suppliers = [
    Supplier(name: "seoul", products: [138, 132, 60], headings: ("수량", "재고 수량")),
    Supplier(name: "hanbit", products: [54, 30], headings: ("재고", "현재고")),
  ]
  var names: [Int64: String] = [:]
  var seen: [Seen] = []
  /// The values of prices and discounts from a time on.
  var values: [Ledger.Place: [(date: Date, value: Int)]] = [:]
  var purchases: [Date] = []
  /// The days of the daily line on which it has had its effect, on which an effect is missing, and whose end was reported.
  var counted: Set<String> = []
  var missing: Set<String> = []
  var reported: Set<String> = []
  var undone = 0
  /// The last time at which the clock of the owner was moved.
  var moved = Date.distantPast
  /// The time of the new computer.
  var handedOver: Date?
  var reports = 0
  /// The number of fields of reports that were compared with what was seen.
  var compared = 0
  var imports = 0
}

extension Month {
  /// The kinds of acts that a shop with weeks has besides.
  private enum WeeklyAct: CaseIterable { case again, answer, report, reportOfColleague, look }

  /// Prepares the first day: the suppliers' recipes are stated once, and the timer gets its lines.
  mutating func open() async throws {
    let rows = try shop.rows()
    weeks?.names = rows.mapValues(\.name)
    for (id, row) in rows {
      for field in [Ledger.Field.price, .discount] {
        let place = place(id, "shop", field)
        weeks?.values[place] = [(.distantPast, field == .price ? row.price : row.discount)]
      }
    }
    for index in 0...1 {
      try deliver(index, isUsual: true)
      try await answer(index, Weather())
    }
    for line in [
      "every monday 6:00 import ~/seoul.csv with seoul outliers jobs 1",
      "every day 6:00 import ~/hanbit.csv with hanbit outliers jobs 1",
      "every day 7:00 patch \(Weeks.counted) stock+=1", "report save books week columns id,name,stock,sale",
      "alias low = ls mine where stock<5",
    ] {
      let ended = try await run(line, in: owner, at: "shop")
      if ended.code != 0 { ledger.blame("\(line) ended with \(ended.code): \(ended.said)") }
    }
    for home in [owner, "colleague"] { _ = try await run("snapshot", in: home, at: "shop") }
  }

  /// Begins a day: files of suppliers, a report at the end of the week, a new computer in the middle of the month.
  mutating func begin(day: Int, of days: Int) async throws {
    if day % 3 == 0 || chance(20) { try deliver(0) }
    if chance(70) { try deliver(1) }
    if day == (days + 1) / 2 { try await handOver() }
    if day % 7 == 0 || day == days {
      try await settleRuns(owner, "shop")
      try await report(of: owner)
    }
  }

  mutating func weeklyAct() async throws {
    switch one(WeeklyAct.allCases) {
    case .again:
      // The file of the week once more, by hand.
      let index = number(0...1)
      if weeks?.suppliers[index].known == weeks?.suppliers[index].delivery.heading { try await importFile(index) }
    case .answer:
      for index in 0...1 where weeks?.suppliers[index].known != weeks?.suppliers[index].delivery.heading {
        try await importFile(index)
        try await answer(index, weather())
      }
    case .report:
      try await settleRuns(owner, "shop")
      try await report(of: owner)
    case .reportOfColleague:
      try await settleRuns("colleague", "shop")
      try await report(of: "colleague")
    case .look:
      let before = try rows()
      for line in ["dry timer run", "timer log", "status", "due", "every"] {
        _ = try await run(line, in: owner, at: "shop")
      }
      ledger.enter(
        "a look", in: owner, code: 0, wanted: [:], isRecorded: false, isHeld: false, at: shop.clock.date(in: owner),
        before, try rows())
    }
  }

  // MARK: Suppliers

  /// Writes a file as the supplier makes it: titles, a heading that changes, `₩` and commas, marks, a total.
  private mutating func deliver(_ index: Int, isUsual: Bool = false) throws {
    guard let supplier = weeks?.suppliers[index] else { return }
    var delivery = Weeks.Delivery()
    delivery.heading = isUsual || !chance(15) ? supplier.headings.usual : supplier.headings.other
    let separator = one([",", ";", "\t"])
    func row(_ cells: [String]) -> String {
      cells.map { $0.contains(separator) ? "\"\($0)\"" : $0 }.joined(separator: separator) + "\r\n"
    }
    var text = chance(50) ? "\u{FEFF}" : ""
    for _ in 0..<number(0...2) { text += row(["단가표 (VAT 별도)", "", "", ""]) }
    text += row(index == 0 ? ["품번", "품명", "공급가", delivery.heading] : ["품번", "제품명", "소비자가", delivery.heading])
    var total = 0
    let listed = supplier.products.filter { _ in isUsual || chance(85) }
    for (line, id) in listed.enumerated() {
      let stock = number(200...2_500)
      let price = one(Weeks.prices)
      let shown = index == 0 ? price.0 : price.1
      total += shown
      let isMarked = index == 0 && chance(20)
      let isSoldOut = !isMarked && chance(10)
      let amount = Month.grouped(shown)
      var cells = ["S-\(line + 1)", weeks?.names[id] ?? "", one(["₩" + amount, amount + "원", "\(shown)"])]
      cells.append(isMarked ? "-" : isSoldOut ? "품절" : one([Month.grouped(stock), "\(stock)"]))
      text += row(cells)
      delivery.wanted[place(id, "shop", .price)] = .set(price.1)
      if !isMarked { delivery.wanted[place(id, "shop")] = .set(isSoldOut ? 0 : stock) }
      if !isUsual, chance(8) {
        text += row(cells)
        delivery.hasRepeatedRow = true
        for field in [Ledger.Field.price, .stock] { delivery.wanted[place(id, "shop", field)] = nil }
      }
    }
    // The recipe of the second one says that what isn't listed is sold out.
    if index == 1 {
      for id in supplier.products where !listed.contains(id) { delivery.wanted[place(id, "shop")] = .set(0) }
    }
    if chance(50) { text += row(["S-9", "공급처만 파는 물건", "₩1,000", "7"]) }
    text += row([one(["합계", "총 계"]), "", "₩" + Month.grouped(total), ""])
    try shop.write(supplier.name + ".csv", text)
    weeks?.suppliers[index].delivery = delivery
    trace.append("\(supplier.name) delivers \(delivery.heading): \(delivery.wanted.count) values")
  }

  private static func grouped(_ number: Int) -> String {
    number < 1_000 ? "\(number)" : "\(number / 1_000)," + "\(number % 1_000 + 1_000)".dropFirst()
  }

  /// Types the line that says what the columns are.
  private mutating func answer(_ index: Int, _ weather: Weather) async throws {
    guard let supplier = weeks?.suppliers[index] else { return }
    let heading = supplier.delivery.heading
    let names = supplier.products.map { "name=\"\(weeks?.names[$0] ?? "")\"" }.joined(separator: " or ")
    let clauses =
      index == 0
      ? "columns '품명=name,공급가=cost,\(heading)=stock' price='cost*1.3 round 100'"
      : "columns '제품명=name,소비자가=price,\(heading)=stock' of '\(names)' missing stock=0"
    try await importFile(
      index, " \(clauses) key name cells '-=keep,품절=0' skip '합계,총계' unknown skip", weather)
  }

  /// Imports a file by hand, and enters what it has to make.
  private mutating func importFile(_ index: Int, _ clauses: String = "", _ given: Weather? = nil) async throws {
    guard let supplier = weeks?.suppliers[index] else { return }
    let line = "import \(supplier.file) with \(supplier.name)\(clauses) outliers jobs 1 yes"
    let isKnown = supplier.known == supplier.delivery.heading || !clauses.isEmpty
    let weather = given ?? weather()
    let before = try rows()
    let ended = try await run(line, in: owner, at: "shop", weather)
    let after = try rows()
    if !isKnown, ended.code == 0 { ledger.blame("\(line) ended with 0 after the heading changed") }
    if ended.said.contains(" recipe \(supplier.name). Files with these headings") {
      weeks?.suppliers[index].known = supplier.delivery.heading
    }
    weeks?.imports += 1
    let isPending = weather.hasFullDisk || leavesPending(ended.said)
    let isAsSaid = ended.code == 7 && supplier.delivery.hasRepeatedRow && weather.name.isEmpty
    ledger.enter(
      line, in: owner, code: isAsSaid ? 0 : isPending && ended.code == 4 ? 7 : ended.code,
      wanted: isKnown ? supplier.delivery.wanted : [:], isRecorded: false, isHeld: false,
      at: shop.clock.date(in: owner), before, after)
  }

  // MARK: The timer

  /// Lets time pass, on the way of which the timer runs after each time at which a line is due, unless the machine is off.
  mutating func passWithTimer(_ seconds: Double) async throws {
    let end = shop.clock.date + seconds
    let isOff = chance(10)
    while let next = nextMorning(before: end) {
      shop.clock.advance(next.timeIntervalSince(shop.clock.date) + Double(number(0...299)))
      if isOff { continue }
      try await runTimer(weather())
      while chance(40) {
        shop.clock.advance(300)
        try await runTimer(weather())
      }
    }
    let rest = end.timeIntervalSince(shop.clock.date)
    if rest > 0 { shop.clock.advance(rest) }
    if chance(50), let id = weeks.map({ _ in Weeks.sold }), let row = try shop.rows()[id], row.stock > 1 {
      try shop.set(stock: row.stock - 1, of: id)
      weeks?.purchases.append(shop.clock.date)
    }
  }

  /// Returns the first time after now and before a time at which a line is due by the right clock.
  private func nextMorning(before end: Date) -> Date? {
    let now = shop.clock.date
    return [6, 7].compactMap {
      Calendar.current.nextDate(
        after: now, matching: DateComponents(hour: $0, minute: 0, second: 0), matchingPolicy: .nextTime)
    }.filter { $0 < end }.min()
  }

  /// Returns the day of the last time at which the daily line was due by the owner's clock.
  private func countedDay() -> String {
    let date = shop.clock.date(in: owner) - 7 * 3_600
    let parts = Calendar.current.dateComponents([.year, .month, .day], from: date)
    return "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0)"
  }

  /// Runs what the installed timer runs, and enters what its lines have to make.
  mutating func runTimer(_ weather: Weather = Weather()) async throws {
    guard let weeks else { return }
    let before = try rows()
    let ended = try await run("timer run", in: owner, at: "shop", weather)
    let after = try rows()
    let said = ended.said
    if said.contains("Another run of the timer") { ledger.blame("timer run: a run that was killed has the lock") }
    let last = try TimerRecord(shop.home(owner)).entries().last
    // A run that was killed has no end, and a line of it that is continued is that of an earlier file.
    let parts = ended.code < 0 ? [] : last?.parts ?? []
    let isContinued = said.contains("is continued") || said.contains("has the same key") || weather.hasFullDisk
    var lines: [Ledger.TimerLine] = []
    for (index, supplier) in weeks.suppliers.enumerated() {
      guard let part = parts.first(where: { $0.line == index + 1 }) ?? (ended.code < 0 ? .init(status: -9) : nil) else {
        continue
      }
      let isAsSaid = part.status == 7 && supplier.delivery.hasRepeatedRow && weather.name.isEmpty
      lines.append(
        Ledger.TimerLine(
          line: "import \(supplier.file)", code: isContinued ? nil : isAsSaid ? 0 : part.status,
          wanted: supplier.known == supplier.delivery.heading ? supplier.delivery.wanted : [:]))
      self.weeks?.imports += 1
    }
    let daily = parts.first { $0.line == 3 }
    let place = place(Weeks.counted, "shop")
    if daily != nil || ended.code < 0 {
      lines.append(Ledger.TimerLine(line: "the daily line", code: nil, wanted: [place: .add(1)]))
    }
    let difference = (Ledger.value(place, after) ?? 0) - (Ledger.value(place, before) ?? 0)
    count(difference, "timer run", isRun: daily != nil || ended.code < 0, isEnded: daily?.status == 0)
    let discounts = discounts(before, after)
    ledger.enterTimer(
      in: owner, code: ended.code, lines, alsoAllowing: Set(discounts), at: shop.clock.date(in: owner), before, after)
    let sales = parts.first { $0.line == nil }
    if ended.code >= 0, sales?.status ?? 0 == 0 { try endSale("timer run") }
  }

  /// Counts an effect of the daily line, which has one for each day.
  private mutating func count(_ difference: Int, _ line: String, isRun: Bool, isEnded: Bool) {
    let day = countedDay()
    if difference == 1, isRun {
      if weeks?.counted.insert(day).inserted == false { ledger.blame("\(line): the daily line of \(day) again") }
      weeks?.missing.remove(day)
    } else if difference != 0 {
      ledger.blame("\(line): the daily line added \(difference)")
    } else if isRun, weeks?.counted.contains(day) == false {
      weeks?.missing.insert(day)
    }
    if isEnded { weeks?.reported.insert(day) }
  }

  /// Returns the discounts of products on sale that changed, which are that of the sale or none.
  private mutating func discounts(_ before: Ledger.Rows, _ after: Ledger.Rows) -> [Ledger.Place] {
    Month.onSale.map { place($0, "shop", .discount) }.filter { discount in
      guard let old = Ledger.value(discount, before), let new = Ledger.value(discount, after), old != new else {
        return false
      }
      let price = Ledger.value(place(discount.product, "shop", .price), before) ?? 0
      if new != 0, abs(new - price / 10) > 10 { ledger.blame("timer run set the discount of \(discount) to \(new)") }
      return true
    }
  }

  // MARK: What is seen

  /// Notes what changed in the shop between the beginning and the end of a line.
  mutating func note(_ line: String, in home: String, _ code: Int32, _ before: Ledger.Rows, _ after: Ledger.Rows) {
    let maker: Weeks.Seen.Maker =
      line == "timer run" ? .timer : line.hasPrefix("resume") || line.hasPrefix("undo") ? .either : .person
    for (id, row) in before["shop"] ?? [:] where after["shop"]?[id] != nil && after["shop"]?[id] != row {
      for field in Ledger.Field.allCases {
        let place = place(id, "shop", field)
        guard let old = Ledger.value(place, before), let new = Ledger.value(place, after), old != new else { continue }
        weeks?.seen.append(
          Weeks.Seen(
            home: home, maker: maker, place: place, difference: new - old, time: shop.clock.date(in: home),
            date: shop.clock.date, isOpen: code != 0))
        if field != .stock { weeks?.values[place, default: []].append((shop.clock.date, new)) }
        guard id == Weeks.counted, field == .stock, maker == .either else { continue }
        noteCounted(new - old, line)
      }
    }
  }

  /// Notes that a person's line finished or undid an effect of the daily line.
  private mutating func noteCounted(_ difference: Int, _ line: String) {
    if difference == -1 {
      weeks?.undone += 1
    } else if difference == 1, let day = weeks?.missing.max() {
      weeks?.missing.remove(day)
      weeks?.counted.insert(day)
    } else {
      ledger.blame("\(line): changed the stock of \(Weeks.counted) by \(difference)")
    }
  }

  // MARK: A new computer

  /// Hands the owner's work over to another home, in which it goes on.
  private mutating func handOver() async throws {
    guard owner == "own" else { return }
    for market in shop.markets.keys.sorted() {
      for home in [owner, "colleague"] { try await settleRuns(home, market) }
    }
    let before = try rows()
    var ended = try await run("handover ~/shop.handover replace yes", in: owner, at: "shop", weather())
    if ended.code != 0 { ended = try await run("handover ~/shop.handover replace yes", in: owner, at: "shop") }
    guard ended.code == 0 else { return ledger.blame("handover ended with \(ended.code): \(ended.said)") }
    let kinds = "aliases,recipes,reports,every,sales,log"
    var taken = try await run("handover open ~/shop.handover take \(kinds)", in: "laptop", at: "shop", weather())
    // What a full disk left out is taken by the second one, and nothing twice.
    let again = try await run("handover open ~/shop.handover take \(kinds)", in: "laptop", at: "shop")
    if taken.code == 0, !again.said.contains("There is nothing to take") {
      ledger.blame("handover open took something twice: \(again.said)")
    }
    if taken.code != 0 { taken.said += again.said }
    if again.code != 0 { ledger.blame("handover open ended with \(again.code): \(again.said)") }
    for number in 1...3 { _ = try await run("every rm \(number)", in: owner, at: "shop") }
    for line in ["recipe as json", "report ls as json", "alias as json"] {
      let (old, new) = (
        try await run(line, in: owner, at: "shop").said, try await run(line, in: "laptop", at: "shop").said
      )
      if old != new { ledger.blame("\(line) is another one in the new home: \(old) / \(new)") }
    }
    for fault in try await shop.logFaults(["colleague", "laptop"]) { ledger.blame("handed over: \(fault)") }
    let number = taken.said.firstMatch(of: /In this home: ([0-9]+)/).flatMap { Int($0.output.1) }
    if sale != nil, number == nil, try !mayBeOver() { ledger.blame("the sale was not taken: \(taken.said)") }
    renumberSales(number)
    ledger.handOver(from: owner, to: "laptop")
    ledger.enter(
      "handover", in: owner, code: 0, wanted: [:], isRecorded: false, isHeld: false, at: shop.clock.date(in: owner),
      before, try rows())
    owner = "laptop"
    weeks?.handedOver = shop.clock.date
    weeks?.moved = shop.clock.date
    weeks?.missing = []
  }

  // MARK: Reports

  /// Compares the report of a week with what was seen and with what the market has.
  private mutating func report(of home: String) async throws {
    guard let weeks, shop.clock.date == shop.clock.date(in: home) else { return }
    let ended = try await run("report week as json", in: home, at: "shop")
    self.weeks?.reports += 1
    let line = ended.said.split(separator: "\n").first { $0.hasPrefix("[") } ?? "[]"
    guard ended.code == 0,
      let rows = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]], !rows.isEmpty
    else { return ledger.blame("report week of \(home) ended with \(ended.code): \(ended.said.suffix(300))") }
    let report = WeeklyReport(rows)
    let stored = try shop.rows()
    let homes: Set = home == owner ? ["own", home] : [home]
    let start = shop.clock.date - 7 * 86_400
    var places = Set(report.changes.keys)
    places.formUnion(weeks.seen.filter { homes.contains($0.home) && $0.reported >= start }.map(\.place))
    self.weeks?.compared += places.count
    for place in places {
      let seen = weeks.seen.filter { seen in
        seen.place == place && (seen.home == home || homes.contains(seen.home) && seen.date <= weeks.handedOver ?? .now)
      }
      // What was open may have ended within the span, or by a clock that was wrong, or was given up.
      let isSure = { (seen: Weeks.Seen) in
        (!seen.isOpen || seen.reported >= start && seen.date > weeks.moved && !report.unknown.contains(place.product))
          && (!seen.isSetBack || seen.date >= start)
      }
      let inTime = seen.filter { $0.reported >= start && isSure($0) }.map(\.difference)
      let perhaps = seen.filter { !isSure($0) }.map(\.difference)
      let changes = report.changes[place] ?? []
      let stated = changes.filter(\.isDone).map(\.difference)
      let open = changes.filter(\.isUnknown).map(\.difference)
      if WeeklyReport.sums(inTime, perhaps).isDisjoint(with: WeeklyReport.sums(stated, open)) {
        ledger.blame(
          "report of \(home): \(place) changed by \(stated) (perhaps \(open)), and \(inTime) (perhaps \(perhaps)) was seen"
        )
      }
      guard place.field != .discount else { continue }
      let byTimer = seen.filter { $0.maker == .timer && $0.reported >= start && isSure($0) }.map(\.difference)
      let perhapsByTimer = seen.filter { $0.maker == .either || $0.maker == .timer && !isSure($0) }.map(\.difference)
      let statedOfTimer = changes.filter { $0.isDone && $0.actor == "timer" }.map(\.difference)
      let openOfTimer = changes.filter { $0.isUnknown && $0.actor == "timer" }.map(\.difference)
      if WeeklyReport.sums(byTimer, perhapsByTimer).isDisjoint(with: WeeklyReport.sums(statedOfTimer, openOfTimer)) {
        ledger.blame(
          "report of \(home): \(place) by the timer \(statedOfTimer) (\(openOfTimer)), not \(byTimer) (\(perhapsByTimer))"
        )
      }
    }
    let own = stored.filter { $0.value.vendor == EmbeddedMarket.demoVendor.vendorID }
    let soldOut = Set(own.filter { $0.value.stock == 0 }.keys)
    if report.soldOut != soldOut { ledger.blame("report of \(home): sold out \(report.soldOut), not \(soldOut)") }
    let won = own.values.filter { $0.currency == "KRW" }
    let sums = [
      "products": won.count, "sold_out": won.count { $0.stock == 0 }, "stock": won.reduce(0) { $0 + $1.stock },
      "value_at_list_price": won.reduce(0) { $0 + $1.stock * $1.price },
      "value_at_sale_price": won.reduce(0) { $0 + $1.stock * ($1.price - $1.discount) },
    ]
    if report.sums != sums { ledger.blame("report of \(home): sums \(report.sums), not \(sums)") }
    if home == "colleague" { compareOthers(report, stored, weeks) }
  }

  /// Compares the changes by others in the report of a colleague with the prices and discounts that there were.
  private mutating func compareOthers(_ report: WeeklyReport, _ stored: [Int64: Shop.Row], _ weeks: Weeks) {
    if let sold = report.running[Weeks.sold] {
      let certain = weeks.purchases.count { $0 > sold.since }
      let possible = weeks.purchases.count { $0 >= sold.since }
      if !(certain...possible).contains(sold.difference) {
        ledger.blame("report of colleague: \(sold.difference) of \(Weeks.sold) were sold, not \(certain)")
      }
    }
    guard let since = report.others.first?.since else { return }
    self.weeks?.compared += weeks.values.count
    for (place, values) in weeks.values {
      let earlier = values.filter { $0.date < since }.suffix(1).map(\.value)
      let before = Set(earlier + values.filter { $0.date == since }.map(\.value))
      guard let now = Ledger.value(place, ["shop": stored]) else { continue }
      let stated = report.others.first { $0.place == place }
      if let stated, !before.contains(stated.before) || stated.after != now {
        ledger.blame("report of colleague: \(place) \(stated.before) -> \(stated.after), not \(before) -> \(now)")
      }
      if stated == nil, !before.isEmpty, !before.contains(now) {
        ledger.blame("report of colleague: \(place) \(before) -> \(now) is missing")
      }
    }
  }

  // MARK: The end

  /// Every day of the daily line had its effect once, and the market has made no other.
  mutating func closeWeeks() async throws {
    guard let market = shop.markets["shop"], let weeks else { return }
    let effects = try await market.server.auditLog().count { $0.kind == .edit && $0.product == Weeks.counted }
    if effects != weeks.counted.count + weeks.undone {
      ledger.blame("the daily line had \(effects) effects, for \(weeks.counted.count) days, \(weeks.undone) undone")
    }
    for day in weeks.reported.subtracting(weeks.counted).sorted() {
      ledger.blame("the daily line of \(day) ended with 0 and had no effect")
    }
    try await report(of: owner)
    try await report(of: "colleague")
  }
}

/// The rows of `report week as json`.
private struct WeeklyReport {
  struct Change {
    var difference: Int
    var outcome: String
    var actor: String
    /// The outcomes of changes that were made, and of those that the log can't tell.
    var isDone: Bool { outcome == "done" || outcome == "undone" }
    var isUnknown: Bool {
      !isDone && !["refused", "not-sent", "not-applied", "unchanged", "drifted"].contains(outcome)
    }
  }

  var changes: [Ledger.Place: [Change]] = [:]
  /// The products with a change whose outcome isn't known, which the report has without its values.
  var unknown: Set<Int64> = []
  var others: [(place: Ledger.Place, before: Int, after: Int, since: Date)] = []
  var running: [Int64: (difference: Int, since: Date)] = [:]
  var soldOut: Set<Int64> = []
  var sums: [String: Int] = [:]

  init(_ rows: [[String: Any]]) {
    for row in rows {
      let (before, after) = (row["before"] as? Int, row["after"] as? Int)
      let since = (row["since"] as? String).flatMap { try? Date($0, strategy: .iso8601) } ?? .distantPast
      let id = (row["id"] as? Int).map(Int64.init) ?? 0
      let field = (row["field"] as? String).flatMap(Ledger.Field.init(rawValue:))
      let place = field.map { Ledger.Place(market: "shop", product: id, field: $0) }
      switch row["section"] as? String {
      case "change":
        if row["outcome"] as? String == "unknown" { unknown.insert(id) }
        guard let place, let before, let after else { continue }
        changes[place, default: []].append(
          Change(
            difference: after - before, outcome: row["outcome"] as? String ?? "", actor: row["by"] as? String ?? ""))
      case "others":
        guard let place, let before, let after else { continue }
        others.append((place, before, after, since))
      case "running-out": if let before, let after { running[id] = (before - after, since) }
      case "sold-out": soldOut.insert(id)
      case "value" where row["name"] as? String == "KRW": sums[row["field"] as? String ?? ""] = after ?? 0
      default: break
      }
    }
  }

  /// Returns the sums of some numbers together with any of others.
  static func sums(_ certain: [Int], _ possible: [Int]) -> Set<Int> {
    var sums: Set<Int> = [certain.reduce(0, +)]
    for number in possible { sums.formUnion(sums.map { $0 + number }) }
    return sums
  }
}
