import Catalog
import CommandLanguage
import MarketOperations
import Foundation
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// Sales in random histories: prices and discounts change, products are deleted, a server refuses, timers are missed, the
/// clock jumps, and two shells apply the same sales.
///
/// `OPENMARKET_SEED=S OPENMARKET_SALE_HISTORIES_FROM=N OPENMARKET_SALE_HISTORIES=1` repeats history N.
@Suite(.timeLimit(Trial.limit)) struct SaleExecutionTests {
  private static let first =
    ProcessInfo.processInfo.environment["OPENMARKET_SALE_HISTORIES_FROM"].flatMap(Int.init) ?? 0
  private static let count = Trial.count(8, long: 1_000, variable: "OPENMARKET_SALE_HISTORIES")

  /// After the end of its sale no product has the discount of the sale, unless the last line named it.
  @Test func noDiscountOutlivesItsSaleUnnamed() async throws {
    Trial.printInLongRun("sales: \(SaleExecutionTests.count) histories")
    for number in SaleExecutionTests.first..<SaleExecutionTests.first + SaleExecutionTests.count {
      var history = SaleHistory(seed: Trial.seed &+ UInt64(number))
      let failure = try await history.run()
      #expect(failure == nil, "history \(number): \(failure ?? "")\n\(history.lines.joined(separator: "\n"))")
      if failure != nil { return }
    }
  }
}

/// A random history of sales in a sandbox of its own.
private struct SaleHistory {
  private static let products = [138, 132, 126, 120, 114]
  private static let hour = 3_600

  private var random: SplitMix64
  /// The lines so far, with what they printed.
  private(set) var lines: [String] = []
  /// The discount that somebody set last, apart from sales.
  private var wanted: [Int: Amount] = [:]

  init(seed: UInt64) { random = SplitMix64(seed) }

  /// Runs the history, and returns what was wrong at its end.
  mutating func run() async throws -> String? {
    let (clock, refusals) = (SetClock(), Refusals())
    var failure: String?
    var copy = self
    try await Sandbox.with(
      between: { inner, _ in RefusingTransport(inner: inner, refusals: refusals) },
      adjusting: { $0.clock.now = { clock.now } }
    ) { sandbox in
      failure = try await copy.run(in: sandbox, clock, refusals)
    }
    self = copy
    return failure
  }

  private mutating func run(in sandbox: Sandbox, _ clock: SetClock, _ refusals: Refusals) async throws -> String? {
    let other = try await SaleHistory.secondShell(of: sandbox)
    for id in SaleHistory.products { wanted[id] = try await sandbox.product(id)?.discount ?? .zero }
    for _ in 0..<Int.random(in: 6...16, using: &random) { try await step(in: sandbox, other, clock, refusals) }
    refusals.set([])
    // Long after the last end, and more than once, because a first run may find what an earlier one left.
    clock.set(Date(timeIntervalSince1970: 1_669_852_800 + 400 * 86_400))
    var last = ""
    for _ in 0..<2 { last = await say("due apply yes outliers", in: sandbox) }
    for id in SaleHistory.products {
      guard let now = try await sandbox.product(id) else { continue }
      let discount = now.discount ?? .zero
      let isNamed = last.contains("product \(id):") && last.hasSuffix("= 7\n")
      if discount != wanted[id], !isNamed {
        return "product \(id) has the discount \(discount) instead of \(wanted[id] ?? .zero)"
      }
    }
    return nil
  }

  private mutating func step(
    in sandbox: Sandbox, _ other: Shell, _ clock: SetClock, _ refusals: Refusals
  ) async throws {
    let id = SaleHistory.products.randomElement(using: &random) ?? 138
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5:
      let ids = SaleHistory.products.filter { _ in Bool.random(using: &random) }.map(String.init)
      guard !ids.isEmpty else { return }
      let now = Int(clock.now.timeIntervalSince1970)
      let start = now + SaleHistory.hour * Int.random(in: 0...48, using: &random)
      let end = start + SaleHistory.hour * Int.random(in: 1...72, using: &random)
      _ = await say(
        "sale \(ids.joined(separator: ",")) \(Int.random(in: 1...60, using: &random))% from \(day(start)) to \(day(end))",
        in: sandbox)
    case 5..<7:
      let price = Int.random(in: 200...400, using: &random) * 1_000
      _ = await say("patch \(id) price=\(price) yes outliers", in: sandbox)
    case 7..<9:
      let discount = Int.random(in: 0...400, using: &random) * 7 + 3
      if await say("patch \(id) discount=\(discount) yes outliers", in: sandbox).contains("Updated product") {
        wanted[id] = Amount(discount)
      }
    case 9: _ = await say("rm \(id) yes", in: sandbox)
    case 10: refusals.set(Bool.random(using: &random) ? [id] : [])
    case 11..<14:
      let hours = Int.random(in: -20...80, using: &random)
      clock.set(clock.now.addingTimeInterval(Double(hours * SaleHistory.hour)))
      lines.append("clock \(day(Int(clock.now.timeIntervalSince1970)))")
    case 14: _ = await say("sale cancel \(SaleHistory.firstSale(in: sandbox)) yes", in: sandbox)
    case 15: _ = await say("sale end \(SaleHistory.firstSale(in: sandbox)) yes outliers", in: sandbox)
    case 16:
      async let mine = sandbox.shell.run("due apply yes outliers")
      async let theirs = other.run("due apply yes outliers")
      lines.append("due apply twice: \(await mine) \(await theirs)")
      lines.append(sandbox.console.take())
    default: _ = await say("due apply yes outliers", in: sandbox)
    }
  }

  /// Returns the number of the first sale in the list, or 1.
  private static func firstSale(in sandbox: Sandbox) -> Int {
    ScheduledPlanStore(sandbox.home).sales(.documented).sales.first?.number ?? 1
  }

  private mutating func say(_ line: String, in sandbox: Sandbox) async -> String {
    let printed = await sandbox.run(line)
    lines += ["> " + line, printed]
    return printed
  }

  /// Returns a time as it is typed, in this machine's time zone.
  private func day(_ seconds: Int) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm"
    return formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// Returns another shell with the same home and market, and a journal session of its own.
  private static func secondShell(of sandbox: Sandbox) async throws -> Shell {
    var context = await sandbox.shell.context
    let journal = try Journal(at: sandbox.home.journalFolder)
    context.stores.journal = { journal }
    return Shell(session: try sandbox.reopened(), context: context)
  }
}

/// The products whose updates a server refuses.
final class Refusals: Sendable {
  private let ids = Mutex<Set<Int>>([])

  func set(_ ids: Set<Int>) { self.ids.withLock { $0 = ids } }
  func contains(_ id: Int) -> Bool { ids.withLock { $0.contains(id) } }
}

/// A transport that refuses updates of products with status 403.
struct RefusingTransport: Transport {
  let inner: any Transport
  let refusals: Refusals

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    if request.method == .patch, let id = request.path.last.flatMap({ Int($0) }), refusals.contains(id) {
      return Response(status: 403)
    }
    return try await inner.send(request, to: base, with: options)
  }
}
