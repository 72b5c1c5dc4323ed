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

  private func change(_ name: String, _ old: String, _ new: String, in house: House) throws {
    let path = house.folder + "/" + name
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(old))
    try text.replacing(old, with: new).write(toFile: path, atomically: false, encoding: .utf8)
  }

  /// A house of the account kim, with a plan `~/p.plan` and a profile `shop` at the same address.
  private func visit(
    _ settings: String, agent: String? = nil, asker: ScriptedAsker? = nil, _ clock: SetClock = SetClock(),
    _ body: (House, CountingTransport.Counts) async throws -> Void
  ) async throws {
    let counts = CountingTransport.Counts()
    var environment = ["USER": "kim"]
    environment["AI_AGENT"] = agent
    try await House.visit(
      asker: asker, environment: environment, between: { inner, _ in CountingTransport(inner, counts) },
      adjusting: { $0.now = { clock.now } }
    ) { house in
      #expect(await house.say("profile add shop url=\(house.url.absoluteString) api=open \(settings)").contains("shop"))
      _ = await house.say("profile shop")
      let vendor = EmbeddedMarket.demoVendor
      try house.bring("secret", vendor.secret)
      _ = await house.say("login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret")
      #expect(await house.say("plan patch 42 stock=7 to ~/p.plan").contains("Saved a plan"))
      try await body(house, counts)
    }
  }

  /// Each fault is held back with exit code 4, and no request is sent.
  @Test(arguments: Fault.allCases) func invalidApprovalSendsNothing(_ fault: Fault) async throws {
    let clock = SetClock()
    let two = fault == .ownSignature ? " two=on" : ""
    try await visit("apply=signed" + two, clock) { house, counts in
      try house.makeKey("kim-key", as: "kim@example.com")
      if fault != .unsigned {
        #expect(await house.say("approve ~/p.plan key ~/kim-key yes").contains("Signed"))
      }
      var line = "apply ~/p.plan yes"
      switch fault {
      case .unsigned: break
      case .changedByte: try change("p.plan", "\"stock\":7", "\"stock\":8", in: house)
      case .unlistedKey:
        try house.makeKey("other-key", as: nil)
        #expect(await house.say("approve ~/p.plan key ~/other-key yes").contains("Signed"))
      case .expired: clock.set(clock.now.addingTimeInterval(86_401))
      case .otherNamespace:
        try House.run("rm", "p.plan.sig", in: house.folder)
        try House.run("ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", "kim-key", "p.plan", in: house.folder)
      case .otherProfile:
        _ = await house.say("profile add mall url=\(house.url.absoluteString) api=open apply=signed")
        _ = await house.say("profile mall")
      case .otherAddress:
        _ = await house.say("profile shop url=http://127.0.0.1:1")
      case .ownSignature: break
      case .editedBeforeSigning:
        try change("p.plan", "\"stock\":7", "\"stock\":8", in: house)
        #expect(await house.say("approve ~/p.plan key ~/kim-key yes").contains("Nothing was signed"))
        try House.run("rm", "p.plan.sig", in: house.folder)
        try House.run(
          "ssh-keygen", "-q", "-Y", "sign", "-n", "openmarket-plan", "-f", "kim-key", "p.plan", in: house.folder)
      case .noList: try House.run("rm", house.home.configuration + "/allowed_signers", in: house.folder)
      case .listOfOthers: chmod(house.home.configuration + "/allowed_signers", 0o666)
      case .bareLine: line = "patch 42 stock=7 yes"
      case .undo: line = "undo yes"
      }
      counts.reset()
      let said = await house.say(line)
      #expect(said.hasSuffix("= 4\n"), "\(fault): \(said)")
      #expect(counts.total == 0, "\(fault)")
      #expect(said.contains("Nothing was sent"), "\(fault): \(said)")
    }
  }

  /// The same plan with the signature of another person is applied, and the log names both.
  @Test func signedPlanIsApplied() async throws {
    try await visit("apply=signed two=on", agent: "bot") { house, _ in
      try house.makeKey("lee-key", as: "lee@example.com")
      #expect(await house.say("approve ~/p.plan key ~/lee-key yes").contains("Made by agent bot, kim"))
      let said = await house.say("apply ~/p.plan yes")
      #expect(!said.contains("= "), "\(said)")
      let entry = try #require(try house.log().first)
      #expect(entry.actor == .agent("bot") && entry.approver == "lee@example.com")
      // What was signed is undone by a signed plan.
      #expect((await house.say("undo yes")).hasSuffix("= 4\n"))
      #expect((await house.say("plan undo actor bot to ~/back.plan")).contains("Saved a plan of 1 change"))
      #expect((await house.say("approve ~/back.plan key ~/lee-key yes")).contains("Signed"))
      #expect(!(await house.say("apply ~/back.plan yes")).contains("= "))
      #expect(await house.say("show 42 stock as csv") == "stock\n4\n")
    }
  }

  /// Under `apply=person` neither `yes` nor a `y` applies the plan of an agent: the number of products is typed.
  @Test(arguments: [(["1"], "done"), (["y"], nil), (["2"], nil), ([], nil), (nil, nil)] as [([String]?, String?)])
  func agentPlanRequiresTheTypedCount(_ answers: [String]?, _ outcome: String?) async throws {
    let asker = answers.map { ScriptedAsker($0) }
    try await visit("apply=person", agent: "bot", asker: asker) { house, counts in
      counts.reset()
      let said = await house.say("apply ~/p.plan yes")
      #expect(said.hasSuffix("= 4\n") == (outcome == nil), "\(said)")
      #expect(counts.writes.isEmpty == (outcome == nil))
      let approver = try house.log().first?.approver
      #expect(approver == (outcome == nil ? nil : "kim"))
      if let asker { #expect(asker.questions.last?.contains("Type the number of products (1)") == true) }
    }
  }

  /// The plan of a person is asked about as always.
  @Test func personsPlanIsAppliedWithYes() async throws {
    try await visit("apply=person") { house, _ in
      let said = await house.say("apply ~/p.plan yes")
      #expect(said.contains("Updated product 42.") && !said.contains("= "), "\(said)")
    }
  }

  /// A terminal is no signature.
  @Test func terminalIsNoSignature() async throws {
    try await visit("apply=signed", agent: "bot", asker: ScriptedAsker(["1", "y", "1"])) { house, counts in
      counts.reset()
      #expect((await house.say("apply ~/p.plan")).hasSuffix("= 4\n"))
      #expect((await house.say("patch 42 stock=7")).hasSuffix("= 4\n"))
      #expect(counts.total == 0)
    }
  }

  @Test(arguments: [("plan valid 7d patch 42 stock=7", 7 * 86_400), ("plan patch 42 stock=7", 86_400)])
  func planExpiresAfterItsValidity(_ line: String, _ seconds: Int) async throws {
    let clock = SetClock()
    try await House.visit(adjusting: { $0.now = { clock.now } }) { house in
      _ = await house.say(line + " to ~/p.plan")
      clock.set(clock.now.addingTimeInterval(Double(seconds)))
      #expect(!(await house.say("dry apply ~/p.plan")).contains("expired"))
      clock.set(clock.now.addingTimeInterval(1))
      let said = await house.say("apply ~/p.plan yes")
      #expect(said.contains("expired at") && said.hasSuffix("= 4\n"), "\(said)")
      #expect((await house.say("plan valid soon patch 42 stock=7")).hasSuffix("= 2\n"))
    }
  }
}
