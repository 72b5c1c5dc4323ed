@testable import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// `learn`: each step is done when the market shows it, and only then; progress in the home, markets without steps, and the
/// steps of a class.
@Suite(.timeLimit(Trial.limit)) struct LearnCommandTests {
  private static let urlSession = "main (unknown version) curl/8.5.0"

  /// The transport to the market, by which an app sends requests.
  private final class App: Sendable {
    private let door = Mutex<(transport: any Transport, url: URL)?>(nil)

    func open(_ transport: any Transport, _ url: URL) { door.withLock { $0 = (transport, url) } }

    /// Requests a product as another program.
    func request(_ path: [String] = ["api", "products", "138"], as agent: String) async throws {
      let (transport, url) = try #require(door.withLock { $0 })
      let request = Request(.get, path, headers: [HeaderField("User-Agent", agent)])
      _ = try await transport.send(request, to: url, with: SendOptions())
    }
  }

  /// A shell whose clock goes on, with an app.
  private struct Student {
    let sandbox: Sandbox
    let app: App
    let clock: SetClock

    /// Runs a line a minute later; `app AGENT` is a request of another program, `file LINE|LINE` writes a file.
    func run(_ line: String) async throws -> String {
      clock.set(clock.now + 60)
      if line.hasPrefix("app ") {
        try await app.request(as: String(line.dropFirst(4)))
        return await sandbox.run("health")
      }
      if line.hasPrefix("file ") {
        try sandbox.writeFile("mine.csv", String(line.dropFirst(5)).replacing("|", with: "\n"))
        return ""
      }
      return await sandbox.run(line)
    }

    /// Returns the line that is printed after a command at the prompt, in English.
    func notice() async -> String? {
      let scope = await CommandScope(sandbox.shell.session, sandbox.shell.context)
      // A busy machine takes longer than a user waits.
      return await LearningNotice.message(in: scope, within: .seconds(600))?.what.english.plain
    }

    /// The state of each step, as data.
    func states() async throws -> [String] {
      let said = await sandbox.data("learn as json").data
      let rows = try JSON(parsing: Data(said.utf8)).array ?? []
      return rows.map { $0.object?["state"]?.string ?? "" }
    }
  }

  private static func with(
    width: Int? = nil, served: (inout MarketOptions) -> Void = { _ in }, _ body: (Student) async throws -> Void
  ) async throws {
    let (app, clock) = (App(), SetClock())
    try await Sandbox.with(
      width: width,
      served: {
        $0.copiesBeginning = true
        $0.clock = { clock.now }
        served(&$0)
      },
      between: { transport, url in
        app.open(transport, url)
        return transport
      },
      adjusting: { $0.clock.now = { clock.now } }
    ) { sandbox in
      try sandbox.writePictures()
      try await body(Student(sandbox: sandbox, app: app, clock: clock))
    }
  }

  // MARK: Steps

  /// A step: lines after which it isn't done, lines after which it is, and lines that undo them; without any, the market is
  /// reset.
  struct Case: CustomTestStringConvertible, Sendable {
    var number: Int
    var before: [String] = []
    var lines: [String]
    var undoing: [String] = []

    var testDescription: String { "\(number): \(lines.joined(separator: "; "))" }
  }

  private static let lamp =
    "new name='Paper lamp' description='It folds into a card.' price=9000 currency=KRW stock=5 images=~/cup.png yes"

  private static let cases = [
    Case(number: 1, before: ["ls"], lines: ["show @1"]),
    Case(number: 1, before: ["show 138", "show 99999"], lines: ["ls mine"]),
    Case(number: 2, before: ["ls", "ls where stock<11", "ls where stock<9", "show 138"], lines: ["ls where stock<10"]),
    Case(number: 2, lines: ["ls mine where stock<=9"]),
    Case(
      number: 3, before: ["dry patch 138 stock=3", "show 138", "curl patch 138 stock=3"],
      lines: ["patch 138 stock=3 yes"],
      undoing: ["undo yes"]),
    Case(number: 3, lines: ["patch 138 description='Another description.' yes"], undoing: ["undo yes"]),
    Case(number: 4, before: ["show 138", "patch 138 stock=3 yes"], lines: ["undo yes"], undoing: ["redo yes"]),
    Case(number: 5, before: ["dry " + lamp.dropLast(4)], lines: [lamp], undoing: ["undo yes"]),
    Case(
      number: 6, before: ["patch 138 stock=3 yes", "undo yes", "export mine columns name,stock to ~/mine.csv"],
      lines: ["file id,stock|132,7|138,8|", "import ~/mine.csv yes"], undoing: ["undo yes"]),
    Case(number: 7, before: ["show 138", "patch 138 stock=-1"], lines: ["show 99999"]),
    Case(number: 8, before: ["get /api/products/138", "api read"], lines: ["app curl/8.5.0"]),
    Case(number: 9, before: ["show 138", "show 138 as json", "get /healthChecker"], lines: ["show 138 as server"]),
    Case(number: 10, before: ["app curl/8.5.0", "model to ~/Market.swift"], lines: ["app " + urlSession]),
    Case(number: 10, lines: ["app Shop/1 CFNetwork/1494.0.7 Darwin/23.4.0"]),
  ]

  @Test(arguments: cases) func stepIsDoneWhenTheMarketShowsIt(_ step: Case) async throws {
    try await Self.with { student in
      _ = try await student.run("learn")
      for _ in 1..<step.number { _ = try await student.run("learn next") }
      let file = student.sandbox.home.learningFile
      let before = try Data(contentsOf: URL(filePath: file))
      for line in step.before {
        _ = try await student.run(line)
        #expect(await student.notice() == nil, "\(line)")
      }
      for line in step.lines.dropLast() { _ = try await student.run(line) }
      let said = try await student.run(step.lines[step.lines.count - 1])
      let notice = await student.notice()
      let isLast = step.number == 10
      #expect(
        notice?.hasPrefix(isLast ? "All 10 steps are done." : "Step \(step.number) of 10 is done") == true, "\(said)")
      #expect(try await student.states()[step.number - 1].hasSuffix("done"))
      // With the progress of before, what was undone is not done again.
      if step.undoing.isEmpty { try await student.sandbox.returnToBeginning() }
      for line in step.undoing { _ = try await student.run(line) }
      try before.write(to: URL(filePath: file))
      student.clock.set(student.clock.now + 60)
      #expect(await student.notice() == nil)
      #expect(try await student.states()[step.number - 1] == "current")
    }
  }

  /// What can be read again is read again, what can't is said with its time, and a reset is said.
  @Test func doneIsReadNowOrHasItsTime() async throws {
    try await Self.with { student in
      _ = try await student.run("learn")
      for line in ["ls", "show @1", "ls where stock<10", "patch 138 stock=3 yes", "undo yes", Self.lamp] {
        _ = try await student.run(line)
        _ = await student.notice()
      }
      #expect(
        try await student.states()
          == ["was done", "was done", "was done", "was done", "done", "current", "", "", "", ""])
      _ = try await student.run("rm 142 yes")
      #expect(try await student.states()[4] == "was done")
      try await student.sandbox.returnToBeginning()
      #expect(
        try await student.states() == Array(repeating: "before reset", count: 5) + ["current", "", "", "", ""])
      // The step begins anew: the products are compared with those of the new market.
      _ = try await student.run("patch 132,138 stock=3 yes")
      #expect(await student.notice()?.hasPrefix("Step 6 of 10 is done.") == true)
    }
  }

  /// Several steps may be done at once, and `learn next` leaves the current one out.
  @Test func stepsGoOn() async throws {
    try await Self.with { student in
      #expect(await student.notice() == nil)
      _ = try await student.run("ls where stock<10; show @1")
      #expect(await student.notice() == nil)
      #expect(try await student.states()[0] == "current")
      _ = try await student.run("show @1")
      #expect(await student.notice() == "Step 2 of 10 is done. Next: Change one of your products.")
      _ = try await student.run("learn next")
      #expect(try await student.states().prefix(4) == ["was done", "was done", "skipped", "current"])
      _ = try await student.run("learn off")
      _ = try await student.run("patch 138 stock=3 yes")
      _ = try await student.run("undo yes")
      #expect(await student.notice() == nil)
      // Without the line after commands nobody saw the change.
      #expect(try await student.states()[3] == "current")
      _ = try await student.run("learn again")
      #expect(try await student.states()[0] != "skipped")
    }
  }

  /// The requests of the check after a line are not among the recorded ones.
  @Test func checkIsNotRecorded() async throws {
    try await Self.with { student in
      _ = try await student.run("learn")
      _ = try await student.run("health")
      _ = await student.notice()
      let calls = try await student.run("calls 1 as csv")
      #expect(calls.contains("healthChecker") && !calls.contains("items_per_page"), "\(calls)")
    }
  }

  // MARK: Progress

  @Test func anotherSessionGoesOn() async throws {
    try await Self.with { student in
      _ = try await student.run("learn next")
      let stored = try #require(try LearningStore(student.sandbox.home).progress(in: "built-in"))
      #expect(stored.step == 2 && stored.isOn)
      let session = try student.sandbox.reopened()
      var scope = await CommandScope(session, student.sandbox.shell.context)
      let learning = try await LearningSession(LearningCourse.builtIn, stored, in: &scope)
      #expect(learning.progress.step == 2)
    }
  }

  @Test(arguments: [
    ("version = 2\n", "Line 1: unsupported file version 2; it may have been written by a newer openmarket."),
    ("[courses.built-in]\nstep = 0\n", "Line 2: step has an invalid value."),
    ("[courses.built-in]\nstep = \"x\"\n", "Line 2: step must be a whole number."),
    ("[courses.built-in.base]\n1 = \"x\"\n", "Line 2: 1 has an invalid value."),
    ("[courses.built-in.reached.1]\ntime = -1\n", "Line 1: 1 has an invalid value."),
    ("courses = 1\n", "Line 1: courses must be a table."),
    ("step\n", "Line 1: "),
  ])
  func damagedProgressIsRefused(_ text: String, _ reason: String) async throws {
    try await Self.with { student in
      try Files.createDirectory(student.sandbox.home.state)
      try Files.write(Data(text.utf8), to: student.sandbox.home.learningFile)
      let said = try await student.run("learn")
      #expect(said.contains(reason) && said.hasSuffix("= 2\n"), "\(said)")
      #expect(try Data(contentsOf: URL(filePath: student.sandbox.home.learningFile)) == Data(text.utf8))
      _ = try await student.run("ls")
      #expect(await student.notice() == nil)
      // A file that isn't one of this version is left to the user.
      guard text.hasPrefix("[courses.built-in") else { return }
      #expect(try await student.run("learn again").contains("Step 1 of 10"))
    }
  }

  // MARK: Other markets

  @Test func onlyTheBuiltInMarketHasSteps() async throws {
    try await Self.with { student in
      _ = try await student.run("profile add shop url=\(student.sandbox.url.absoluteString) api=open; profile shop")
      let english = """
        ! error: There are no steps to learn on this market.
        !   reason: This session uses shop; the steps change products.
        !   hint: Run `profile demo` to switch to the built-in market.
        = 2

        """
      #expect(try await student.run("learn") == english)
      let korean = """
        ! 오류: 이 마켓에는 배우기 단계가 없습니다.
        !   이유: 현재 shop에 연결되어 있고, 단계마다 상품이 바뀝니다.
        !   힌트: 내장 마켓으로 바꾸려면 `profile demo`를 실행하세요.
        = 2

        """
      _ = try await student.run("set lang ko here")
      #expect(try await student.run("learn") == korean)
      #expect(try await student.run("learn off").contains("learn"))
    }
  }

  @Test func dryRunsStoreNothing() async throws {
    try await Self.with { student in
      let dry = try await student.run("dry learn")
      #expect(dry == "! note: Dry run: nothing was saved.\n")
      let requests = try await student.run("curl learn")
      #expect(requests == "! note: `learn` sends no requests.\n")
      #expect(!LearningStore(student.sandbox.home).exists)
      let two = try await student.run("learn next off")
      #expect(two.hasSuffix("= 2\n"), "\(two)")
    }
  }

  // MARK: Classes

  private static let classSteps = [
    #"{"goal":"Bring the lamp back.","goal_ko":"등을 되돌리세요.","hint":"patch\u001b[31m","where":"vendor=me and stock=3"}"#,
    #"{"goal":"Nothing of yours is sold out.","hint":"patch","where":"vendor=me and stock=0","count":0}"#,
  ]

  /// The steps of a class are read from its server, and each time anew.
  @Test func classHasItsOwnSteps() async throws {
    let document = #"{"steps":[\#(Self.classSteps.joined(separator: ","))]}"#
    try await Self.with(served: { $0.learningSteps = document }) { student in
      let vendor = EmbeddedMarket.demoVendor
      try student.sandbox.writeFile("secret.txt", vendor.secret)
      _ = try await student.run("profile add class url=\(student.sandbox.url.absoluteString) api=open; profile class")
      _ = try await student.run(
        "login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret.txt")
      let said = try await student.run("learn")
      #expect(said.contains("Step 1 of 2: Bring the lamp back.") && !said.contains("\u{1B}"), "\(said)")
      _ = try await student.run("ls")
      #expect(await student.notice() == nil)
      _ = try await student.run("patch 138 stock=3 yes")
      #expect(await student.notice() == "Step 1 of 2 is done. Next: Nothing of yours is sold out.")
      _ = try await student.run("patch 108 stock=1 yes")
      #expect(await student.notice()?.hasPrefix("All 2 steps are done.") == true)
      #expect(try await student.states() == ["done", "done"])
      _ = try await student.run("undo yes")
      #expect(try await student.states() == ["done", "was done"])
      _ = try await student.run("set lang ko here")
      #expect(try await student.run("learn again").contains("2단계 중 1단계: 등을 되돌리세요."))
    }
  }

  /// What a server sends in place of steps is refused, with the reason.
  @Test(arguments: [
    ("{", "The response is not JSON, or too long."),
    (String(repeating: " ", count: 70_000) + "{}", "The response is not JSON, or too long."),
    ("{}", "Step 1: there must be 1 to 20 steps"),
    (#"{"steps":[{"hint":"h","where":"stock=0"}]}"#, "Step 1: goal is missing"),
    (#"{"steps":[{"goal":"g","hint":"h","where":"stok=0"}]}"#, "Step 1: where is no condition: Unknown field: stok"),
    (#"{"steps":[{"goal":"g","hint":"h","where":"stock=0","count":1e30}]}"#, "Step 1: count must be from 0 to 10000"),
    (
      #"{"steps":[{"goal":"a\nb","hint":"h","where":"stock=0"}]}"#,
      "Step 1: goal must be one line of at most 200 characters"
    ),
  ])
  func damagedStepsOfAClassAreRefused(_ document: String, _ reason: String) async throws {
    try await Self.with(served: { $0.learningSteps = document }) { student in
      _ = try await student.run("profile add class url=\(student.sandbox.url.absoluteString) api=open; profile class")
      let said = try await student.run("learn")
      #expect(said.contains("The steps of this class cannot be used.") && said.contains(reason), "\(said)")
      #expect(said.hasSuffix("= 1\n") && !LearningStore(student.sandbox.home).exists)
    }
  }

  /// The prompt doesn't wait for a server that doesn't respond, and `learn` reads the step later.
  @Test func slowMarketIsNotWaitedFor() async throws {
    try await Self.with { student in
      _ = try await student.run("learn; ls; show @1")
      var context = await student.sandbox.shell.context
      context.network.transport = SilentTransport()
      context.network.bareTransport = SilentTransport()
      let scope = await CommandScope(student.sandbox.shell.session, context)
      #expect(await LearningNotice.message(in: scope, within: .milliseconds(10)) == nil)
    }
  }

  /// A server that accepts requests and sends nothing until the command is canceled.
  private struct SilentTransport: Transport {
    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      try? await Task.sleep(for: .seconds(600))
      throw TransportError(.cancelled, extent: .none)
    }
  }

  // MARK: The first hour

  /// The commands of a student's first hour, from the first list to the first program that reads the market.
  @Test func firstHourNeedsFewCommands() async throws {
    try await Self.with { student in
      let hour = [
        "learn", "ls", "show @1", "ls where stock<10", "patch 138 price+=1000 yes", "undo yes",
        "image 138 to ~/lamp.jpg",
        Self.lamp.replacing("cup.png", with: "lamp.jpg"), "export mine columns name,stock to ~/mine.csv",
        "import ~/mine.csv yes", "show 99999", "explain", "api read", "app curl/8.5.0", "show 138 as server",
        "model to ~/Market.swift",
      ]
      var commands = 0
      var (created, done) = (0, 0)
      for line in hour {
        if line.hasPrefix("import") {
          _ = try await student.run("file id,name,stock|138,먹색 요리책,8|132,먹색 요가 볼,9|")
        }
        let said = try await student.run(line)
        commands += 1
        let notice = await student.notice() ?? ""
        if notice.hasPrefix("Step 5") { created = commands }
        #expect(!said.contains("\n= ") || line.hasPrefix("show 99999"), "\(line): \(said)")
      }
      let folder = student.sandbox.folder
      let program = "print(try await MarketClient().products().pages.count)"
      let said = try await SwiftCodeGeneratorTests.run(
        "cd \(folder) && echo '\(program)' > main.swift && swiftc Market.swift main.swift -o shop && ./shop",
        student.sandbox)
      commands += 1
      // The compiler took its time, and the request has the time of the clock.
      if await student.notice()?.hasPrefix("All 10 steps are done.") == true { done = commands }
      #expect(said == "20\n")
      #expect(created == 8 && done == 17)
    }
  }
}
