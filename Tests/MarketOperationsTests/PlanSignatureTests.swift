import EmbeddedMarket
import Foundation
import Platform
import Shell
import ShellRuntime
import ShellTesting
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
    case unsigned, changedByte, unlistedKey, expired, otherNamespace, otherProfile, otherAddress, ownSignature,
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
    var environment = ["USER": "kim"]
    environment["AI_AGENT"] = agent
    try await Sandbox.with(
      asker: asker, environment: environment, between: { inner, _ in CountingTransport(inner, counts) },
      adjusting: { $0.now = { clock.now } }
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
    let two = fault == .ownSignature ? " two=on" : ""
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
      case .ownSignature: break
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

  /// The same plan with the signature of another person is applied, and the log names both.
  @Test func signedPlanIsApplied() async throws {
    try await withSandbox("apply=signed two=on", agent: "bot") { sandbox, _ in
      try sandbox.makeKey("lee-key", as: "lee@example.com")
      #expect(await sandbox.run("approve ~/p.plan key ~/lee-key yes").contains("Made by agent bot, kim"))
      let said = await sandbox.run("apply ~/p.plan yes")
      #expect(!said.contains("= "), "\(said)")
      let entry = try #require(try sandbox.log().first)
      #expect(entry.actor == .agent("bot") && entry.approver == "lee@example.com")
      // What was signed is undone by a signed plan.
      #expect((await sandbox.run("undo yes")).hasSuffix("= 4\n"))
      #expect((await sandbox.run("plan undo actor bot to ~/back.plan")).contains("Saved a plan of 1 change"))
      #expect((await sandbox.run("approve ~/back.plan key ~/lee-key yes")).contains("Signed"))
      #expect(!(await sandbox.run("apply ~/back.plan yes")).contains("= "))
      #expect(await sandbox.run("show 42 stock as csv") == "stock\n4\n")
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
    try await Sandbox.with(adjusting: { $0.now = { clock.now } }) { sandbox in
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
