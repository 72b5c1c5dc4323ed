import Catalog
import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import MarketOperations
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text
import WriteJournal

/// Plans of agents, and profiles that ask for a person or for a signature.
///
/// The keys are made by the system's `ssh-keygen`, which also signs and verifies.
@Suite(.timeLimit(Trial.limit)) struct PlanSignatureTests {
  /// What is wrong with the approval of a plan, in a profile with `apply=signed`.
  enum Fault: String, CaseIterable {
    case unsigned, changedByte, unlistedKey, expired, otherNamespace, otherProfile, otherAddress, oneSignature,
      sameKeyTwice,
      secondKeyOfThePerson, pattern, copiedSignature, noSignature,
      editedBeforeSigning, noList, listOfOthers, bareLine, undo
  }

  private func change(_ name: String, _ old: String, _ new: String, in sandbox: Sandbox) throws {
    let path = sandbox.folder + "/" + name
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(old))
    try text.replacing(old, with: new).write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// A sandbox of the account kim, with a plan `~/p.plan` and a profile `shop` at the same address.
  private func withSandbox(
    _ settings: String, agent: String? = nil, asker: ScriptedAsker? = nil, _ clock: SetClock = SetClock(),
    _ body: (Sandbox, CountingTransport.Counts) async throws -> Void
  ) async throws {
    let counts = CountingTransport.Counts()
    // The account counts, and not what the environment says about it.
    var environment = ["USER": "lee", "LOGNAME": "lee"]
    environment["AI_AGENT"] = agent
    try await Sandbox.with(
      asker: asker, environment: environment, between: { inner, _ in CountingTransport(inner, counts) },
      adjusting: {
        $0.clock.now = { clock.now }
        $0.program.account = { "kim" }
      }
    ) { sandbox in
      #expect(
        await sandbox.run("profile add shop url=\(sandbox.url.absoluteString) api=open \(settings)").contains("shop"))
      _ = await sandbox.run("profile shop")
      let vendor = EmbeddedMarket.demoVendor
      try sandbox.writeFile("secret", vendor.secret)
      _ = await sandbox.run("login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret")
      #expect(await sandbox.run("plan patch 42 stock=7 to ~/p.plan").contains("Saved a plan"))
      try await body(sandbox, counts)
    }
  }

  /// Each fault is held back with exit code 4, and no request is sent.
  @Test(arguments: Fault.allCases) func invalidApprovalSendsNothing(_ fault: Fault) async throws {
    let clock = SetClock()
    let needsTwo: Set<Fault> = [.oneSignature, .sameKeyTwice, .secondKeyOfThePerson, .pattern, .copiedSignature]
    let two = needsTwo.contains(fault) ? " two=on" : ""
    try await withSandbox("apply=signed" + two, clock) { sandbox, counts in
      try sandbox.makeKey("kim-key", as: "kim@example.com")
      if fault != .unsigned {
        #expect(await sandbox.run("approve ~/p.plan key ~/kim-key yes").contains("Signed"))
      }
      var line = "apply ~/p.plan yes"
      switch fault {
      case .unsigned: break
      case .changedByte: try change("p.plan", "\"stock\":7", "\"stock\":8", in: sandbox)
      case .unlistedKey:
        try sandbox.makeKey("other-key", as: nil)
        #expect(await sandbox.run("approve ~/p.plan key ~/other-key yes").contains("Signed"))
      case .expired: clock.set(clock.now.addingTimeInterval(86_401))
      case .otherNamespace:
        try Sandbox.execute("rm", "p.plan.sig", in: sandbox.folder)
        try Sandbox.execute(
          "ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", "kim-key", "p.plan", in: sandbox.folder)
      case .otherProfile:
        _ = await sandbox.run("profile add mall url=\(sandbox.url.absoluteString) api=open apply=signed")
        _ = await sandbox.run("profile mall")
      case .otherAddress:
        _ = await sandbox.run("profile shop url=http://127.0.0.1:1")
      case .oneSignature: break
      case .sameKeyTwice:
        #expect(await sandbox.run("approve ~/p.plan key ~/kim-key yes").contains("Ask another person"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/p.plan.sig2"))
      case .secondKeyOfThePerson, .pattern:
        try sandbox.makeKey("other-key", as: fault == .pattern ? "*@example.com" : "Kim@example.com")
        #expect(await sandbox.run("approve ~/p.plan key ~/other-key yes").contains("p.plan.sig2"))
      case .copiedSignature: try Sandbox.execute("cp", "p.plan.sig", "p.plan.sig2", in: sandbox.folder)
      case .noSignature: try sandbox.writeFile("p.plan.sig", "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END\n")
      case .editedBeforeSigning:
        try change("p.plan", "\"stock\":7", "\"stock\":8", in: sandbox)
        #expect(await sandbox.run("approve ~/p.plan key ~/kim-key yes").contains("Nothing was signed"))
        try Sandbox.execute("rm", "p.plan.sig", in: sandbox.folder)
        try Sandbox.execute(
          "ssh-keygen", "-q", "-Y", "sign", "-n", "openmarket-plan", "-f", "kim-key", "p.plan", in: sandbox.folder)
      case .noList: try Sandbox.execute("rm", sandbox.home.configuration + "/allowed_signers", in: sandbox.folder)
      case .listOfOthers: chmod(sandbox.home.configuration + "/allowed_signers", 0o666)
      case .bareLine: line = "patch 42 stock=7 yes"
      case .undo: line = "undo yes"
      }
      counts.reset()
      let said = await sandbox.run(line)
      #expect(said.hasSuffix("= 4\n"), "\(fault): \(said)")
      #expect(counts.total == 0, "\(fault)")
      #expect(said.contains("Nothing was sent"), "\(fault): \(said)")
    }
  }

  /// The same plan with the signatures of two persons is applied in whatever order they signed, and the log names both.
  @Test func signedPlanIsApplied() async throws {
    try await withSandbox("apply=signed two=on", agent: "bot") { sandbox, _ in
      try sandbox.makeKey("kim-key", as: "kim@example.com")
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      func approve(_ plan: String) async {
        let first = await sandbox.run("approve ~/\(plan) key ~/lee-key yes")
        #expect(first.contains("\(plan).sig.") && first.contains("Ask another person"), "\(first)")
        let second = await sandbox.run("approve ~/\(plan) key ~/kim-key yes")
        #expect(second.contains("\(plan).sig2.") && second.contains("to apply it"), "\(second)")
      }
      #expect(
        await sandbox.run("dry approve ~/p.plan key ~/lee-key").contains("As the file says, made by agent bot, kim"))
      await approve("p.plan")
      let said = await sandbox.run("apply ~/p.plan yes")
      #expect(!said.contains("= "), "\(said)")
      let entry = try #require(try sandbox.log().first)
      #expect(entry.actor == .agent("bot") && entry.approver == "lee@example.com, kim@example.com")
      // What was signed is undone by a signed plan.
      #expect((await sandbox.run("undo yes")).hasSuffix("= 4\n"))
      #expect((await sandbox.run("plan undo actor bot to ~/back.plan")).contains("Saved a plan of 1 change"))
      await approve("back.plan")
      #expect(!(await sandbox.run("apply ~/back.plan yes")).contains("= "))
      #expect(await sandbox.run("show 42 stock as csv") == "stock\n4\n")
    }
  }

  /// Writes a plan again with other texts and the digests that belong to them, as anyone can.
  private func forge(_ sandbox: Sandbox, _ change: (String) -> String) throws {
    let path = sandbox.folder + "/p.plan"
    let text = change(try String(contentsOfFile: path, encoding: .utf8))
    let plan = try PlanFile(text, named: path, .documented)
    try plan.text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// What an approver sees of a product is the market's, and what only the file says is marked.
  @Test func approverSeesTheProductOfTheMarket() async throws {
    try await withSandbox("apply=signed") { sandbox, counts in
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      let name = try #require(try await sandbox.product(42)?.name)
      try forge(sandbox) {
        $0.replacing(name, with: "Cheap old junk").replacing("patch 42 stock=7", with: "patch 9 stock=1")
      }
      counts.reset()
      let said = await sandbox.run("approve ~/p.plan key ~/lee-key yes")
      #expect(said.contains("update 42 \(name)") && !said.contains("junk") && said.contains("Signed"), "\(said)")
      #expect(said.contains("As the file says, made by person, kim with `patch 9 stock=1`"), "\(said)")
      #expect(counts.total > 0 && counts.writes.isEmpty)
    }
  }

  enum Obstacle: CaseIterable { case forgedValue, changed, deleted, unreachable, appliedBefore }

  /// A plan whose products aren't as it says, or that can't be compared, is not signed.
  @Test(arguments: Obstacle.allCases) func planThatDoesNotFitIsNotSigned(_ obstacle: Obstacle) async throws {
    try await withSandbox("apply=anyone") { sandbox, _ in
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      switch obstacle {
      case .forgedValue: try forge(sandbox) { $0.replacing("\"from\":{\"stock\":4}", with: "\"from\":{\"stock\":1}") }
      case .changed: _ = await sandbox.run("patch 42 stock=5 yes")
      case .deleted: _ = await sandbox.run("rm 42 yes")
      case .unreachable:
        _ = await sandbox.run("profile shop url=http://127.0.0.1:1")
        let path = sandbox.folder + "/p.plan"
        var plan = try PlanFile(String(contentsOfFile: path, encoding: .utf8), named: path, .documented)
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        plan.destination = PlanFile.Destination(await sandbox.shell.session, at: url)
        try plan.text.write(toFile: path, atomically: false, encoding: .utf8)
      case .appliedBefore: _ = await sandbox.run("apply ~/p.plan yes")
      }
      let said = await sandbox.run("approve ~/p.plan key ~/lee-key yes")
      #expect(!said.contains("Signed"), "\(said)")
      switch obstacle {
      case .forgedValue, .changed: #expect(said.contains("product 42: stock") && said.hasSuffix("= 4\n"), "\(said)")
      case .deleted: #expect(said.contains("product 42 was deleted") && said.hasSuffix("= 4\n"), "\(said)")
      case .unreachable: #expect(said.hasSuffix("= 3\n"), "\(said)")
      case .appliedBefore: #expect(said.contains("Nothing is left to change. Nothing was signed."), "\(said)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.folder + "/p.plan.sig"))
    }
  }

  /// The discounts of a sale that an approver sees are those of its rule, not those that the file shows.
  @Test func approverSeesTheRuleOfASale() async throws {
    try await withSandbox("apply=signed") { sandbox, _ in
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      _ = await sandbox.run("sale 138 10% from 12-01 to 12-02")
      let folder = sandbox.home.scheduledPlansDirectory
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".json") })
      let path = folder + "/" + name
      let text = try String(contentsOfFile: path, encoding: .utf8).replacing("\"percent\":10", with: "\"percent\":90")
      try PlanFile(text, named: path, .documented).text.write(toFile: path, atomically: false, encoding: .utf8)
      let price = try #require(try await sandbox.product(138)?.price)
      let said = await sandbox.run("approve \(path) key ~/lee-key yes")
      #expect(said.contains("A sale of 90% for 1 product until") && said.contains("Signed"), "\(said)")
      let discount = Int("\(price)").map { $0 * 9 / 10 } ?? 0
      #expect(said.replacing(",", with: "").contains("\(discount)"), "\(said)")
    }
  }

  /// A signature replaces an earlier one, and no link and no other file.
  @Test func signatureReplacesNoOtherFile() async throws {
    try await withSandbox("apply=signed") { sandbox, _ in
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      try sandbox.writeFile("ssh-config", "Host *")
      symlink(sandbox.folder + "/ssh-config", sandbox.folder + "/p.plan.sig")
      #expect(await sandbox.run("approve ~/p.plan key ~/lee-key yes").hasSuffix("= 4\n"))
      unlink(sandbox.folder + "/p.plan.sig")
      try sandbox.writeFile("p.plan.sig", "Host *")
      #expect(await sandbox.run("approve ~/p.plan key ~/lee-key yes").hasSuffix("= 4\n"))
      for name in ["ssh-config", "p.plan.sig"] {
        #expect(try String(contentsOfFile: sandbox.folder + "/" + name, encoding: .utf8) == "Host *")
      }
      try sandbox.writeFile("p.plan.sig", "-----BEGIN SSH SIGNATURE-----\nold\n")
      for _ in 1...2 { #expect(await sandbox.run("approve ~/p.plan key ~/lee-key yes").contains("Signed")) }
      #expect(await sandbox.run("apply ~/p.plan yes").contains("Updated product 42."))
    }
  }

  /// A write without a profile names the profile of the same address that asks for more, once.
  @Test(
    arguments: [
      ("apply=signed two=on", "apply=signed two=on"), ("access=ro", "access=ro"), ("apply=person", "apply=person"),
      ("confirm=always", nil),
    ], ["127.0.0.1", "localhost"])
  func stricterProfileOfTheAddressIsNamed(_ rule: (settings: String, guards: String?), _ host: String) async throws {
    let (settings, guards) = rule
    let context = Mutex<CommandContext?>(nil)
    try await Sandbox.with(adjusting: { adjusted in context.withLock { $0 = adjusted } }) { sandbox in
      var options = SessionOptions()
      options.url = sandbox.url.absoluteString.replacing("127.0.0.1", with: host)
      _ = await sandbox.run("profile add strict url=\(sandbox.url.absoluteString) api=open \(settings)")
      _ = await sandbox.run("profile add other url=http://127.0.0.1:1 access=ro")
      func said(_ options: SessionOptions) throws -> String {
        let console = BufferConsole(isTerminal: false, width: nil)
        var context = try #require(context.withLock { $0 })
        context.program.console = console
        let scope = CommandScope(try sandbox.reopened(options), context)
        try scope.requireWritable()
        return console.take()
      }
      let warning = try said(options)
      #expect(warning.contains("without profile strict") == (guards != nil), "\(warning)")
      if let guards { #expect(warning.contains("the same address and `\(guards)`"), "\(warning)") }
      #expect(!warning.contains("other"))
      // Once is enough, and a session of a profile isn't told of its own.
      #expect(try said(options).isEmpty)
      #expect(try said(SessionOptions()).isEmpty)
    }
  }

  /// Under `apply=person` neither `yes` nor a `y` applies the plan of an agent: the number of products is typed.
  @Test(arguments: [(["1"], "done"), (["y"], nil), (["2"], nil), ([], nil), (nil, nil)] as [([String]?, String?)])
  func agentPlanRequiresTheTypedCount(_ answers: [String]?, _ outcome: String?) async throws {
    let asker = answers.map { ScriptedAsker($0) }
    try await withSandbox("apply=person", agent: "bot", asker: asker) { sandbox, counts in
      counts.reset()
      let said = await sandbox.run("apply ~/p.plan yes")
      #expect(said.hasSuffix("= 4\n") == (outcome == nil), "\(said)")
      #expect(counts.writes.isEmpty == (outcome == nil))
      let approver = try sandbox.log().first?.approver
      #expect(approver == (outcome == nil ? nil : "kim"))
      if let asker { #expect(asker.questions.last?.contains("Type the number of products (1)") == true) }
    }
  }

  /// The plan of a person is asked about as always.
  @Test func personsPlanIsAppliedWithYes() async throws {
    try await withSandbox("apply=person") { sandbox, _ in
      let said = await sandbox.run("apply ~/p.plan yes")
      #expect(said.contains("Updated product 42.") && !said.contains("= "), "\(said)")
    }
  }

  /// A terminal is no signature.
  @Test func terminalIsNoSignature() async throws {
    try await withSandbox("apply=signed", agent: "bot", asker: ScriptedAsker(["1", "y", "1"])) { sandbox, counts in
      counts.reset()
      #expect((await sandbox.run("apply ~/p.plan")).hasSuffix("= 4\n"))
      #expect((await sandbox.run("patch 42 stock=7")).hasSuffix("= 4\n"))
      #expect(counts.total == 0)
    }
  }

  @Test(arguments: [("plan valid 7d patch 42 stock=7", 7 * 86_400), ("plan patch 42 stock=7", 86_400)])
  func planExpiresAfterItsValidity(_ line: String, _ seconds: Int) async throws {
    let clock = SetClock()
    try await Sandbox.with(adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      _ = await sandbox.run(line + " to ~/p.plan")
      clock.set(clock.now.addingTimeInterval(Double(seconds)))
      #expect(!(await sandbox.run("dry apply ~/p.plan")).contains("expired"))
      clock.set(clock.now.addingTimeInterval(1))
      let said = await sandbox.run("apply ~/p.plan yes")
      #expect(said.contains("expired at") && said.hasSuffix("= 4\n"), "\(said)")
      #expect((await sandbox.run("plan valid soon patch 42 stock=7")).hasSuffix("= 2\n"))
    }
  }
}
