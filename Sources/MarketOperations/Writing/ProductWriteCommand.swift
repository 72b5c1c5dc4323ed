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

/// A command that changes products.
///
/// It returns a plan; confirmation, journaling and sending are shared by all such commands.
package protocol ProductWriteCommand: Command {
  /// The write options of the line, such as `yes` and `note TEXT`.
  var consent: WriteOptions { get }
  /// Returns the plan.
  ///
  /// It may read but changes nothing.
  ///
  /// - Throws: `ParseError` for an invalid change, and the errors of reading the products.
  func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan
}

extension ProductWriteCommand {
  /// - Throws: The errors of `plan` and of `PlanExecutor`; `CommandError` in a read-only session.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let plan = try await plan(from: market, in: &scope)
    return try await PlanExecutor(market, consent).executeOnce(plan, in: &scope)
  }
}

extension Plan {
  /// Returns the note that some targets wouldn't change, or `nil` if all would.
  ///
  /// - Parameter others: Products that aren't counted, although nothing is sent for them.
  package func unchangedNote(except others: Set<Product.ID> = []) -> Message? {
    let same = rows.count { $0.unchangedProduct.map { !others.contains($0.id) } ?? false }
    guard same > 0 else { return nil }
    let count = changes.count + same
    return .note(
      "\(same) of \(count) \(same == 1 ? StyledText("is") : "are") already up to date.",
      ko: "\(count)건 중 \(same)건은 이미 같은 값입니다.")
  }

  /// Throws if a change is invalid for one of `count` products: the error of a single product, or a list of the errors of
  /// several.
  package static func check(_ refusals: [(product: Product, reason: ParseError)], of count: Int) throws {
    guard let reason = refusals.first?.reason else { return }
    if count == 1 { throw reason }
    var message = Message.failure(
      "\(refusals.count) of \(count) products cannot be changed this way. Nothing was sent.",
      ko: "상품 \(count)개 중 \(refusals.count)개는 이 변경을 적용할 수 없습니다. 아무것도 보내지 않았습니다.")
    message = message.because(first: 5, of: refusals) { product, reason in
      LocalizedText(
        "product \(product.id): \(reason.message[.english])", ko: "\(product.id)번 상품: \(reason.message[.korean])")
    }
    if let next = reason.suggestion { message = message.next(next) }
    throw CommandError(.usageError, message)
  }
}

extension CommandScope {
  /// Shows the outcomes of writes that an earlier command left unknown and that are known now.
  package func say(resolved writes: [RecoveredWrite]) {
    for write in writes where !write.outcome.isUnknown { say(RunMessages.outcome(of: write)) }
  }

  /// Returns the runner for the market and vendor of the session.
  ///
  /// All writes go through it.
  ///
  /// - Parameter watch: The market for which the writes were decided, or `nil` for that of the line's references, or
  ///   the one that responds now.
  package func planRunner(for client: Client<MarketService>, watch: MarketWatch? = nil) -> PlanRunner {
    let talk = WriteProgress(self)
    let (journal, absence) = openJournal()
    let watch =
      watch ?? MarketWatch(session.server, at: client.service.baseURL, for: references.first?.market)
    return PlanRunner(
      journal: journal, absence: absence,
      market: JournalMarketAdapter(
        client: client, watch: watch, freshName: context.stores.freshName, now: context.clock.now),
      binding: session.marketLogin(at: client.service.baseURL),
      attribution: Attribution(actor, approver: context.program.attribution?.approver), run: session.script.run,
      // A write that the server doesn't keep can't arrive late.
      window: client.service.dialect.capabilities.keepsWrites
        ? session.server.confirmationWindow(at: client.service.baseURL)
        : ConfirmationWindow(duration: .zero, agreementInterval: .zero),
      freshness: context.network.freshness, verification: session.server.verify.value,
      // Nothing comes between this machine and itself.
      outageLimit: Loopback.contains(client.service.baseURL.host ?? "") ? .zero : PlanRunner.remoteOutageLimit,
      stopping: { [interruption = context.program.interruption] in interruption.isRequested || watch.isOtherMarket },
      progress: { talk.handle($0) })
  }

  /// Returns the journal, or the reason why there is none.
  ///
  /// Reading works without a journal; writing fails with this reason.
  private func openJournal() -> (Journal?, JournalError) {
    do {
      return (try context.stores.journal(), .notOpen)
    } catch let failure as JournalError {
      return (nil, failure)
    } catch FileError.cannotWrite(let path, let code) {
      return (
        nil, code == ENOSPC ? .diskFull : .unwritable(path: path, reason: .system(String(cString: strerror(code))))
      )
    } catch {
      return (
        nil,
        .unwritable(
          path: context.stores.home.journalFolder,
          reason: ErrorDescription.text(of: error).map { .system($0) } ?? .cannotBeOpened)
      )
    }
  }
}

/// The text of an assignment: its value, or with `@path` the content of the file (`@-` is standard input).
package struct AssignmentValue {
  private let assignment: Assignment
  private let environment: Environment

  package init(_ assignment: Assignment, _ environment: Environment) {
    self.assignment = assignment
    self.environment = environment
  }

  /// Returns the text.
  ///
  /// The last newline of a file is removed, because editors add it.
  ///
  /// - Throws: `FileError` for a file that can't be read or isn't text.
  package func read() throws -> String {
    guard assignment.isFile else { return assignment.value }
    let path =
      assignment.value == "-"
      ? "/dev/stdin" : Paths.expanded(assignment.value, home: environment["HOME"])
    let text: String?
    if assignment.value == "-" {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      guard let read = String(validating: data, as: UTF8.self) else {
        throw FileError.notText(path: path, at: InvalidByte(inUTF8: data))
      }
      text = read
    } else {
      text = try Files.text(path, limit: 1 << 20)
    }
    guard let text else { throw FileError.cannotRead(path: path, errno: ENOENT) }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

/// The equivalent command line for input from a form or an editor.
package enum EquivalentCommand {
  /// Returns `new name='…' price=…` without empty fields.
  package static func new(_ texts: [ProductField: String]) -> String {
    ("new "
      + NewProductForm.fields.compactMap { field in texts[field].flatMap { spelled(field.rawValue, $0) } }.joined(
        separator: " "))
  }

  /// Returns a line such as `patch 42 stock=3`.
  package static func patch(_ product: Product, _ assignments: [Assignment]) -> String {
    "patch \(product.id) " + assignments.compactMap { spelled($0.name, $0.value) }.joined(separator: " ")
  }

  private static func spelled(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return nil }
    // An unquoted `@` at the beginning would read a file.
    return name + "=" + Quoting.quote(value, always: value.hasPrefix("@"))
  }
}
