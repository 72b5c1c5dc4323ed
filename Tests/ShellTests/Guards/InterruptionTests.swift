import Testing

@testable import Engine
@testable import Platform

/// The effect of each Ctrl-C, by the current activity and the number of presses.
@Suite struct InterruptionTests {
  enum Doing: CaseIterable, Sendable { case reading, sending, settling, twoWrites }

  @Test(arguments: [
    (Doing.reading, [Interruption.Meaning.cancel, .cancel, .cancel, .cancel]),
    (.sending, [.finish, .abandon, .leave, .leave]), (.settling, [.postpone, .abandon, .leave, .leave]),
    (.twoWrites, [.finish, .abandon, .leave, .leave]),
  ])
  func threePresses(_ doing: Doing, _ meanings: [Interruption.Meaning]) {
    let interruption = Interruption()
    switch doing {
    case .reading: break
    case .sending: interruption.beginsWriting()
    case .settling:
      interruption.beginsWriting()
      interruption.settles(true)
    case .twoWrites:
      interruption.beginsWriting()
      interruption.beginsWriting()
      interruption.endsWriting()
    }
    #expect(!interruption.isAsked)
    #expect(meanings.map { _ in interruption.press() } == meanings)
    #expect(interruption.isAsked)
  }

  /// The effect depends on the activity at the time of the press.
  @Test func betweenTwoPressesTheWriteMayEnd() {
    let interruption = Interruption()
    interruption.beginsWriting()
    #expect(interruption.press() == .finish)
    interruption.endsWriting()
    #expect(interruption.press() == .cancel)
    #expect(interruption.press() == .cancel)
  }

  /// The next write of a batch is sent before it is read back.
  @Test func aNewWriteDoesNotSettleYet() {
    let interruption = Interruption()
    interruption.beginsWriting()
    interruption.settles(true)
    interruption.endsWriting()
    interruption.beginsWriting()
    #expect(interruption.isWriting)
    #expect(interruption.press() == .finish)
  }

  @Test func aNewLineForgetsThePresses() {
    let interruption = Interruption()
    for _ in 1...3 { _ = interruption.press() }
    interruption.reset()
    #expect(!interruption.isAsked)
    #expect(interruption.press() == .cancel)
  }

  /// A pager owns the terminal: presses are meant for it, and never exit the program.
  @Test func pressesInAPagerAreThePagers() async {
    let interruption = Interruption()
    let meanings = await interruption.departure.lending { (1...4).map { _ in interruption.press() } }
    #expect(meanings == [.cancel, .cancel, .cancel, .cancel])
    interruption.beginsWriting()
    #expect(interruption.press() == .abandon)
  }

  @Test func theEndOfTheProgramIsAskedForGood() {
    let interruption = Interruption()
    interruption.departure.begin(15)
    interruption.reset()
    #expect(interruption.isAsked)
  }
}
