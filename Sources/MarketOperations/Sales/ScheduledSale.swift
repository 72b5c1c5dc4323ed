import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A sale that isn't completely over, with its number, which no other sale ever has.
package struct ScheduledSale: Hashable, Sendable {
  /// The form in which a sale is stored.
  package enum Form: Hashable, Sendable {
    /// A rule, and what is known of each product.
    case rule(ScheduledPlanStore.ScheduledPlan, SaleRule, SaleProgress)
    /// The two plans of version 0.2.
    ///
    /// The start is `nil` once it was applied.
    case plans(start: ScheduledPlanStore.ScheduledPlan?, end: ScheduledPlanStore.ScheduledPlan?)
  }

  /// The state of a sale at a time.
  package enum State: Hashable, Sendable {
    case planned
    /// Its start is due.
    case due
    case running
    /// Its end is due.
    case over
  }

  package var number: Int
  package var form: Form

  package init(number: Int, form: Form) {
    self.number = number
    self.form = form
  }

  /// Its plans, which have files of their own.
  package var plans: [ScheduledPlanStore.ScheduledPlan] {
    switch form {
    case .rule(let plan, _, _): [plan]
    case .plans(let start, let end): [start, end].compactMap(\.self)
    }
  }

  private var plan: ScheduledPlanStore.ScheduledPlan? { plans.first }

  /// The command that planned it.
  package var command: String { plan?.contents.command ?? "" }
  package var destination: PlanFile.Destination? { plan?.contents.destination }
  package var products: [Product.ID] { plan?.contents.plan.changes.compactMap { $0.product?.id } ?? [] }

  /// The time of the start, or `nil` if it isn't known any more.
  package var begins: Timestamp? {
    switch form {
    case .rule(let plan, _, _): plan.due
    case .plans(let start, _): start?.due
    }
  }

  /// The time of the end, or `nil` for a sale of version 0.2 whose second plan is missing.
  package var ends: Timestamp? {
    switch form {
    case .rule(_, let rule, let progress): progress.endedEarly.map { min($0, rule.end) } ?? rule.end
    case .plans(_, let end): end?.due
    }
  }

  /// A Boolean value that indicates that products may have the discount of the sale.
  package var hasBegun: Bool {
    switch form {
    case .rule(_, _, let progress): progress.hasBegun
    case .plans(let start, _): start == nil
    }
  }

  /// A Boolean value that indicates that products had the discount of the sale, also if it is over.
  package var wasBegun: Bool {
    guard case .rule(_, _, let progress) = form else { return hasBegun }
    return products.contains { id in progress[id].map { $0.state != .skipped } ?? false }
  }

  /// The products whose discount the start hasn't set yet.
  package var unstarted: [Product.ID] {
    switch form {
    case .rule(_, _, let progress): products.filter { progress[$0].map { $0.state == .starting } ?? true }
    case .plans(let start, _): start == nil ? [] : products
    }
  }

  /// The products that the sale may still change.
  package var openProducts: [Product.ID] {
    switch form {
    case .rule(_, _, let progress): products.filter { progress[$0].map(\.mayBeLowered) ?? true }
    case .plans: products
    }
  }

  /// Returns the discount that a product gets back when the sale ends, or `nil` if the sale hasn't changed it.
  package func restoredDiscount(of id: Product.ID) -> Amount? {
    guard case .rule(_, _, let progress) = form, let entry = progress[id], entry.mayBeLowered else { return nil }
    return entry.before
  }

  /// Returns the state at a time.
  ///
  /// A sale that has begun is running, even if the clock was set back since.
  package func state(_ now: Timestamp) -> State {
    if let ends, ends <= now { return .over }
    if hasBegun { return .running }
    return begins.map { $0 <= now } ?? false ? .due : .planned
  }

  /// Returns whether both sales are of the same products of a market at the same time, and which products they are.
  package func sharedProducts(_ ids: [Product.ID], from start: Timestamp, to end: Timestamp, at market: MarketIdentity)
    -> [Product.ID]
  {
    guard destination?.market.isSame(as: market) == true, (begins.map { $0 < end } ?? true) || hasBegun,
      ends.map({ $0 > start }) ?? true
    else { return [] }
    let mine = Set(openProducts)
    return ids.filter(mine.contains)
  }
}

extension ScheduledSale {
  /// The sale in one line: its number, discount, products and times.
  package var summary: LocalizedText {
    let (count, list) = (products.count, ScheduledSale.listed(products))
    let begin = begins.map { LocalTime($0).description } ?? "-"
    let end = ends.map { LocalTime($0).description } ?? "-"
    let percent = if case .rule(_, let rule, _) = form { "\(rule.percent)%" } else { "" }
    return LocalizedText(
      "Sale \(number): \(percent.isEmpty ? "" : percent + " on ")\(count) \(count == 1 ? StyledText("product") : "products") (\(list)), \(begin) to \(end).",
      ko: "\(number)번 할인: 상품 \(count)개(\(list))\(percent.isEmpty ? "" : " " + percent), \(begin)부터 \(end)까지.")
  }

  /// The command that plans the same sale again, whatever day it is: its products by their ids, and its times.
  ///
  /// A sale of version 0.2 has no rule, and is planned by the command that was typed.
  package var remakeCommand: String {
    guard case .rule(_, let rule, _) = form, let begins, let ends else { return command }
    func time(_ moment: Timestamp) -> String {
      String(LocalTime(moment).description.prefix(16)).replacing(" ", with: "T")
    }
    let round = rule.step.map { " round \($0)" } ?? ""
    return "sale \(ScheduledSale.ranges(products)) \(rule.percent)% from \(time(begins)) to \(time(ends))\(round)"
  }

  /// Returns ids as a target: `3,7-12`.
  private static func ranges(_ ids: [Product.ID]) -> String {
    var ranges: [ClosedRange<Product.ID>] = []
    for id in ids.sorted() {
      if let last = ranges.last, id <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...max(id, last.upperBound)
      } else {
        ranges.append(id...id)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Returns notes that products whose price or discount a plan changes are in a sale, or no notes for other plans.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - market: The market.
  ///   - sales: The scheduled sales.
  ///   - now: The current time.
  static func notes(
    on plan: Plan, at market: MarketIdentity, of sales: @autoclosure () -> [ScheduledSale], now: Timestamp
  ) -> [Message] {
    let ids = plan.changes.compactMap { change -> Product.ID? in
      guard case .edit(let product, _, let to) = change, to.price != nil || to.discount != nil else { return nil }
      return product.id
    }
    guard !ids.isEmpty else { return [] }
    return sales().filter { $0.destination?.market.isSame(as: market) == true }.compactMap { sale in
      let mine = Set(sale.openProducts)
      let shared = ids.filter(mine.contains)
      return shared.isEmpty ? nil : sale.note(shared, now)
    }
  }

  private func note(_ ids: [Product.ID], _ now: Timestamp) -> Message {
    let list = ScheduledSale.listed(ids)
    let isOne = ids.count == 1
    let what = isOne ? StyledText("Product \(list) is") : StyledText("Products \(list) are")
    let end = ends.map { LocalTime($0).description } ?? "-"
    switch state(now) {
    case .planned, .due:
      let start = begins.map { LocalTime($0).description } ?? "-"
      return .note(
        "\(what) in sale \(number), planned from \(start) to \(end).",
        ko: "\(list)번 상품은 \(start)부터 \(end)까지로 예정된 \(number)번 할인에 들어 있습니다."
      ).because(
        "The discount is computed from the price when the sale starts.", ko: "할인액은 할인이 시작될 때의 정가로 계산합니다.")
    case .running, .over:
      return .note(
        "\(what) in sale \(number), running until \(end).", ko: "\(list)번 상품은 \(end)까지 진행 중인 \(number)번 할인에 들어 있습니다."
      ).because(
        "The end of the sale restores the old discount only where the discount of the sale is unchanged.",
        ko: "할인이 끝날 때는 할인액이 그대로인 상품만 이전 할인으로 되돌립니다.")
    }
  }

  /// Returns up to ten ids as text.
  package static func listed(_ ids: [Product.ID]) -> String {
    ids.prefix(10).map(String.init).joined(separator: ", ") + (ids.count > 10 ? ", …" : "")
  }
}

/// A time in the time zone of this machine: `2022-12-01 00:00 KST`.
package struct LocalTime: CustomStringConvertible {
  package let description: String

  package init(_ moment: Timestamp) {
    let zone = LocalTimeZone(at: moment.seconds)?.name ?? "UTC"
    description = moment.local.displayDescription.prefix(16) + " " + zone
  }
}

/// The scheduled plans: one file for each plan in a folder of the home, moved to `done/` when it is complete.
///
/// A sale is one plan with a rule, and a file with what is known of each product. Sales of version 0.2 are two plans
/// without a rule, which are applied as they are.
package struct ScheduledPlanStore {
  /// A scheduled plan.
  package struct ScheduledPlan: Hashable, Sendable {
    package var source: PlanSource
    package var contents: PlanFile
    package var due: Timestamp

    package var path: String { source.path }
    /// The name of the file without its folder.
    package var name: String { (path as NSString).lastPathComponent }
    /// The identifier of the sale, which the two plans of version 0.2 share.
    package var saleName: String {
      let name = String(name.prefix { $0 != "." })
      return contents.sale == nil ? String(name.dropLast(self.name.hasSuffix("-end.json") ? 4 : 6)) : name
    }
    package var isStart: Bool { name.hasSuffix("-start.json") }
    /// The key of the sale's number: the identifier of its plan, or for version 0.2 the name that its two plans share.
    fileprivate var numberKey: String { contents.sale == nil ? saleName : contents.id }
  }

  private static let lockAttempts = 100

  private let folder: String
  /// The folder with the numbers of the sales.
  private let numbersFolder: String

  package init(_ home: AppDirectories) { self.init(folder: home.scheduledPlansDirectory) }

  private init(folder: String, numbersFolder: String? = nil) {
    self.folder = folder
    self.numbersFolder = numbersFolder ?? folder
  }

  /// Takes the lock under which plans are added, applied and removed, so that two shells don't work on the same sale.
  ///
  /// - Throws: `CommandError` with exit status 4 if another shell has it for ten seconds.
  package func lock(_ interruption: InterruptController, _ clock: ProgramClock) async throws -> FolderLock {
    try Files.createHomeFolder(folder)
    for _ in 0..<ScheduledPlanStore.lockAttempts {
      if let lock = FolderLock(folder) { return lock }
      if interruption.isRequested { throw CancellationError() }
      try await clock.pause(.milliseconds(100))
    }
    throw CommandError(
      .blocked,
      .failure(
        "Another openmarket is applying scheduled plans. Nothing was sent.",
        ko: "다른 openmarket에서 예약된 계획을 적용하고 있습니다. 아무것도 보내지 않았습니다."
      ).next("Run the command again later.", ko: "나중에 다시 실행하세요."), code: .busy)
  }

  /// Writes the plan of a sale under a free name that begins with `name`, and gives it a number.
  ///
  /// The folder must be locked. The number is stored first, so that a sale without a number doesn't exist.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - name: The beginning of the name.
  ///   - policy: The limits for the values of other plans.
  ///   - progress: What is known of the products of a sale that another home began, or `nil`.
  /// - Returns: The number.
  /// - Throws: `FileError`; then the plan doesn't exist.
  package func add(
    _ plan: PlanFile, named name: String, _ policy: LimitPolicy, progress: SaleProgress? = nil
  ) throws -> Int {
    try Files.createHomeFolder(folder)
    let endings = [".json", ".jsonl", "-start.json", "-end.json"]
    func isTaken(_ name: String) -> Bool {
      endings.contains { ending in
        ["/", "/done/", "/handed-over/"].contains { access(folder + $0 + name + ending, F_OK) == 0 }
      }
    }
    var free = name
    var number = 2
    while isTaken(free) {
      free = "\(name)-\(number)"
      number += 1
    }
    var numbers = try SaleNumbers(numbersFile)
    for sale in list(policy).plans { _ = numbers.number(of: sale.numberKey) }
    numbers.skip(storedPlans)
    let given = numbers.number(of: plan.id)
    try numbers.save()
    try progress?.save(to: folder + "/" + free + ".jsonl")
    try Files.write(Data(plan.text.utf8), to: folder + "/" + free + ".json", mode: 0o600)
    return given
  }

  /// Stores the numbers of sales of an older version, so that they stay the same when one of them is over.
  ///
  /// - Throws: `FileError`; `CommandError` if another shell has the lock.
  package func storeNumbers(
    _ policy: LimitPolicy, _ interruption: InterruptController, _ clock: ProgramClock
  ) async throws {
    let plans = list(policy).plans
    guard let known = try? SaleNumbers(numbersFile), plans.contains(where: { known[$0.numberKey] == nil }) else {
      return
    }
    let lock = try await lock(interruption, clock)
    try withExtendedLifetime(lock) {
      var numbers = try SaleNumbers(numbersFile)
      for plan in list(policy).plans { _ = numbers.number(of: plan.numberKey) }
      try numbers.save()
    }
  }

  private var numbersFile: String { numbersFolder + "/numbers.jsonl" }

  /// The number of stored plans of sales that are or were.
  private var storedPlans: Int {
    [folder, folder + "/done", folder + "/handed-over"].reduce(0) { count, folder in
      count + ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count { $0.hasSuffix(".json") }
    }
  }

  /// Returns the scheduled plans, the earliest first, and errors for files that can't be read.
  package func list(_ policy: LimitPolicy) -> (plans: [ScheduledPlan], unreadable: [CommandError]) {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    var plans: [ScheduledPlan] = []
    var unreadable: [CommandError] = []
    for file in files where file.hasSuffix(".json") {
      let path = folder + "/" + file
      do {
        let source = try PlanSource(path)
        let contents = try PlanFile(source.text(), named: path, policy)
        guard let due = contents.notBefore else { continue }
        plans.append(ScheduledPlan(source: source, contents: contents, due: due))
      } catch {
        unreadable.append(CommandError(describing: error))
      }
    }
    // The name of an older plan is shorter: `sale-2022-12-05` and then `sale-2022-12-05-2`.
    func order(_ plan: ScheduledPlan) -> (Timestamp, Timestamp, Int, String) {
      (plan.due, plan.contents.createdAt, plan.name.count, plan.name)
    }
    return (plans.sorted { order($0) < order($1) }, unreadable)
  }

  /// Returns the sales in the order of their start or else end, and errors for files that can't be read.
  ///
  /// A sale without a stored number has the one that `storeNumbers` would give it.
  package func sales(_ policy: LimitPolicy) -> (sales: [ScheduledSale], unreadable: [CommandError]) {
    var (plans, unreadable) = list(policy)
    var sales: [ScheduledSale] = []
    var numbers: SaleNumbers?
    do { numbers = try SaleNumbers(numbersFile) } catch { unreadable.append(CommandError(describing: error)) }
    while !plans.isEmpty {
      let plan = plans.removeFirst()
      // Without the file of numbers no sale can be named, but every sale can be started and ended.
      let number = numbers?.number(of: plan.numberKey) ?? 0
      if let rule = plan.contents.sale {
        do {
          let progress = try progress(of: plan)
          sales.append(ScheduledSale(number: number, form: .rule(plan, rule, progress)))
        } catch {
          unreadable.append(CommandError(describing: error))
        }
      } else {
        let other = plans.firstIndex { $0.contents.sale == nil && $0.saleName == plan.saleName }.map {
          plans.remove(at: $0)
        }
        let both = [plan, other].compactMap(\.self)
        sales.append(
          ScheduledSale(
            number: number, form: .plans(start: both.first(where: \.isStart), end: both.first { !$0.isStart }))
        )
      }
    }
    return (sales, unreadable)
  }

  /// Returns the sales that were canceled or are over, without those of version 0.2, of which it isn't known which.
  package func formerSales(_ policy: LimitPolicy) -> [ScheduledSale] {
    guard let numbers = try? SaleNumbers(numbersFile) else { return [] }
    let done = ScheduledPlanStore(folder: folder + "/done")
    return done.list(policy).plans.compactMap { plan in
      guard let rule = plan.contents.sale, let progress = try? done.progress(of: plan) else { return nil }
      return ScheduledSale(number: numbers[plan.numberKey] ?? 0, form: .rule(plan, rule, progress))
    }
  }

  /// Returns what is known of the products of a sale.
  ///
  /// - Throws: `FileError`.
  package func progress(of plan: ScheduledPlan) throws(FileError) -> SaleProgress {
    try SaleProgress(plan.path.dropLast(".json".count) + ".jsonl")
  }

  /// Writes what is known of the products of a sale.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func save(_ progress: SaleProgress, of plan: ScheduledPlan) throws(FileError) {
    try progress.save(to: plan.path.dropLast(".json".count) + ".jsonl")
  }

  /// Returns the command of a sale that was canceled or is over, or `nil` if no sale ever had the number or its plan was
  /// removed.
  package func command(ofFormerSale number: Int, _ policy: LimitPolicy) -> String? {
    guard let numbers = try? SaleNumbers(numbersFile) else { return nil }
    let done = ScheduledPlanStore(folder: folder + "/done").list(policy).plans
    return done.first { numbers[$0.numberKey] == number }?.contents.command
  }

  /// The sales that were handed over to another home, which nothing starts or ends here.
  package var handedOver: ScheduledPlanStore {
    ScheduledPlanStore(folder: folder + "/handed-over", numbersFolder: numbersFolder)
  }

  /// Returns whether this home had the sale of a plan at any time.
  ///
  /// - Throws: `FileError`.
  package func hasNumber(_ plan: PlanFile) throws -> Bool { try SaleNumbers(numbersFile)[plan.id] != nil }

  /// Moves the files of a sale to another store.
  ///
  /// The plan moves last to the sales that are run and first away from them, so that a sale without its progress is never run.
  ///
  /// - Throws: `FileError.cannotWrite`; the sale is then where it was.
  package func move(_ sale: ScheduledSale, to other: ScheduledPlanStore) throws {
    try Files.createHomeFolder(other.folder)
    for plan in sale.plans where Paths.parent(of: plan.path) == folder {
      let base = String(plan.path.dropLast(".json".count))
      let files = [base + ".jsonl"] + PlanSignature.paths(of: plan.path)
      let isTakenBack = folder.hasPrefix(other.folder + "/")
      func move(_ path: String) throws {
        let target = other.folder + "/" + (path as NSString).lastPathComponent
        guard access(path, F_OK) == 0 else { return }
        guard rename(path, target) == 0 else { throw FileError.cannotWrite(path: target, errno: errno) }
      }
      for file in isTakenBack ? files + [plan.path] : [plan.path] + files { try move(file) }
    }
  }

  /// Moves a scheduled plan to `done/`, with its progress and its signatures.
  ///
  /// Does nothing for a file outside the folder.
  ///
  /// If the move fails, the plan is checked again next time, and no write is repeated.
  package func archive(_ path: String) {
    guard Paths.parent(of: path) == folder else { return }
    try? Files.createDirectory(folder + "/done")
    let base = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    for file in [path, base + ".jsonl"] + PlanSignature.paths(of: path) {
      rename(file, folder + "/done/" + (file as NSString).lastPathComponent)
    }
  }
}
