import Testing

@testable import Platform
@testable import ShellRuntime

/// The effect of each Ctrl-C, by the current activity and the number of presses.
@Suite struct InterruptControllerTests {
  enum Doing: CaseIterable, Sendable { case reading, sending, settling, twoWrites }

  @Test(arguments: [
    (Doing.reading, [InterruptController.Action.cancel, .cancel, .cancel, .cancel]),
    (.sending, [.finish, .abandon, .leave, .leave]), (.settling, [.postpone, .abandon, .leave, .leave]),
    (.twoWrites, [.finish, .abandon, .leave, .leave]),
  ])
  func effectOfEachPress(_ doing: Doing, _ meanings: [InterruptController.Action]) {
    let interruption = InterruptController()
    switch doing {
    case .reading: break
    case .sending: interruption.beginWriting()
    case .settling:
      interruption.beginWriting()
      interruption.setReadingBack(true)
    case .twoWrites:
      interruption.beginWriting()
      interruption.beginWriting()
      interruption.endsWriting()
    }
    #expect(!interruption.isRequested)
    #expect(meanings.map { _ in interruption.handleInterrupt() } == meanings)
    #expect(interruption.isRequested)
  }

  /// The effect depends on the activity at the time of the press.
  @Test func secondPressDependsOnTheCurrentActivity() {
    let interruption = InterruptController()
    interruption.beginWriting()
    #expect(interruption.handleInterrupt() == .finish)
    interruption.endsWriting()
    #expect(interruption.handleInterrupt() == .cancel)
    #expect(interruption.handleInterrupt() == .cancel)
  }

  /// The next write of a batch is sent before it is read back.
  @Test func nextWriteOfABatchIsSentBeforeReading() {
    let interruption = InterruptController()
    interruption.beginWriting()
    interruption.setReadingBack(true)
    interruption.endsWriting()
    interruption.beginWriting()
    #expect(interruption.isWriting)
    #expect(interruption.handleInterrupt() == .finish)
  }

  @Test func newLineResetsThePresses() {
    let interruption = InterruptController()
    for _ in 1...3 { _ = interruption.handleInterrupt() }
    interruption.reset()
    #expect(!interruption.isRequested)
    #expect(interruption.handleInterrupt() == .cancel)
  }

  /// A pager owns the terminal: presses are meant for it, and never exit the program.
  @Test func ctrlCInPagerNeverLeaves() async {
    let interruption = InterruptController()
    let meanings = await interruption.shutdown.lending { (1...4).map { _ in interruption.handleInterrupt() } }
    #expect(meanings == [.cancel, .cancel, .cancel, .cancel])
    interruption.beginWriting()
    #expect(interruption.handleInterrupt() == .abandon)
  }

  @Test func requestedExitIsFinal() {
    let interruption = InterruptController()
    interruption.shutdown.begin(15)
    interruption.reset()
    #expect(interruption.isRequested)
  }
}
