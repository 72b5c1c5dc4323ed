import Catalog
import Foundation
import TestSupport
import Testing
import Text

@testable import WriteJournal

/// The state machine that the shell uses, in every order of crashes, faults and foreign writes.
@Suite(.computesLong) struct WriteStateMachineTests {
  private static let one = Product(id: 1, name: "one", price: Amount(10), images: [])
  private static let draft = ProductDraft(name: "new", description: "", price: Amount(5), currency: .krw, pictures: [])

  private static func edit(_ from: Int, _ to: Int) -> Change {
    var product = one
    product.price = Amount(from)
    return .edit(product, from: ProductValues(price: Amount(from)), to: ProductValues(price: Amount(to)))
  }

  private static let scripts: [[Change]] = [
    [.create(draft)],
    [edit(10, 20)],
    [.delete(one)],
    [edit(10, 20), edit(20, 30)],
    [edit(10, 20), edit(20, 10)],
    [.create(draft), edit(10, 20)],
    [edit(10, 20), .delete(one)],
    [.create(draft), editOfTheNew],
  ]

  /// An edit of the product that the create of the script makes.
  private static let editOfTheNew = Change.edit(
    Product(id: 100, name: "new", price: Amount(5), images: []), from: ProductValues(price: Amount(5)),
    to: ProductValues(price: Amount(9)))

  private static let isLong = Trial.isLong

  /// Runs every course of every script.
  ///
  /// - Parameters:
  ///   - scripts: The changes to make.
  ///   - variant: The faults to explore.
  ///   - harm: A violation that ends the search.
  /// - Returns: The number of runs and of states with a choice, and the violations.
  private static func explore(_ scripts: [[Change]], _ variant: Variant, until harm: String? = nil) -> (
    runs: Int, states: Int, wrong: [String]
  ) {
    var (runs, states, wrong) = (0, 0, [String]())
    for script in scripts {
      let choices = Choices()
      repeat {
        var world = World(script, variant, choices)
        runs += 1
        // A run that ends in an explored state adds nothing.
        guard (try? world.live()) != nil else { continue }
        wrong += world.violations
        if let harm, world.violations.contains(harm) { return (runs, states, wrong) }
      } while choices.next()
      states += choices.states
    }
    return (runs, states, wrong)
  }

  /// A create that a server confirms and forgets ends, and is a question at a server that keeps writes.
  @Test(arguments: [(false, WriteStateMachine.State.acknowledgedNotApplied), (true, .needsDecision)])
  func confirmedCreateIsNotFound(_ keepsWrites: Bool, _ state: WriteStateMachine.State) {
    var rules = WriteStateMachine.Rules(window: ConfirmationWindow(duration: .zero, agreementInterval: .zero))
    rules.keepsWrites = keepsWrites
    var machine = WriteStateMachine(.create)
    machine.didPreflight(.ready, by: rules)
    machine.willSend()
    machine.willSendFinalBytes()
    machine.didReceive(.succeeded(nil), at: .zero, by: rules)
    machine.didReadBack(.notApplied, at: .zero, by: rules)
    #expect(machine.state == state)
  }

  /// A change that the server refuses because the product isn't in the state that was read has drifted.
  @Test func refusedPreconditionIsDrift() {
    let rules = WriteStateMachine.Rules(window: .loopback)
    var machine = WriteStateMachine(.patch)
    machine.didPreflight(.ready, by: rules)
    machine.willSend()
    machine.didReceive(.drifted([.price]), at: .zero, by: rules)
    #expect(machine.state == .drifted)
    #expect(machine.next(at: .zero, by: rules) == .finished)
  }

  /// Two crashes, two faults and a foreign write, in every order.
  @Test func noOrderOfEventsBreaksARule() {
    var variants = [
      Variant(crashes: 1, faults: 1), Variant(crashes: 0, faults: 2), Variant(crashes: 1, faults: 1, foreignEdits: 1),
      Variant(crashes: 0, faults: 1, foreignTwins: 1), Variant(crashes: 1, faults: 1, isUnbounded: true),
      Variant(crashes: 1, faults: 1, keepsMarker: false, isUnbounded: true),
      Variant(crashes: 1, faults: 1, isRelative: true),
      Variant(crashes: 1, faults: 1, isRelative: true, laterFirst: true),
      Variant(crashes: 0, faults: 2, foreignEdits: 1, lags: true), Variant(crashes: 1, faults: 1, lags: true),
    ]
    if Self.isLong {
      variants = [
        Variant(crashes: 1, faults: 2), Variant(crashes: 2, faults: 2),
        Variant(crashes: 2, faults: 2, foreignEdits: 1), Variant(crashes: 2, faults: 2, foreignTwins: 1),
        Variant(crashes: 2, faults: 2, keepsMarker: false), Variant(crashes: 1, faults: 3),
        Variant(crashes: 1, faults: 3, foreignEdits: 1), Variant(crashes: 2, faults: 2, isUnbounded: true),
        Variant(crashes: 2, faults: 2, keepsMarker: false, isUnbounded: true),
        Variant(crashes: 2, faults: 2, isRelative: true, laterFirst: true),
        Variant(crashes: 1, faults: 3, foreignEdits: 1, lags: true), Variant(crashes: 2, faults: 2, lags: true),
      ]
    }
    var total = 0
    for variant in variants {
      let start = ContinuousClock.now
      let scripts = variant.foreignTwins > 0 ? [Self.scripts[0]] : Self.scripts
      let result = Self.explore(scripts, variant)
      #expect(result.wrong.prefix(3) == [], "\(variant): \(result.wrong.count) of \(result.runs)")
      total += result.runs
      guard Self.isLong else { continue }
      let line =
        "\(variant.crashes) crashes, \(variant.faults) faults, \(variant.foreignEdits) foreign edits, "
        + "\(variant.foreignTwins) twins, marker \(variant.keepsMarker): \(result.runs) runs, \(result.states) states, "
        + "\(result.wrong.count) violations, \(ContinuousClock.now - start)\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
    }
    #expect(total > 1_000)
  }

  @Test(
    arguments: [
      (.journalledAfterSend, "0 said not done, was"), (.librarySendsAgain, "0 doubled"), (.noWindow, "0 doubled"),
      (.noWindowAndCreatesOnce, "0 said not done, was"), (.noWindowAndAllOnce, "0 said not done, was"),
      (.noOpsAreSent, "a later write was undone by an earlier one"),
      (.noHold, "0 said not done, was"),
      (.staleBeforeImage, "a change of someone else was overwritten unseen"),
      (.createsAgain, "0 doubled"), (.leavesUnwritten, "0 doubled"),
      (.believesCreates, "0 claims a stranger's product"), (.believesPatches, "0 said done, was not"),
      (.judgesByOneRead, "0 said not done, was"),
      (.oldIsNew, "0 claims a stranger's product"), (.forgetsOwnEdits, "0 asks without need"),
      (.forgetsVerdicts, "0 said done, was not"),
      (.looksAwayFromPatches, "a later write was undone by an earlier one"),
      (.looksAwayFromPatches, "0 said not done, was"), (.forgetsLaterEdits, "0 doubled"),
    ] as [(Variant.Mutant, String)])
  func removingAnyRuleIsDetected(_ mutant: Variant.Mutant, doing harm: String) {
    let (scripts, variant) = Self.trap(for: mutant)
    #expect(Self.explore(scripts, variant, until: harm).wrong.contains(harm))
  }

  /// Without the removed rule, the same scripts find no violation.
  ///
  /// The other rules are explored by `noOrderOfEventsBreaksARule`.
  @Test(
    arguments: [.noOpsAreSent, .oldIsNew, .forgetsOwnEdits, .forgetsVerdicts, .forgetsLaterEdits] as [Variant.Mutant])
  func mutantScriptsFindNothingInUnmutatedModel(_ mutant: Variant.Mutant) {
    var (scripts, variant) = Self.trap(for: mutant)
    variant.mutant = nil
    let wrong = Self.explore(scripts, variant).wrong
    #expect(wrong.prefix(3) == [], "\(wrong.count)")
  }

  private static func trap(for mutant: Variant.Mutant) -> ([[Change]], Variant) {
    var variant = Variant(crashes: 1, faults: 1, mutant: mutant)
    switch mutant {
    case .journalledAfterSend, .librarySendsAgain, .noWindow, .noWindowAndCreatesOnce, .noWindowAndAllOnce, .noHold:
      return (scripts, variant)
    case .noOpsAreSent: return ([[edit(10, 10), edit(10, 20)]], variant)
    case .staleBeforeImage:
      variant.foreignEdits = 1
      return (scripts, variant)
    case .createsAgain, .believesCreates, .believesPatches, .looksAwayFromPatches:
      variant.isUnbounded = true
      return (scripts, variant)
    case .leavesUnwritten: return (scripts, variant)
    case .judgesByOneRead:
      (variant.crashes, variant.lags) = (0, true)
      return ([[edit(10, 20)]], variant)
    case .oldIsNew:
      // An existing product of the vendor that equals the one to be created, and is older than all remembered ones.
      (variant.reach, variant.keepsMarker) = (1, false)
      return ([[.create(twinOfOne)]], variant)
    case .forgetsOwnEdits:
      variant.keepsMarker = false
      return ([[.create(draft), editOfTheNew]], variant)
    case .forgetsVerdicts:
      (variant.isRelative, variant.laterFirst) = (true, true)
      return ([[edit(10, 20), edit(10, 20)]], variant)
    case .forgetsLaterEdits:
      (variant.isRelative, variant.laterFirst) = (true, true)
      return ([[edit(10, 20), edit(20, 10)]], variant)
    }
  }

  private static let twinOfOne = ProductDraft(
    name: "one", description: "", price: Amount(10), currency: .krw, pictures: [])

  /// The reason for the marker: without it, an equal product of another vendor can be taken for the created one.
  @Test func withoutMarkerAnEqualProductIsMistaken() {
    let variant = Variant(crashes: 0, faults: 1, foreignTwins: 1, keepsMarker: false)
    #expect(!Self.explore([[.create(Self.draft)]], variant).wrong.isEmpty)
  }
}
