import EmbeddedMarket
import Foundation
import GRDB
import Platform
import TestSupport
import WriteJournal

/// A command line and the one effect that it must have, however often it is interrupted and run again.
struct Intent: Sendable {
  /// The required final state of a product, found by its name.
  struct Wanted: Sendable {
    var name: String
    var stock = 3
    var discount = 0
  }

  /// The arguments of the program after the common ones.
  var words: [String]
  var wanted: [Wanted]
  var creates = 0
  var edits = 0
  /// The script that is the editor, for a line that needs a terminal.
  var editor: String?

  var writes: Int { creates + edits }
}

extension Intent {
  /// The commands that are run again.
  enum Operation: CaseIterable, Sendable {
    case new, apply, importing, script, undo, undoOfEntry, resume, restore, edit, due, computed
  }

  /// Prepares the town for the command, and creates it.
  init(_ operation: Operation, in town: Town) async throws {
    switch operation {
    case .new: self.init(words: ["-c", town.new("Fresh")], wanted: [Wanted(name: "Fresh")], creates: 1)
    case .apply, .importing, .resume: try await self.init(batch: operation, in: town)
    case .script:
      let standing = try await town.put("Standing")
      let other = try await town.put("Other")
      let path = town.folder + "/again.txt"
      // `resume` doesn't run lines that need values of earlier lines.
      let lines = [town.new("First"), "patch \(other) stock=11", "patch \(standing) stock=12", town.new("Second")]
      try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: path)
      self.init(
        words: ["-f", path],
        wanted: [
          Wanted(name: "First"), Wanted(name: "Other", stock: 11), Wanted(name: "Standing", stock: 12),
          Wanted(name: "Second"),
        ],
        creates: 2, edits: 2)
    case .undo, .undoOfEntry:
      // A write before the delete, which a second `undo` without a number would undo.
      let other = try await town.put("Standing")
      let gone = try await town.put("Gone")
      try await town.done(["patch \(other) stock=8", "rm \(gone)"])
      let entry = try Journal(at: town.home.journalFolder).entries(limit: 1).first?.id ?? 0
      self.init(
        words: ["-c", operation == .undo ? "undo" : "undo \(entry)"],
        wanted: [Wanted(name: "Gone"), Wanted(name: "Standing", stock: 8)], creates: 1)
    case .restore:
      let id = try await town.put("Restored")
      // Only lists of the newest edition contain all fields, from which a deleted product can be created again.
      let isMadeAgain = town.edition == .open
      try await town.done(["snapshot before", isMadeAgain ? "rm \(id)" : "patch \(id) stock=9"])
      self.init(
        words: ["-c", "restore \(id) from before"], wanted: [Wanted(name: "Restored")], creates: isMadeAgain ? 1 : 0,
        edits: isMadeAgain ? 0 : 1)
    case .edit:
      let id = try await town.put("Edited")
      let editor = town.folder + "/editor"
      try ExecutableFile.write("#!/bin/sh\nsed -i 's/^stock:.*/stock: 21/' \"$1\"\n", to: editor)
      self.init(
        words: ["-c", "edit \(id)"], wanted: [Wanted(name: "Edited", stock: 21)], edits: 1, editor: editor)
    case .computed:
      let id = try await town.put("Computed")
      self.init(
        words: ["-c", "patch \(id) stock+=2"], wanted: [Wanted(name: "Computed", stock: 5)], edits: 1)
    case .due:
      let id = try await town.put("On sale")
      try await town.done(["sale \(id) 10% from 2022-01-01 to 2099-12-31"])
      self.init(words: ["-c", "due apply"], wanted: [Wanted(name: "On sale", discount: 100)], edits: 1)
    }
  }

  /// Creates a batch with two new products and a changed one: from a file, a plan, or an interrupted batch.
  private init(batch operation: Operation, in town: Town) async throws {
    let id = try await town.put("Standing")
    let (table, plan) = (town.folder + "/rows.csv", town.folder + "/plan.json")
    let rows = ["One", "Two"].map { ",\($0),something to be counted,1000,KRW,3,\(town.pictureName)\n" }
    try Files.write(
      Data(("id,name,description,price,currency,stock,images\n" + rows.joined() + "\(id),,,,,12,\n").utf8), to: table)
    self.init(
      words: ["-c", "import \(table)"],
      wanted: [Wanted(name: "One"), Wanted(name: "Two"), Wanted(name: "Standing", stock: 12)], creates: 2, edits: 1)
    switch operation {
    case .apply:
      try await town.done(["plan import \(table) to \(plan)"])
      words = ["-c", "apply \(plan)"]
    case .resume:
      let turnstile = town.proxy.hold(1)
      let child = try town.launch(["-c", "import \(table) jobs 1"])
      await turnstile.isReached()
      child.gets(SIGINT)
      await child.says("Finishing the current requests")
      turnstile.open()
      let ended = await child.ended()
      guard ended.code == 130 else { throw Town.NotStocked(description: ended.errors) }
      town.proxy.decide { _ in .pass }
      words = ["-c", "resume"]
      creates = 1
    default: break
    }
  }
}

extension Town {
  /// Creates a product and returns its id.
  fileprivate func put(_ name: String) async throws -> Int64 {
    try await done([new(name)])
    guard let id = try await market.auditLog().last(where: { $0.kind == .create })?.product else {
      throw NotStocked(description: "\(name) was not made")
    }
    return id
  }

  /// - Throws: ``NotStocked`` if one of the lines fails.
  fileprivate func done(_ lines: [String]) async throws {
    let run = try await run(lines)
    guard run.code == 0 else { throw NotStocked(description: "\(run.code): \(run.errors)") }
  }

  /// Returns the effects after the one with this number.
  func effects(after number: Int64) async throws -> [AuditEntry] {
    try await market.auditLog().filter { $0.number > number && $0.kind != .archive }
  }

  /// Returns the differences between the market and the intent, or none if it had exactly one effect.
  ///
  /// `number` is that of the last effect before the first run.
  func faults(of intent: Intent, after number: Int64) async throws -> [String] {
    var faults: [String] = []
    let effects = try await effects(after: number)
    let creates = effects.filter { $0.kind == .create }.map(\.product)
    if creates.count != intent.creates { faults.append("\(intent.creates) creates wanted, \(creates) made") }
    let deletes = effects.filter { $0.kind == .delete }.map(\.product)
    if !deletes.isEmpty { faults.append("deleted: \(deletes)") }
    let rows = try DatabaseQueue(path: folder + "/market/market.sqlite").read {
      try Row.fetchAll(
        $0, sql: "SELECT id, name, stock, CAST(discount AS INTEGER) AS discount FROM products ORDER BY id")
    }
    for wanted in intent.wanted {
      let named = rows.filter { $0["name"] == wanted.name }
      guard let row = named.first, named.count == 1 else {
        faults.append("\(wanted.name): \(named.count) of it, \(named.map { $0["id"] as Int })")
        continue
      }
      let (stock, discount) = (row["stock"] as Int, row["discount"] as Int)
      if stock != wanted.stock { faults.append("\(wanted.name): stock \(stock), not \(wanted.stock)") }
      if discount != wanted.discount { faults.append("\(wanted.name): discount \(discount)") }
    }
    return faults
  }
}
