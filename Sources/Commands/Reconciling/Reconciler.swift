import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import WriteJournal

/// The steps from the rows of a source to a market: of a file, a folder, a saved plan, or the products of another market.
///
/// A command reads the rows of its source, decides them with `Reconciliation` and makes a plan. This type leaves out creates
/// that were made from the same rows before, and creates of products that the market has already. It lets the user approve
/// the other changes and writes them. The command then stores the new ids and the next base in its source.
struct Reconciler {
  private let market: Client<MarketService>
  private let consent: WriteOptions
  private let source: String
  private let ids: CreatedIDs?
  private let executor: PlanExecutor

  /// Creates the steps for the rows of a source.
  ///
  /// - Parameters:
  ///   - source: The name of the file, folder or plan in the log; see `CreateSource.name`.
  ///   - consent: The options of the line.
  ///   - ids: The record of new products in the source, if it has one.
  init(
    _ source: String, at market: Client<MarketService>, _ consent: WriteOptions, recording ids: CreatedIDs? = nil
  ) {
    self.market = market
    self.consent = consent
    self.source = source
    self.ids = ids
    executor = PlanExecutor(market, consent)
  }

  /// Returns the products that an interrupted run created from parts of a source and that exist, with their writes, in
  /// the order of the parts.
  ///
  /// A part is the file or the product that a row was made from, whatever its content is now. `parts` is called only if
  /// the source created anything.
  ///
  /// - Throws: The errors of reading the products; `JournalError`.
  static func created(
    from source: String, at market: Client<MarketService>, in scope: CommandScope, parts: () throws -> [String]
  ) async throws -> [(write: EarlierWrite, product: Product)?] {
    guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return [] }
    scope.say(resolved: try await scope.planRunner(for: market).resolve(source: source))
    let (journal, binding) = (try scope.context.stores.journal(), scope.session.marketLogin(at: market.service.baseURL))
    guard try journal.creates(ofSource: source, parts: [""], binding).first ?? nil != nil else { return [] }
    let made = try journal.creates(ofSource: source, parts: try parts(), binding)
    let ids = made.compactMap { $0?.product }
    let present = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    return made.map { write in
      guard let write, let product = present[write.product], write.reference?.mismatch(with: product) == nil else {
        return nil
      }
      return (write, product)
    }
  }

  /// Returns a plan without the creates of products that the market has already, after their ids are written back.
  ///
  /// - Parameters:
  ///   - earliest: Returns the time before which a product of a row can't have been created; `nil` for any time.
  ///   - scope: The scope of the command.
  /// - Throws: `CommandError` with exit status 4 if the user can't be asked; the errors of reading; `FileError` if an id
  ///   can't be written back.
  func leavingOutCreated(
    _ plan: Plan, since earliest: (Plan.Row) -> Timestamp? = { _ in nil }, in scope: CommandScope
  ) async throws -> Plan {
    let rest = try await executor.withoutEarlierCreates(plan, of: source, in: scope)
    let left = try await EqualProducts(market, consent).leavingOut(rest, since: earliest, in: scope)
    if scope.mode == .write, let ids {
      for row in left.rows where row.change == nil { guard ids.write(row) else { break } }
      if let error = ids.error { throw error }
    }
    return left
  }

  /// Shows a plan, asks, writes and reports.
  ///
  /// - Parameters:
  ///   - note: The note for the log, unless the line contains one.
  ///   - notes: The messages before the question.
  ///   - question: The confirmation.
  ///   - scope: The scope of the command.
  ///   - unsent: Reports a plan of which nothing is sent.
  ///   - finish: Stores the outcomes in the source, and returns the rows to report. It isn't called for a preview.
  /// - Throws: The errors of `PlanExecutor.execute`, and those of `finish` if nothing is sent.
  func run(
    _ plan: Plan, note: String? = nil, notes: [Message], question: WriteQuestion = .ofProfile,
    in scope: inout CommandScope, unsent: PlanExecutor.MakeReport,
    finish: @escaping (Plan, CommandScope) async throws -> Plan = { plan, _ in plan }
  ) async throws -> CommandResult {
    guard !plan.changes.isEmpty else {
      for note in notes { scope.say(note) }
      if scope.mode == .write { _ = try await finish(plan, scope) }
      return try await unsent(plan, &scope)
    }
    let reporting: (@Sendable (Plan.Row) -> Bool)? = if let ids { ids.write } else { nil }
    var pace = consent.pace
    if ids?.isInOrder == true, plan.rows.contains(where: { $0.draft != nil }) { pace.concurrency = 1 }
    return try await executor.execute(
      plan, note: note, notes: notes, question: question, in: &scope,
      send: { approved, runner in
        await runner.run(approved, note: consent.note ?? note, pace: pace, reporting: reporting)
      },
      report: { made, scope in
        let reported = try await finish(made, scope)
        if let error = ids?.error { scope.say(CommandError(error).message) }
        return try await executor.report(reported, in: &scope)
      })
  }
}

/// The record of new products in a source, into which each id is written as soon as it is known.
///
/// After an error no further product is created.
final class CreatedIDs: Sendable {
  /// A Boolean value that indicates that the id of each product is written before the next one is sent.
  let isInOrder: Bool
  private let save: @Sendable (Plan.Row, Product) throws(FileError) -> Void
  private let failure = Mutex<FileError?>(nil)

  init(inOrder: Bool = false, save: @escaping @Sendable (Plan.Row, Product) throws(FileError) -> Void) {
    isInOrder = inOrder
    self.save = save
  }

  /// The error of an id that couldn't be written.
  var error: FileError? { failure.withLock { $0 } }

  /// Writes the id of the product that a row created, or found, and returns whether that succeeded.
  func write(_ row: Plan.Row) -> Bool {
    guard case .create = row.planned, row.outcome?.isSuccess == true, let product = row.outcome?.product else {
      return true
    }
    do throws(FileError) {
      try save(row, product)
      return true
    } catch {
      failure.withLock { $0 = error }
      return false
    }
  }
}
