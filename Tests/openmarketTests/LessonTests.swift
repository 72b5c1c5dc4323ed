import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// `serve --lesson`: files with errors, products from files, the keys of the teacher, and the report of the class.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct LessonTests {
  // MARK: Errors

  private static let words =
    #"use a status such as 503 or "429 retry-after=2", "ok", "lost-request", "lost-response", "cut-response", "broken-json""#
  private static let delays =
    "delay must be milliseconds from 0 to 30000, such as 200, { uniform = [100, 400] }, { normal = [200, 50] } or { exponential = 200 }"

  @Test(arguments: [
    (
      #"produkts = "none""#,
      "Line 1: unknown key produkts; the keys are api, strict, quirks, products, vendors, clock, seed, delay, faults, steps"
    ),
    (#"api = "open2""#, "Line 1: api must be one of camp1, camp2, training, open"),
    (#"clock = "2022-03-01""#, #"Line 1: clock must be a date with a time zone, such as "2022-03-01T09:00:00+09:00""#),
    ("seed = -1", "Line 1: seed must not be negative"),
    ("delay = 40000", "Line 1: " + delays),
    ("delay = { normal = [1] }", "Line 1: " + delays),
    ("delay = { uniform = [2, 1] }", "Line 1: " + delays),
    ("delay = { pareto = 1 }", "Line 1: " + delays),
    ("vendors = true", "Line 1: vendors must be a number, or the quoted path of a list"),
    ("strict = 1", "Line 1: strict must be true or false"),
    ("products = 3", "Line 1: products must be a quoted string"),
    ("a =", "Line 1: missing value"),
    (
      "[faults.\"POST\"]\nrate = 1",
      #"Line 1: POST is not a method and a path, such as "POST /api/products" or "GET /api/products/*""#
    ),
    ("[faults.\"POST /api/products\"]\nrate = 2", #"Line 2: rate must be from 0 to 1, or from "0%" to "100%""#),
    (
      "[faults.\"POST /api/products\"]\nsequence = [503, \"lots\"]",
      "Line 2: sequence has an unknown fault lots; " + words
    ),
    ("[faults.\"POST /api/products\"]\nsequence = [302]", "Line 2: sequence has an unknown fault 302; " + words),
    ("[faults.\"POST /api/products\"]\nfaults = [503]", #"Line 2: faults needs a rate, such as rate = "20%""#),
    ("[faults.\"POST /api/products\"]\nrepeat = true", "Line 2: repeat needs a sequence"),
    (
      "[steps.2]\ngoal = \"a\"",
      "Line 1: steps must be tables named steps.1, steps.2 and so on without a gap, at most 20"
    ),
    ("[steps.1]\nhint = \"b\"\nwhere = \"stock=0\"", "Line 1: goal is missing"),
    ("[steps.1]\ngoal = 3", "Line 2: goal must be a quoted string"),
    ("[steps.1]\ntext = \"a\"", "Line 2: unknown key text; the keys are goal, goal_ko, hint, hint_ko, where, count"),
    (
      "[steps.1]\ngoal = \"a\"\nhint = \"b\"\nwhere = \"stok=0\"",
      "Line 4: where is no condition: Unknown field: stok"
    ),
    (
      "[steps.1]\ngoal = \"a\"\nhint = \"b\"\nwhere = \"$p.price>1\"",
      "Line 4: where must compare fields of products"
    ),
    (
      "[steps.1]\ngoal = \"a\"\nhint = \"b\"\nwhere = \"stock=0\"\ncount = -1",
      "Line 5: count must be from 0 to 10000"
    ),
  ])
  func invalidLessonIsRefused(_ text: String, _ reason: String) throws {
    let home = try TemporaryHome()
    let lesson = try home.file("lesson.toml", text + "\n")
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--lesson", lesson])
    let error = """
      error: Cannot read \(lesson).
        reason: \(reason).
        hint: Fix the line in an editor, or move the file away.

      """
    #expect(result == .init(out: "", err: error, code: 2))
  }

  @Test(arguments: [
    (
      "id,name,price\n1,A,x\n1,B,3\n1,C,4\n,,5\n",
      """
      error: Cannot import FILE: 4 lines have errors. Nothing was sent.
        reason: line 2: Invalid value for price: x.
        reason: 2 lines (3-4): Product 1 occurs twice.
        reason: line 5: name and price are needed.
        hint: Write a price as 12900 or 19.99: up to 15 digits, up to 2 decimals.

      """
    ),
    (
      "name,price,vendor\nA,3,nobody\n",
      """
      error: Cannot import FILE: one line has an error. Nothing was sent.
        reason: line 2: there is no vendor named nobody

      """
    ),
    (
      "name,price,vendor,images\nA,3,,none.png\nB,4,nobody,\nC,5,northside,\n",
      """
      error: Cannot import FILE: 2 lines have errors. Nothing was sent.
        reason: line 2: Cannot use none.png. Nothing was sent.
        reason: line 2: No such file.
        reason: line 3: there is no vendor named nobody

      """
    ),
    (
      "name,price,images\nA,3,../key\nB,4,/etc/hostname\nC,5,~/key\nD,6,.ssh/key\nE,7,key\n",
      """
      error: Cannot import FILE: 5 lines have errors. Nothing was sent.
        reason: line 2: Cannot use ../key.
        reason: line 2: A file can only name files below its own folder, and no hidden ones.
        reason: line 3: Cannot use /etc/hostname.
        reason: line 3: A file can only name files below its own folder, and no hidden ones.
        reason: line 4: Cannot use ~/key.
        reason: line 4: A file can only name files below its own folder, and no hidden ones.
        reason: line 5: Cannot use .ssh/key.
        reason: line 5: A file can only name files below its own folder, and no hidden ones.
        reason: line 6: Cannot use key. Nothing was sent.
        reason: line 6: It is not a JPEG, PNG, WebP, HEIC or AVIF image.

      """
    ),
  ])
  func invalidProductsAreRefused(_ table: String, _ error: String) throws {
    let home = try TemporaryHome()
    let file = try home.file("products.csv", table)
    _ = try home.file("key", "PRIVATE KEY\n")
    let lesson = try home.file("lesson.toml", "products = \"products.csv\"\n")
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--lesson", lesson])
    let told = result.err.replacing(file, with: "FILE").replacing(home.path + "/", with: "")
    #expect(PipedProgram.Result(out: result.out, err: told, code: result.code) == .init(out: "", err: error, code: 2))
    #expect(try !hasMarket(home))
  }

  /// The files that a lesson names are below its folder, as typed files need not be.
  @Test(
    arguments: ["products", "vendors"], ["../outside.csv", "ABSOLUTE", "~/outside.csv", "link.csv", ".hidden.csv"])
  func lessonNamesNoFileOutside(_ key: String, _ name: String) throws {
    let home = try TemporaryHome()
    let table = key == "products" ? "name,price\nA,3\n" : "Kim\n"
    let outside = try home.file("outside.csv", table)
    try FileManager.default.createDirectory(atPath: home.path + "/in", withIntermediateDirectories: false)
    _ = try home.file("in/.hidden.csv", table)
    symlink(outside, home.path + "/in/link.csv")
    let lesson = try home.file("in/lesson.toml", "\(key) = \"\(name.replacing("ABSOLUTE", with: outside))\"\n")
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--lesson", lesson])
    #expect(result.code == 2 && result.out.isEmpty, "\(result)")
    #expect(result.err.contains(name == "link.csv" ? "It is a link" : "below its own folder"), "\(result.err)")
    #expect(try !hasMarket(home))
  }

  /// The options that a lesson replaces, and a rule that no request can meet.
  @Test(arguments: [
    (["--slow", "3"], "", "`--slow` and `--lesson` cannot be combined. State it in the lesson."),
    (["--fail", "3%"], "", "`--fail` and `--lesson` cannot be combined. State it in the lesson."),
    (["--empty"], "", "`--empty` and `--lesson` cannot be combined. State it in the lesson."),
    (
      ["--vendors", "2"], "api = \"camp1\"",
      "`--vendors` cannot be used with camp1: it has no vendors, only a password per product."
    ),
    ([], "vendors = 501", "`--vendors` must be a number from 0 to 500, or a file."),
    (
      [], "[faults.\"GET /\"]\nrate = 1",
      "Could not start the built-in market.\n  reason: This API has no requests for the faults of GET /."
    ),
    (
      [], "[faults.\"GET /class\"]\nrate = 1",
      "Could not start the built-in market.\n  reason: This API has no requests for the faults of GET /class."
    ),
    (
      [], "[faults.\"GET /api/products/abc\"]\nrate = 1",
      "Could not start the built-in market.\n  reason: This API has no requests for the faults of GET /api/products/abc."
    ),
    (
      [], "api = \"camp1\"\nvendors = 3",
      "The lesson's vendors cannot be used with camp1: it has no vendors, only a password per product."
    ),
    (
      ["--api", "camp2"], "[faults.\"POST /api/products\"]\nrate = 1",
      "Could not start the built-in market.\n  reason: This API has no requests for the faults of POST /api/products."
    ),
  ])
  func optionsReplacedByALessonAreRefused(_ options: [String], _ text: String, _ message: String) throws {
    let home = try TemporaryHome()
    let lesson = try home.file("lesson.toml", text + "\n")
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--lesson", lesson] + options)
    #expect(result.code == 2 && result.err.hasPrefix("error: \(message)\n  hint: "), "\(result.err)")
    #expect(try !hasMarket(home))
  }

  /// Returns whether a lesson created anything, which would be continued after the lesson is corrected.
  private func hasMarket(_ home: TemporaryHome) throws -> Bool {
    try FileManager.default.subpathsOfDirectory(atPath: home.path).contains { $0.contains("lessons") }
  }

  // MARK: Products

  /// The products of a CSV file, pulled into a folder and served from it, are the same.
  @Test func folderAndCSVServeTheSameProducts() throws {
    let home = try TemporaryHome()
    let cup = noisePNG(width: 20, height: 10)
    _ = try home.file("cup.png", cup)
    _ = try home.file(
      "products.csv",
      """
      id,name,description,price,discount,currency,stock,images
      7,Paper lamp,"It folds,
      flat.",9000,500,KRW,12,cup.png
      ,접는 우산,가볍습니다.,23100,0,KRW,0,
      ,Notebook,100 pages.,4.50,0.25,USD,80,

      """)
    let lesson = try home.file("lesson.toml", "products = \"products.csv\"\nclock = \"2022-03-01T00:00:00Z\"\n")
    let columns = "ls all columns id,name,description,price,discount,currency,stock,images sort id as json"
    func serve(_ lesson: String, _ body: (String) throws -> Void) throws {
      let market = try PipedProgram(["serve", "--port", "0", "--home", home.path + "/market", "--lesson", lesson])
      let text = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
      try body(String(try #require(text.firstMatch(of: #/serving \S+ at (\S+)/#)).1))
      kill(market.processID, SIGTERM)
      _ = try market.result()
    }
    var listed = ""
    try serve(lesson) { url in
      let shell = ["--home", home.path + "/home", "--url", url, "--api", "open"]
      listed = try openmarket(shell + ["-c", columns]).out
      let ids = try openmarket(shell + ["-c", "ls all columns id,name sort id as csv"]).out
      #expect(ids == "id,name\n7,Paper lamp\n8,접는 우산\n9,Notebook\n")
      let pulled = try openmarket(shell + ["-c", "pull '\(home.path)/folder'"])
      #expect(pulled.code == 0, "\(pulled.err)")
    }
    let second = try home.file("second.toml", "products = \"folder\"\nclock = \"2022-03-01T00:00:00Z\"\n")
    try serve(second) { url in
      let again = try openmarket(["--home", home.path + "/other", "--url", url, "--api", "open", "-c", columns]).out
      func withoutPictures(_ text: String) -> String { text.replacing(#/"images": ?\[[^\]]*\]/#, with: "") }
      #expect(withoutPictures(again) == withoutPictures(listed))
      #expect(again.contains("It folds,\\nflat."), "\(again)")
    }
  }

  // MARK: Steps

  /// The shell of a student reads the steps from the server of the class; a lesson without steps has none.
  @Test func stepsReachTheShellsOfTheClass() throws {
    let home = try TemporaryHome()
    let steps = """
      [steps.1]
      goal = "Two products have more than 10 pieces."
      hint = "patch changes the stock."
      where = "stock>10"
      count = 2

      """
    for (name, text, expected) in [
      ("steps", steps, "note: Step 1 of 1: Two products have more than 10 pieces.\n  hint: patch changes the stock.\n"),
      ("plain", "", "error: There are no steps to learn on this market.\n"),
    ] {
      _ = try home.file("products.csv", "id,name,price,stock\n3,Lamp,9000,20\n4,Cup,15000,10\n")
      let lesson = try home.file("\(name).toml", "products = \"products.csv\"\n" + text)
      let market = try PipedProgram(["serve", "--port", "0", "--home", home.path + "/market", "--lesson", lesson])
      let greeting = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
      let url = String(try #require(greeting.firstMatch(of: #/serving \S+ at (\S+)/#)).1)
      let said = try openmarket(["--home", home.path + "/shell", "--url", url, "--api", "open", "-c", "learn"])
      #expect(said.err.contains(expected), "\(said)")
      kill(market.processID, SIGTERM)
      _ = try market.result()
    }
  }

  // MARK: Keys

  /// A lesson at a terminal, whose screen has what `serve` printed and asked.
  private struct Lesson {
    let program: TerminalProgram
    let home: TemporaryHome
    let url: String

    init(_ options: [String] = [], home: TemporaryHome, lang: String = "en") throws {
      let lesson = home.path + "/lesson.toml"
      if access(lesson, F_OK) != 0 {
        _ = try home.file("products.csv", "id,name,price\n3,Lamp,9000\n4,Cup,15000\n")
        _ = try home.file("lesson.toml", "products = \"products.csv\"\nvendors = 1\n")
      }
      program = try TerminalProgram(
        builtProgram("openmarket"),
        ["serve", "--port", "0", "--lang", lang, "--home", home.path + "/market", "--lesson", lesson] + options,
        columns: 120, rows: 60)
      self.home = home
      // The addresses above the keys have question marks too.
      try program.wait("the keys") { $0.screen.text.contains(", ? ") && $0.readsKeys }
      url = String(try #require(program.screen.text.firstMatch(of: #/(?:serving open at|서버:) (\S+)/#)).1)
    }

    /// Presses a key and waits for a text below what is there.
    func press(_ key: String, _ text: String) throws {
      let before = program.screen.text.ranges(of: text).count
      try program.type(key)
      try program.wait("'\(text)' after \(key)") { $0.screen.text.ranges(of: text).count > before }
    }

    /// Ends the lesson with q and the answer to its question.
    func end() throws {
      try press("q", "End the lesson? [y/N]")
      try program.type("y")
      #expect(try program.exitCode() == 0)
    }

    func names() throws -> String {
      try openmarket(
        ["--home", home.path + "/shell", "--url", url, "--api", "open", "-c", "ls columns name,stock sort name as csv"]
      ).out
    }

    func change(_ stock: Int) throws {
      let lines = program.screen.text.split(separator: "\n").filter { $0.contains("vendor_id=15 ") }
      let login = try #require(lines.first?.firstMatch(of: #/identifier=(\S+) secret=(\S+)/#))
      let result = try openmarket(
        [
          "--home", home.path + "/shell", "--url", url, "--api", "open", "--yes", "-c", "patch 3 stock=\(stock)",
        ], environment: ["OPENMARKET_IDENTIFIER": String(login.1), "OPENMARKET_SECRET": String(login.2)])
      #expect(result.code == 0, "\(result.err)")
    }
  }

  private static func products(_ stock: Int) -> String { "name,stock\nCup,0\nLamp,\(stock)\n" }

  @Test func teacherKeysControlTheLesson() throws {
    let home = try TemporaryHome()
    let lesson = try Lesson(home: home)
    try lesson.press("b", "delete what was changed since? [y/N]")
    try lesson.press("y", "note: There is no checkpoint.")
    try lesson.change(1)
    try lesson.press("s", "note: Saved a checkpoint with 2 products.")
    try lesson.change(2)
    // Any other key than y is a no.
    try lesson.press("r", "Go back to the beginning, and delete what was changed since? [y/N]")
    try lesson.press("\r", "note: Nothing was changed.")
    #expect(try lesson.names() == Self.products(2))
    try lesson.press("B", "Go back to the checkpoint, and delete what was changed since? [y/N]")
    try lesson.press("Y", "note: Back at the checkpoint with 2 products.")
    #expect(try lesson.names() == Self.products(1))
    try lesson.press("r", "Go back to the beginning")
    try lesson.press("y", "note: Back at the beginning with 2 products.")
    #expect(try lesson.names() == Self.products(0))
    // Keys without a meaning, arrows among them, do nothing.
    try lesson.program.type("x\u{1B}[A")
    try lesson.press("p", "note: Paused: requests wait until p is pressed again.")
    let request = try PipedProgram(
      ["-fsS", "--max-time", "30", lesson.url + "/api/products/3"], program: "/usr/bin/curl")
    try lesson.press("p", "note: Resumed.")
    #expect(try request.result().code == 0)
    try lesson.press(
      "?", "note: Keys: r begins again, s saves a checkpoint, b goes back to it, p pauses, q ends, ? shows this.")
    try lesson.press("q", "End the lesson? [y/N]")
    try lesson.press("n", "note: The lesson goes on.")
    try lesson.end()
    #expect(lesson.program.modeLine == TerminalProgram.line(of: lesson.program.modesBefore))
  }

  /// The keys have the same places in the Korean layout.
  @Test func koreanKeyboardLayoutHasTheSameKeys() throws {
    let lesson = try Lesson(home: try TemporaryHome(), lang: "ko")
    try lesson.press("ㄴ", "참고: 상품 2개의 저장 지점을 만들었습니다.")
    try lesson.press("ㄱ", "처음으로 돌아가고 그 뒤의 변경을 모두 삭제할까요? [y/N]")
    try lesson.press("ㅛ", "참고: 처음으로 돌아왔습니다. 상품 2개.")
    try lesson.press("ㅔ", "참고: 일시 정지했습니다.")
    try lesson.press("ㅂ", "수업을 끝낼까요? [y/N]")
    try lesson.program.type("ㅛ")
    #expect(try lesson.program.exitCode() == 0)
  }

  /// A lesson goes on where it ended, and begins again with `--fresh`; the teacher's own market is not touched.
  @Test func lessonContinuesAndRestartsWithFresh() throws {
    let home = try TemporaryHome()
    var lesson = try Lesson(home: home)
    try lesson.change(5)
    // Ctrl-C ends it as well, and restores the terminal.
    try lesson.program.type("\u{3}")
    #expect(try lesson.program.exitCode() == 0)
    #expect(lesson.program.modeLine == TerminalProgram.line(of: lesson.program.modesBefore))
    lesson = try Lesson(home: home)
    #expect(lesson.program.screen.text.contains("note: The lesson continues with its 2 products."))
    #expect(try lesson.names() == Self.products(5))
    try lesson.press("r", "[y/N]")
    try lesson.press("y", "Back at the beginning with 2 products.")
    #expect(try lesson.names() == Self.products(0))
    try lesson.end()
    _ = try home.file("products.csv", "name,price\nChair,100\n")
    lesson = try Lesson(["--fresh", "--yes"], home: home)
    #expect(try lesson.names() == "name,stock\nChair,0\n")
    try lesson.end()
    let markets = try home.files().keys.filter { $0.hasSuffix("market.sqlite") }
    #expect(markets.filter { $0.hasPrefix("market/") } == ["market/data/lessons/lesson/market.sqlite"])
    // The file is complete by itself.
    let logs = try home.files().filter { $0.key.hasPrefix("market/") && $0.key.hasSuffix("-wal") }
    #expect(logs.values.reduce(0) { $0 + $1.count } == 0)
  }

  /// The keys work again after Ctrl-Z, `bg` and `fg`, and the terminal is the shell's in between.
  @Test func teacherKeysWorkAfterControlZ() throws {
    let home = try TemporaryHome()
    let lesson = try home.file("lesson.toml", "products = \"none\"\n")
    let bash = try TerminalProgram(
      "/bin/bash", ["--norc", "-i"], environment: ["PS1": "$ ", "HISTFILE": ""], columns: 120, rows: 60)
    try bash.expect("$")
    try bash.type("bind 'set enable-bracketed-paste off'; clear\r")
    try bash.wait("the shell") { $0.screen.text == "$" }
    func press(_ keys: String, _ text: String) throws {
      let before = bash.screen.text.ranges(of: text).count
      try bash.type(keys)
      try bash.wait("'\(text)' after \(keys)") { $0.screen.text.ranges(of: text).count > before && $0.readsKeys }
    }
    let program = "'\(builtProgram("openmarket"))' serve --port 0 --lang en"
    try press("\(program) --home '\(home.path)' --lesson '\(lesson)'\r", "note: Keys:")
    try press("s", "note: Saved a checkpoint with 0 products.")
    let modes = bash.modeLine
    for words in ["fg", "bg; fg"] {
      try press("\u{1A}", "Stopped")
      try bash.type("clear; \(words)\r")
      // Only the note of the next key is counted.
      try bash.wait("an empty screen") { !$0.screen.text.contains("note: Saved") }
      try bash.wait("the modes") { $0.screen.text.contains("serve --port 0") && $0.modeLine == modes }
      try press("s", "note: Saved a checkpoint with 0 products.")
    }
    try press("q", "End the lesson? [y/N]")
    try bash.type("y")
    try bash.wait("the shell") { $0.screen.row == "$" }
    try bash.type("exit\r")
    _ = try bash.exitCode()
  }

  // MARK: Report

  @Test func classReportIsWritten() throws {
    let home = try TemporaryHome()
    let lesson = try home.file(
      "lesson.toml", "vendors = 1\nclock = \"2022-03-01T00:00:00Z\"\n[faults.\"POST /api/products\"]\nsequence = 429\n")
    let market = try PipedProgram(["serve", "--port", "0", "--home", home.path + "/market", "--lesson", lesson])
    let text = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    let url = try #require(text.firstMatch(of: #/serving \S+ at (\S+)/#)).1
    let page = String(try #require(text.firstMatch(of: #/\nteacher (\S+)/#)).1)
    let report = String(try #require(text.firstMatch(of: #/\nclass (\S+)/#)).1)
    let vendor = try #require(text.firstMatch(of: #/identifier=(\S+) secret=\S+ name=vendor1/#)).1
    for (method, path) in [("POST", ""), ("PATCH", "/999"), ("PATCH", "/999"), ("GET", "/999")] {
      _ = try PipedProgram(
        ["-s", "-X", method, "-H", "identifier: \(vendor)", "\(url)/api/products\(path)"], program: "/usr/bin/curl"
      ).result()
    }
    // The time is the machine's, not the lesson's.
    let seen = #/20(?:2[4-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\dZ/#
    let csv = """
      vendor_id,name,requests,last_seen,statuses,mistakes
      101,vendor1,4,SEEN,400: 2; 404: 1; 429: 1,"2 × 400 PATCH /api/products/…: JSON parse error: Unexpected end-of-input (line: 1, column: …). The server could not read the JSON.; 1 × 404 GET /api/products/…: Product … does not exist. The product does not exist."

      """
    for address in [page, report] {
      let result = try openmarket(["--home", home.path + "/home", "class", address, "as", "csv"])
      #expect(result.out.replacing(seen, with: "SEEN") == csv && result.err.isEmpty && result.code == 0, "\(result)")
    }
    for (wrong, code, message) in [
      (report.dropLast() + "_", 1, "The server did not send the report (404 Not Found)."),
      ("\(url)/api/products?key=x", 2, "The URL is not that of a teacher's page."),
      ("\(url)/class", 2, "The URL is not that of a teacher's page."),
    ] as [(String, Int32, String)] {
      let result = try openmarket(["--home", home.path + "/home", "class", wrong])
      #expect(result.code == code && result.err.hasPrefix("error: \(message)\n"), "\(result)")
    }
    kill(market.processID, SIGTERM)
    _ = try market.result()
    // The key is stored nowhere.
    let key = String(try #require(page.split(separator: "=").last))
    for (name, bytes) in try home.files() where name.hasPrefix("home/") {
      #expect(bytes.firstRange(of: Data(key.utf8)) == nil, "\(name)")
    }
  }

  /// A batch of which a part failed keeps its exit code if its report cannot be written.
  @Test(arguments: ["/dev/null", "/dev/full"]) func unwritableReportKeepsTheExitCode(_ output: String) throws {
    let home = try TemporaryHome()
    _ = try home.file("products.csv", "id,name,price\n3,Lamp,9000\n4,Cup,15000\n")
    let lesson = try home.file(
      "lesson.toml", "products = \"products.csv\"\n[faults.\"PATCH /api/products/*\"]\nsequence = [\"ok\", 403]\n")
    let market = try PipedProgram(["serve", "--port", "0", "--home", home.path + "/market", "--lesson", lesson])
    let text = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    let url = String(try #require(text.firstMatch(of: #/serving \S+ at (\S+)/#)).1)
    let login = text.split(separator: "\n").filter { $0.hasPrefix("export ") }.joined(separator: "; ")
    let line = "'\(builtProgram("openmarket"))' --home '\(home.path)/home' --url \(url) --api open --yes"
    let result = try PipedProgram(
      ["-c", "\(login); \(line) -c 'patch 3,4 stock=1' >\(output)"], program: "/bin/sh"
    ).result()
    #expect(result.code == 7, "\(result.err)")
    #expect(result.err.contains("warning: 1 of 2 changes applied."), "\(result.err)")
    #expect(result.err.contains("error: Cannot write to standard output.") == (output == "/dev/full"), "\(result.err)")
    kill(market.processID, SIGTERM)
    _ = try market.result()
  }

  /// A rule that no request can meet is an error, of whatever kind.
  @Test(arguments: [
    "GET /", "GET /class", "GET /openapi.json", "* /class", "GET /api/products/abc", "PATCH /api/products/me",
    "GET /nowhere",
  ])
  func unreachableRuleIsAnError(_ rule: String) throws {
    let home = try TemporaryHome()
    let lesson = try home.file("lesson.toml", "[faults.\"\(rule)\"]\nrate = 1\n")
    let result = try openmarket(["serve", "--port", "0", "--home", home.path, "--lesson", lesson])
    #expect(
      result.code == 2 && result.err.contains("This API has no requests for the faults of \(rule)."), "\(result)")
    #expect(try !hasMarket(home))
  }

  /// With `--fresh`, the products are read before a question and before anything is deleted.
  @Test func productsAreReadBeforeTheQuestion() throws {
    let home = try TemporaryHome()
    let lesson = try Lesson(home: home)
    try lesson.change(5)
    try lesson.end()
    _ = try home.file("products.csv", [0x6E, 0x61, 0x6D, 0x65, 0x2C, 0xFF, 0xFE, 0x00, 0x81])
    let result = try openmarket(
      ["serve", "--port", "0", "--home", home.path + "/market", "--lesson", home.path + "/lesson.toml", "--fresh"])
    #expect(result.code != 0 && result.err.contains("products.csv") && !result.err.contains("--yes"), "\(result)")
    let again = try Lesson(home: home)
    #expect(try again.names() == Self.products(5))
    try again.end()
  }
}
