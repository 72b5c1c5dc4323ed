import Catalog
import CommandLanguage
import Commands
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import Testing
import Text
import WriteJournal

/// Access and confirmation: every profile setting with every kind of plan.
@Suite struct WriteApprovalTests {
  private struct Unreachable: Error {}
  private struct Nowhere: Transport {
    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      throw Unreachable()
    }
  }

  private func context(_ asker: ScriptedAsker?) -> CommandContext {
    CommandContext(
      RunningProgram(commands: AllCommands.registry, lines: LineRunner(), console: BufferConsole(), asker: asker),
      Stores(
        home: AppDirectories(folder: "/nonexistent"), journal: { throw Unreachable() }, freshName: { "name" }),
      through: Nowhere(), embedded: EmbeddedMarketAccess(address: { _ in throw Unreachable() }))
  }

  private static func session(
    _ confirm: ConfirmationPolicy = .bulk, _ access: AccessMode = .readWrite, vendor: Int? = 15
  ) -> Session {
    Session(
      server: ServerConfiguration(
        profile: Sourced("shop", .option), url: nil, dialect: Sourced(Dialect(.open), .profile),
        confirm: Sourced(confirm, .profile), access: Sourced(access, .profile)),
      credentials: Credentials(identifier: "me", secret: nil, vendorID: vendor))
  }

  private func scope(
    _ session: Session, _ asker: ScriptedAsker?, _ mode: CommandScope.Mode = .write
  ) -> CommandScope {
    CommandScope(session, context(asker), mode: mode)
  }

  private static func consent(_ words: String = "") throws -> WriteOptions {
    let invocations = try AllCommands.grammar.read("patch 1 stock=1 " + words, variables: { _ in nil })
    return WriteOptions(try #require(invocations.first))
  }

  /// `y` where the number of products is asked is a slip, which is asked about once more.
  @Test(arguments: [
    (["y", "1"], 2, true), (["ㅛ", "y", "1"], 2, false), (["y", "n"], 2, false), (["y"], 2, false), (["2"], 1, false),
  ])
  func yesIsNotTheNumberOfProducts(_ answers: [String], _ questions: Int, _ isAccepted: Bool) async throws {
    let asker = ScriptedAsker(answers)
    let prompt = ConfirmationPrompt(scope(Self.session(), asker))
    let reply = try? await prompt.admitOutliers(of: Kind.extreme.plan, consent: try Self.consent())
    #expect((reply == .accepted) == isAccepted)
    #expect(asker.questions.count == questions)
  }

  enum Kind: CaseIterable, Sendable {
    case none, one, create, delete, two, extreme

    var plan: Plan {
      let product = Product(id: 5, name: "mug", price: Amount(1000), currency: .krw, stock: 10, vendorID: 15)
      let edit = Change.edit(product, from: ProductValues(stock: 10), to: ProductValues(stock: 11))
      switch self {
      case .none: return Plan([])
      case .one: return Plan([edit])
      case .create:
        return Plan([
          .create(ProductDraft(name: "cup", description: "", price: Amount(5), currency: .krw, pictures: []))
        ])
      case .delete: return Plan([.delete(product)])
      case .two: return Plan([edit, edit])
      case .extreme:
        return Plan([.edit(product, from: ProductValues(price: Amount(1000)), to: ProductValues(price: Amount(1)))])
      }
    }

    /// Returns the number of questions before the write.
    func questions(_ confirm: ConfirmationPolicy) -> Int {
      switch (self, confirm) {
      case (.extreme, .always): 2
      case (.extreme, .bulk), (.extreme, .never): 1
      case (.none, .always): 0
      case (_, .always): 1
      case (_, .never): 0
      case (.delete, .bulk), (.two, .bulk): 1
      case (.none, .bulk), (.one, .bulk), (.create, .bulk): 0
      }
    }
  }

  @Test(arguments: ConfirmationPolicy.allCases, Kind.allCases)
  func eachSettingAsksTheseQuestions(_ confirm: ConfirmationPolicy, _ kind: Kind) async throws {
    var answers = kind == .extreme ? ["1"] : []
    answers += ["y"]
    let asker = ScriptedAsker(answers)
    let approval = try await WriteApproval.approve(
      kind.plan, consent: try Self.consent(), in: scope(Self.session(confirm), asker))
    #expect(approval.hasOutliers == (kind == .extreme))
    #expect(asker.questions.count == kind.questions(confirm))
  }

  /// A plan that was not previewed requires approval whatever the profile says.
  @Test func unpreviewedPlanAlwaysAsks() async throws {
    let asker = ScriptedAsker(["예"])
    let approval = try await WriteApproval.approve(
      Kind.one.plan, consent: try Self.consent(), question: .always, in: scope(Self.session(.never), asker))
    #expect(approval.hasOutliers == false && asker.questions == ["Apply? [y/N] "])
  }

  @Test(arguments: [
    (Kind.two, ["n"], ""), (.two, [], ""), (.two, ["yess"], ""), (.extreme, ["y"], ""), (.extreme, ["2"], "yes"),
    (.extreme, [], "yes"),
  ])
  func otherAnswersMeanNo(_ kind: Kind, _ answers: [String], _ words: String) async throws {
    let failure = try await refusal {
      _ = try await WriteApproval.approve(
        kind.plan, consent: try Self.consent(words), in: scope(Self.session(), ScriptedAsker(answers)))
    }
    #expect(failure?.exitStatus == .blocked)
  }

  /// If no one can be asked, only words on the line approve a plan, each for its own question.
  @Test(arguments: [
    (Kind.one, "", true), (.two, "", false), (.two, "yes", true), (.two, "outliers", false), (.extreme, "yes", false),
    (.extreme, "outliers", true), (.extreme, "yes outliers", true),
  ])
  func withoutPersonOnlyWordsApprove(_ kind: Kind, _ words: String, _ isAdmitted: Bool) async throws {
    let failure = try await refusal {
      _ = try await WriteApproval.approve(
        kind.plan, consent: try Self.consent(words), in: scope(Self.session(), nil))
    }
    #expect((failure == nil) == isAdmitted)
    #expect(failure == nil || failure?.exitStatus == .blocked)
  }

  @Test(arguments: [CommandScope.Mode.dry, .curl], Kind.allCases)
  func unwrittenPlanIsNotAskedAbout(_ mode: CommandScope.Mode, _ kind: Kind) async throws {
    let asker = ScriptedAsker(["y"])
    let approval = try await WriteApproval.approve(
      kind.plan, consent: try Self.consent(), in: scope(Self.session(.always), asker, mode))
    guard case .shown(let result) = approval else {
      Issue.record("the plan was approved")
      return
    }
    #expect(asker.questions.isEmpty)
    #expect(result.wasOnlyShown == (mode == .dry))
    #expect(result.plans == (mode == .curl ? [kind.plan] : []))
  }

  @Test(arguments: [CommandScope.Mode.write, .dry, .curl], AccessMode.allCases)
  func readOnlySessionWritesNothing(_ mode: CommandScope.Mode, _ access: AccessMode) async throws {
    let failure = try await refusal { try scope(Self.session(.never, access), nil, mode).requireWritable() }
    #expect((failure != nil) == (mode == .write && access == .readOnly))
  }

  /// Another vendor's product is rejected.
  ///
  /// If one of the vendors is unknown, the server decides.
  @Test(arguments: [(15, 15, true), (15, 16, false), (nil, 16, true), (15, nil, true)] as [(Int?, Int?, Bool)])
  func productOfAnotherVendorIsRefused(_ me: Int?, _ owner: Int?, _ isAdmitted: Bool) async throws {
    let product = Product(id: 5, stock: 1, vendor: "other", vendorID: owner)
    let plan = Plan([.edit(product, from: ProductValues(stock: 1), to: ProductValues(stock: 2))])
    let failure = try await refusal { try Ownership.check(plan, Self.session(vendor: me)) }
    #expect((failure == nil) == isAdmitted)
  }

  /// Returns the failure that the body throws, if any.
  private func refusal(_ body: () async throws -> Void) async throws -> CommandError? {
    do {
      try await body()
      return nil
    } catch let failure as CommandError {
      return failure
    }
  }
}

extension Approval {
  /// Whether the approved plan has outliers, or `nil` if it is only shown.
  fileprivate var hasOutliers: Bool? { if case .approved(_, let hasOutliers) = self { hasOutliers } else { nil } }
}
