import Catalog
import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Random edits in a folder and on the market, pulled and pushed: every value is what the rule of the three-way merge
/// says, and nothing is lost.
///
/// `OPENMARKET_LONG_TESTS=1 swift test --filter ThreeWayMergeTests` runs 1,000 rounds.
@Suite(.timeLimit(Trial.limit)) struct ThreeWayMergeTests {
  @Test(arguments: [ServedEdition.open, .training, .camp1, .camp2])
  func everyValueFollowsTheMergeRule(_ edition: ServedEdition) async throws {
    var options = SessionOptions()
    options.edition = Edition(rawValue: edition.rawValue)
    try await Sandbox.with(options: options, edition: edition) { sandbox in
      var rounds = try await FolderRounds(sandbox, SplitMix64(Trial.seed &+ UInt64(edition.rawValue.utf8.count)))
      let count = Trial.count(2, long: 250)
      for round in 1...count {
        guard try await rounds.run(round) else { return }
      }
      Trial.printInLongRun("\(edition): \(count) rounds")
    }
  }
}

/// The rounds in one sandbox.
private struct FolderRounds {
  private let sandbox: Sandbox
  private let folder: String
  private var dice: SplitMix64
  private var oracle = FolderOracle()
  /// The files of the rows, by number.
  private var files: [Int: String] = [:]
  private var names = 0

  init(_ sandbox: Sandbox, _ dice: SplitMix64) async throws {
    self.sandbox = sandbox
    self.dice = dice
    folder = sandbox.folder + "/shop"
    try sandbox.writePictures()
    _ = await sandbox.run("set limits server")
    // A few products of our own, so that a round is short.
    for index in 1...5 { try await new("Standing \(index)") }
    _ = await sandbox.run("pull ~/shop \(oracle.market.keys.sorted().map(String.init).joined(separator: ","))")
    oracle.pull(nil)
    for file in try readFiles() { files[file.id ?? 0] = file.name }
  }

  /// Runs a round, and returns false after a difference.
  mutating func run(_ round: Int) async throws -> Bool {
    var told = ""
    for _ in 0..<Int.random(in: 0...4, using: &dice) { told += try await changeMarket() }
    for _ in 0..<Int.random(in: 0...4, using: &dice) { told += try changeFolder() }
    let winner = [nil, nil, FolderOracle.Winner.mine, .theirs].randomElement(using: &dice)!
    let word = winner.map { $0 == .mine ? " keep file" : " keep server" } ?? ""
    if Bool.random(using: &dice) {
      let ids = Set(oracle.market.keys).union(oracle.base.keys).union(oracle.local.keys.filter { $0 > 0 }).sorted()
      let line = "pull ~/shop \(ids.map(String.init).joined(separator: ","))\(word)"
      told += "> \(line)\n" + (await sandbox.run(line))
      oracle.pull(winner)
    } else {
      let deletes = Bool.random(using: &dice)
      let line = "push ~/shop yes outliers\(word)\(deletes ? " deletes" : "")"
      told += "> \(line)\n" + (await sandbox.run(line))
      oracle.next = lastID
      let names = files
      oracle.push(winner, deletes: deletes) { names[$0] ?? "" }
      lastID = oracle.next
    }
    return try await check(round, told)
  }

  /// The numbers of the first and the last product of these rounds.
  private var firstID = 0
  private var lastID = 0

  // MARK: Changes

  private mutating func values() -> [String: String] {
    var row: [String: String] = [:]
    row["name"] = "Name \(Int.random(in: 1...3, using: &dice))"
    row["price"] = String(1000 + 100 * Int.random(in: 0...3, using: &dice))
    row["discount"] = String(10 * Int.random(in: 0...2, using: &dice))
    row["stock"] = String(Int.random(in: 1...4, using: &dice))
    row["description"] = "Description \(Int.random(in: 1...3, using: &dice)) of it"
    return row
  }

  private mutating func new(_ name: String) async throws {
    let line =
      "new name='\(name)' description='Description 1 of it' price=1000 currency=KRW stock=1 images=~/cup.png yes"
    let said = await sandbox.run(line)
    let id = try #require(await sandbox.shell.session.last.product?.id, "\(said)")
    if firstID == 0 { firstID = id }
    lastID = max(lastID, id)
    oracle.market[id] = [
      "name": name, "description": "Description 1 of it", "price": "1000", "discount": "0", "stock": "1",
    ]
  }

  private mutating func changeMarket() async throws -> String {
    guard Int.random(in: 0..<6, using: &dice) > 0, let id = oracle.market.keys.sorted().randomElement(using: &dice)
    else {
      try await new("New \(Int.random(in: 1...3, using: &dice))")
      return "market: new \(lastID)\n"
    }
    if Int.random(in: 0..<6, using: &dice) == 0 {
      _ = await sandbox.run("rm \(id) yes")
      oracle.market[id] = nil
      return "market: rm \(id)\n"
    }
    let (field, value) = values().sorted { $0.key < $1.key }.randomElement(using: &dice)!
    let said = await sandbox.run("patch \(id) \(field)='\(value)' yes outliers")
    oracle.market[id]?[field] = value
    return "market: \(id) \(field)=\(value)\(said.contains("= ") ? said : "")\n"
  }

  private mutating func changeFolder() throws -> String {
    let choice = Int.random(in: 0..<7, using: &dice)
    guard choice > 0, let id = oracle.local.keys.sorted().randomElement(using: &dice), let name = files[id] else {
      names += 1
      let row = values()
      let name = "new-\(names).toml"
      try? FileManager.default.createDirectory(atPath: folder + "/pictures", withIntermediateDirectories: true)
      try? FileManager.default.copyItem(atPath: sandbox.folder + "/cup.png", toPath: folder + "/pictures/cup.png")
      let text = """
        # our own remark
        name = "\(row["name"]!)"
        price = \(row["price"]!)
        discount = \(row["discount"]!)
        currency = "KRW"
        stock = \(row["stock"]!)
        images = ["pictures/cup.png"]

        """ + ProductFile(id: nil, values: [.description: .text(row["description"]!)]).text
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/products/" + name))
      oracle.local[-1000 - names] = row
      files[-1000 - names] = name
      return "folder: \(name)\n"
    }
    let path = folder + "/products/" + name
    if choice == 1 {
      try FileManager.default.removeItem(atPath: path)
      oracle.local[id] = nil
      files[id] = nil
      return "folder: rm \(name)\n"
    }
    let (field, value) = values().sorted { $0.key < $1.key }.randomElement(using: &dice)!
    let literal = ["price", "discount", "stock"].contains(field) ? value : "\"\(value)\""
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let cell: FieldValue =
      switch field {
      case "price", "discount": .amount(Amount(Int(value)!))
      case "stock": .number(Int(value)!)
      default: .text(value)
      }
    let edited = try ProductFile.text(text, with: [ProductField(rawValue: field)!: cell])
    try Data(edited.utf8).write(to: URL(fileURLWithPath: path))
    oracle.local[id]?[field] = value
    return "folder: \(name) \(field)=\(literal)\n"
  }

  // MARK: Checks

  private mutating func check(_ round: Int, _ told: String) async throws -> Bool {
    let keys = Dictionary(files.map { ($0.value, $0.key) }) { first, _ in first }
    var found: [Int: FolderOracle.Row] = [:]
    files = [:]
    for file in try readFiles() {
      // A file without an id is a new one, or one whose deleted product the folder's side won.
      let key = file.id ?? keys[file.name].map { -abs($0) } ?? 0
      found[key] = file.row
      files[key] = file.name
    }
    let market = try await readMarket()
    let comment: Comment = "seed \(Trial.seed), round \(round)\n\(told)"
    #expect(found == oracle.local, comment)
    #expect(market == oracle.market, comment)
    return found == oracle.local && market == oracle.market
  }

  private func readFiles() throws -> [(name: String, id: Int?, row: FolderOracle.Row)] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/products").sorted().map { name in
      let file = try ProductFile(parsing: String(contentsOfFile: folder + "/products/" + name, encoding: .utf8))
      var row: FolderOracle.Row = [:]
      for (field, cell) in file.values where field != .currency {
        switch cell {
        case .text(let text): row[field.rawValue] = text
        case .amount(let amount): row[field.rawValue] = amount.description
        case .number(let number): row[field.rawValue] = String(number)
        case .timestamp, .pictures, .references: break
        }
      }
      return (name, file.id, row)
    }
  }

  private func readMarket() async throws -> [Int: FolderOracle.Row] {
    var rows: [Int: FolderOracle.Row] = [:]
    for id in firstID...max(firstID, lastID) {
      guard let product = try await sandbox.product(id) else { continue }
      rows[id] = [
        "name": product.name ?? "", "description": product.description ?? "", "price": product.price?.description ?? "",
        "discount": product.discount?.description ?? "", "stock": product.stock.map { String($0) } ?? "",
      ]
    }
    return rows
  }
}
