import Catalog
import EmbeddedMarket
import MarketAPI
import Networking
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// Products are changed one after another, and sent together.
@Suite(.timeLimit(Trial.limit)) struct WalkCommandTests {
  /// An amount alone is the price, unless the condition is about the stock.
  @Test(arguments: [
    ("walk where vendor=me and stock=0", ["12", "stock=12", "y"], 12, 151_000),
    ("walk where vendor=me and price=151000 and stock=0", ["150000", "y"], 0, 150_000),
  ])
  func amountAloneIsThePrice(_ line: String, _ answers: [String], _ stock: Int, _ price: Int) async throws {
    try await Sandbox.with(asker: ScriptedAsker(answers)) { sandbox in
      let said = await sandbox.run(line)
      #expect(said.contains("12 could be the price or the stock.") == (stock == 12), "\(said)")
      let product = try #require(try await sandbox.product(108))
      #expect(product.stock == stock && product.price == Amount(price), "\(said)")
    }
  }

  /// While the question is open, another client sets the stock that `stock+=5` has computed: that is not the wanted change.
  @Test func computedValueOfAnotherClientIsAConflict() async throws {
    let asker = OvertakenAsker(["stock+=5", "price=20000"])
    let transport = Mutex<(any Transport)?>(nil)
    try await Sandbox.with(
      asker: asker,
      between: { inner, _ in
        transport.withLock { $0 = inner }
        return inner
      }
    ) { sandbox in
      let vendor = EmbeddedMarket.demoVendor
      let login = Credentials(identifier: vendor.identifier, secret: Secret(vendor.secret))
      let other = Client(
        MarketService(sandbox.url, dialect: Dialect(.open), credentials: login),
        through: try #require(transport.withLock { $0 }))
      asker.whenAsked { _ = try? await other.send(EditProduct(138, ProductValues(stock: 30), boundary: "-")) }
      let said = await sandbox.run("walk 138,132 as csv")
      #expect(said.contains("stock 25 -> 30"), "\(said)")
      #expect(
        said.hasSuffix(
          """
          id,outcome,detail
          138,drifted,It changed in the meantime: stock
          132,done,
          = 7

          """), "\(said)")
    }
  }
}

/// A user who fills in the fields, and agrees to the changes after another client has acted.
private final class OvertakenAsker: UserPrompt {
  private let fields: ScriptedAsker
  private let act = Mutex<(@Sendable () async -> Void)?>(nil)

  init(_ answers: [String]) { fields = ScriptedAsker(answers) }

  func whenAsked(_ body: @escaping @Sendable () async -> Void) { act.withLock { $0 = body } }

  func answer(to question: String) async -> String? {
    await act.withLock { $0 }?()
    return "y"
  }

  func secret(_ prompt: String) async -> String? { nil }
  func field(_ field: FormQuestion) async -> FormAnswer { await fields.field(field) }
}
