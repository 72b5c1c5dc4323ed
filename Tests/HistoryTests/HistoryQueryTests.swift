import Catalog
import Foundation
import TestSupport
import Testing

@testable import History

/// Queries read the allowed tables, and no input has any other effect.
@Suite(.timeLimit(Trial.limit)) struct HistoryQueryTests {
  private static let place = MarketSnapshotStoreTests.place

  private static func with(_ body: (HistoryQuery, String) throws -> Void) throws {
    try Folder.with { folder in
      let versions = try MarketSnapshotStore(at: folder + "/versions.sqlite")
      let other = SnapshotMarket(name: "other", edition: "open", market: MarketIdentity(address: "embedded:open"))
      try versions.add([MarketSnapshotStoreTests.product(99)], of: other, taken: 1, isComplete: true)
      try versions.add(
        (1...200).map { MarketSnapshotStoreTests.product($0, price: 1000 + $0) }, of: place, taken: 86_400,
        isComplete: true)
      try versions.add(
        (2...200).map { MarketSnapshotStoreTests.product($0, price: 1000 + $0, stock: $0 == 5 ? 0 : 5) }, of: place,
        taken: 172_800, isComplete: true)
      try versions.updateFullTextIndex()
      let calls = ExchangeStore(at: folder + "/calls.sqlite")
      let call = ExchangeRecord(
        session: "S", started: 1_700_000_000_000, duration: 12_345, profile: "demo", base: "http://x", method: "GET",
        path: "/api/products", status: 200, size: 10, type: nil)
      try calls.add([(call, Data("a secret of the archive".utf8))])
      let query = HistoryQuery(
        versions: folder + "/versions.sqlite", calls: folder + "/calls.sqlite", market: try versions.number(of: place),
        log: [[.integer(1), .text("t"), .text("demo"), .text("patch")] + Array(repeating: .null, count: 7)])
      // While they are open, the last reader doesn't delete the WAL.
      try withExtendedLifetime((versions, calls)) { try body(query, folder) }
    }
  }

  @Test func everyFieldButTheImagesIsAColumn() throws {
    let fields = ProductField.allCases.filter { $0 != .images }.map(\.rawValue)
    #expect(SQLTable.products.columns == fields)
    try Self.with { sql, _ in
      let answer = try sql.run("select * from products limit 1", seconds: 60)
      #expect(answer.columns == fields)
    }
  }

  /// The expected rows, in the format of SQLite's own shell.
  @Test(arguments: [
    ("select count(*), min(id), max(id), min(price), avg(stock) from products", "199|2|200|1002|4.9748743718593"),
    ("select vendor, count(*) from products group by 1", "구름상점|199"),
    ("select id from products where stock = 0;", "5"),
    (
      "select since, until, stock from history where id = 5 order by since",
      "1970-01-02 00:00:00|1970-01-03 00:00:00|5\n1970-01-03 00:00:00||0"
    ),
    ("select id, until from history where id = 1", "1|1970-01-03 00:00:00"),
    ("select id, name from texts where text match '\"텀블러 17\"' order by 1 limit 2", "17|우유병 텀블러 17\n170|우유병 텀블러 170"),
    ("select id from products where id in (select id from texts where text match '199번째')", "199"),
    ("select n, path, ms, status from calls", "1|/api/products|12.3|200"),
    ("select n, action from log", "1|patch"),
    ("with t as (select price p from products) select max(p) from t", "1200"),
    ("with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select sum(i) from n", "15"),
    ("select name from products where id = 3 -- a remark", "우유병 텀블러 3"),
  ])
  func queryHasTheseRows(_ query: String, _ expected: String) throws {
    try Self.with { sql, _ in
      let answer = try sql.run(query, seconds: 60)
      #expect(Self.text(answer) == expected)
    }
  }

  private static func text(_ answer: SQLResult) -> String {
    answer.rows.map { row in
      row.map { value in
        switch value {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(format: "%.15g", number)
        case .text(let text): text
        case .blob(let count): "\(count) bytes"
        }
      }.joined(separator: "|")
    }.joined(separator: "\n")
  }

  /// A thousand statements that would write, access other files, use all memory or never end: each is an error or has
  /// no values, within the time limit.
  ///
  /// No file is changed or created.
  @Test func hostileStatementsHaveNoEffect() throws {
    try Self.with { sql, folder in
      let before = try Self.bytes(folder)
      let count = Trial.count(300, long: 1_000)
      let statements = Hostile.statements(count, seed: Trial.seed)
      #expect(Set(statements).count == statements.count && statements.count >= count)
      let outside = Hostile.traces()
      for statement in statements {
        do throws(SQLError) {
          // A text that is too long for `printf` is null.
          let answer = try sql.run(statement, seconds: 0.1)
          #expect(answer.rows.allSatisfy { $0.allSatisfy { $0 == .null } }, "\(statement) answered")
        } catch {
          continue
        }
      }
      #expect(try Self.bytes(folder) == before)
      #expect(Hostile.traces() == outside)
      #expect(try Self.text(sql.run("select count(*) from products")) == "199")
    }
  }

  private static let numbers = "with recursive n(i) as (select 1 union all select i + 1 from n limit LIMIT) select"

  /// A query has a second, a hundred thousand rows, 64 MB of values and 256 MB of memory.
  @Test(
    arguments: [
      ("0", "count(*) from n where i < 0", 1, .timedOut(1)),
      ("100001", "i from n", 60, .tooManyRows(100_000)),
      ("900", "printf('%.*c', 90000, 'x') from n", 60, .tooMuchMemory),
    ] as [(String, String, Double, SQLError)])
  func queryEndsAtItsLimits(_ count: String, _ rest: String, _ seconds: Double, _ error: SQLError) throws {
    let numbers = Self.numbers.replacing(" limit LIMIT", with: count == "0" ? "" : " limit \(count)")
    try Self.with { sql, _ in
      let start = ContinuousClock.now
      #expect(throws: error) {
        try seconds == 1 ? sql.run("\(numbers) \(rest)") : sql.run("\(numbers) \(rest)", seconds: seconds)
      }
      if seconds == 1 { #expect(start.duration(to: .now) >= .seconds(1)) }
    }
  }

  /// SQLite's memory is counted for the process, so that this one has its own.
  @Test func memoryOfAQueryIsLimited() async {
    await #expect(processExitsWith: .success) {
      try HistoryQueryTests.with { sql, _ in
        let query = HistoryQueryTests.numbers + " count(distinct printf('%.*c', 90000, 'x') || i) from n"
        #expect(throws: SQLError.tooMuchMemory) { try sql.run(query.replacing("LIMIT", with: "4000"), seconds: 60) }
        let rows = try sql.run(query.replacing("LIMIT", with: "2000"), seconds: 60).rows
        #expect(rows == [[.integer(2_000)]])
      }
    }
  }

  /// What is within the limits is answered.
  @Test func queryWithinTheLimitsIsAnswered() throws {
    try Self.with { sql, _ in
      let rows = try sql.run(Self.numbers.replacing("LIMIT", with: "100000") + " i from n", seconds: 60).rows
      #expect(rows.count == 100_000)
    }
  }

  private static func bytes(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    // SQLite's shared-memory file isn't content.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
      found[name] = FileManager.default.contents(atPath: folder + "/" + name)
    }
    return found
  }

  /// Only the published tables are readable: not the products of another market in the tables below, nor stored texts.
  @Test(arguments: [
    "select * from archive.content", "select deflated from content", "select * from versions.product",
    "select * from versions.market", "select sql from sqlite_master", "select * from temp.sqlite_master",
    "select * from pragma_database_list", "select * from sqlite_temp_schema", "select used from archive.call",
    "select name from versions.wording", "select description from \"wording\"", "select * from words",
    "select * from versions.words_content",
  ])
  func onlyPublishedTablesAreReadable(_ statement: String) throws {
    try Self.with { sql, _ in
      #expect(throws: SQLError.self) { try sql.run(statement, seconds: 60) }
    }
  }

  @Test func copiesOfSubqueriesAreLimited() {
    let few =
      "with a as (select 1), b(x, y) as (select * from a, a) select b.x, b.y from b where b.x in (select 'a a a')"
    #expect(CopiedSubqueries.isWithinLimit(in: few))
    var many = "with a0 as (select 1 x)"
    for index in 1...40 { many += ", a\(index) as (select * from a\(index - 1) union all select * from a\(index - 1))" }
    #expect(!CopiedSubqueries.isWithinLimit(in: many + " select * from a40"))
    #expect(
      CopiedSubqueries.tokenize("select 'it''s' /* no */ \"A b\", [c]--x\n.5e1") == [
        "select", "a b", ",", "c", ".", "5e1",
      ])
  }
}

/// Statements of an attacker who wants more than to read.
enum Hostile {
  /// The beginning of the files that a successful attack would create, of this process alone.
  private static let mark = "openmarket-hostile-\(getpid())"

  private static let fixed = [
    "attach '/tmp/\(mark).db' as x", "detach versions", "pragma user_version = 7",
    "pragma journal_mode=delete",
    "pragma writable_schema=1", "select load_extension('/tmp/x.so')", "vacuum",
    "vacuum into '/tmp/\(mark).db'",
    "begin", "commit", "savepoint a", "release a", "analyze", "reindex", "drop view products", "create temp table t(a)",
    "create table main.t(a)", "create view v as select 1", "create trigger r after insert on log begin select 1; end",
    "insert into log values(1)", "delete from log", "update log set n = 2", "replace into log(n) values(2)",
    "create virtual table v using fts5(a)", "alter table log rename to l", "select fts3_tokenizer('simple')",
    "", ";", "--", "select 1; select 2", "select 1; drop table log", "\0select 1", "select", "selekt 1",
    "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
    "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n",
    "with recursive n(s) as (select 'aaaaaaaaaaaaaaaa' union all select s || s from n) select s from n",
    "with recursive n(i) as (select randomblob(90000) union all select randomblob(90000) from n) select count(distinct i) from n",
    "select count(*) from products a, products b, products c, products d, products e",
    "select randomblob(1000000000)", "select zeroblob(2000000000)",
    "select replace(hex(zeroblob(40000)), '0', 'aaaaaaaaaaaaaaaaaaaa')",
    "select group_concat(hex(zeroblob(1000))) from products",
    "select * from history order by (select count(*) from products a, products b, products c, products d, products e)",
    "select * from versions.wording, versions.wording b, versions.wording c, versions.wording d",
    "select fts5(1)", "insert into texts(texts) values('optimize')",
    "insert into versions.words(words) values('rebuild')",
    "update versions.product set price = 1", "delete from archive.call", "drop table versions.version",
    "create index i on versions.product(price)", "select * from pragma_journal_mode('delete')",
    "explain insert into log values(1)", "select edit('x')", "select writefile('/tmp/\(mark)', 'x')",
    "select readfile('/etc/passwd')", "select 1 from nothing",
    "select * from products limit (select count(*) from nothing)",
  ]

  /// Returns the files that a successful attack would create.
  static func traces() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    return names.filter { $0.hasPrefix(mark) }.sorted()
  }

  /// Returns a statement that never ends or needs too much memory.
  private static func endless(_ generator: inout SplitMix64) -> String {
    func pick(_ values: [String]) -> String { values[Int.random(in: 0..<values.count, using: &generator)] }
    let number = Int.random(in: 1...999_999, using: &generator)
    let numbers = "with recursive n(i) as (select \(number) union all select i + 1 from n)"
    let sum = pick(["count(*)", "sum(i)", "max(i)", "total(i)", "avg(i)", "group_concat(i)", "json_group_array(i)"])
    let (a, b) = (pick(["products", "history", "texts"]), pick(["products", "history", "texts"]))
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0: "\(numbers) select \(sum) from n"
    case 1: "\(numbers) select i from n where i < \(pick(["0", "-1", "i"])) limit 1"
    case 2: "\(numbers) select i, sum(i) over (order by i desc) from n order by 2"
    case 3: "\(numbers) select max(length(randomblob(90000) || i)) from n"
    case 4: "\(numbers) select count(distinct printf('%.*c', 9000, 'x') || i) from n"
    case 5: "select count(*), \(number) from \(a) a, \(b) b, products c, history d, \(a) e"
    case 6: "select a.id + \(number) from \(a) a, \(b) b, history c order by random(), a.id"
    default:
      "select count(*) from \(a) a, \(b) b, products c, products d where a.name || b.name || \(number) like '%a%b%c%d%'"
    }
  }

  /// Returns the fixed statements, and others built from the same parts in another spelling.
  static func statements(_ count: Int, seed: UInt64) -> [String] {
    var generator = SplitMix64(seed)
    var found = fixed
    var seen = Set(found)
    var number = 0
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    func spelled(_ text: String) -> String {
      String(text.map { Bool.random(using: &generator) ? Character($0.uppercased()) : $0 })
        .replacing(" ", with: pick([" ", "  ", "\n", "\t", " /* x */ "]))
    }
    let tables = [
      "versions.product", "versions.wording", "versions.version", "archive.call", "archive.content", "log", "products",
      "calls", "main.sqlite_master",
    ]
    // Each of these is stopped by its time or memory limit.
    for _ in 0..<Trial.count(12, long: 240) {
      let statement = spelled(endless(&generator))
      if seen.insert(statement).inserted { found.append(statement) }
    }
    while found.count < count {
      number += 1
      let table = pick(tables)
      let statement =
        switch number % 20 {
        case 0: spelled("attach 'file:/tmp/\(mark)-\(number)?mode=rwc' as a\(number)")
        case 1:
          spelled("pragma ")
            + pick(["synchronous", "cache_size", "mmap_size", "secure_delete", "locking_mode", "schema_version"])
            + " = \(number)"
        case 2: spelled("select load_extension('lib\(number)')")
        case 3: spelled("insert into ") + table + " default values"
        case 4: spelled("delete from ") + table + " where \(number) = \(number)"
        case 5:
          spelled("drop table if exists ") + pick(["versions.product", "archive.call", "log", "versions.words"])
            + " -- \(number)"
        case 6: spelled("create temp table t\(number) as select * from products")
        case 7: spelled("update ") + table + " set rowid = \(number)"
        case 8: spelled("select ") + "\(number); " + spelled("drop table log")
        case 9: spelled("with x as (select \(number)) insert into log(n) select * from x")
        case 10: spelled("vacuum into '/tmp/\(mark)-\(number)'")
        case 11: spelled("select printf(") + "'%\(pick(["*c", ".*c", "*d", "0*d"]))', \(100_001 + number * 7_919), 120)"
        case 12: spelled("select length(zeroblob(") + "\(100_001 + number * 104_729)))"
        case 13:
          "select " + String(repeating: pick(["abs(", "not (", "- (", "upper("]), count: 120 + number) + "1"
            + String(repeating: ")", count: 120 + number)
        case 14:
          spelled("select \(pick(["readfile", "fsdir", "lsmode", "zipfile", "edit"]))(") + "'/etc/passwd', \(number))"
        case 15: spelled("select writefile(") + "'/tmp/\(mark)-\(number)', 'x')"
        case 16:
          spelled("insert into ") + pick(["texts(texts)", "versions.words(words)", "words(words, rank)"])
            + " values('\(pick(["delete-all", "rebuild", "optimize", "automerge=\(number)", "integrity-check"]))')"
        case 17:
          spelled("create virtual table temp.v\(number) using ") + pick(["fts5(a)", "fts5vocab(words, row)", "dbstat"])
        case 18: spelled("select data from sqlite_dbpage where pgno = \(number)")
        default:
          spelled("select * from ") + "pragma_\(pick(["table_info", "user_version", "wal_checkpoint", "optimize"]))"
            + "('\(number)')"
        }
      if seen.insert(statement).inserted { found.append(statement) }
    }
    return found
  }
}
