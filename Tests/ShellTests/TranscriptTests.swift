import WriteJournal
import Platform
import Catalog
import Foundation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The transcripts of sessions with a fresh market.
@Suite(.timeLimit(Trial.limit)) struct TranscriptTests {
  /// Runs each transcript in the folder.
  @Test(arguments: TranscriptTests.names) func transcriptIsReproduced(_ name: String) async throws {
    try await Sandbox.with {
      try $0.writePictures()
      try await Transcript(name).check(in: $0)
    }
  }

  /// Runs each transcript with questions, with an editor that writes 9 into the first column of every row.
  @Test(arguments: Transcript.names(in: Transcript.folder + "/Asked"))
  func transcriptWithQuestionsIsReproduced(_ name: String) async throws {
    let (asker, clock) = (TranscriptAsker(), SetClock())
    let editor = "sed -i -e '/^ *[0-9]/s/| *[0-9][0-9]* |/| 9 |/'"
    try await Sandbox.with(
      asker: asker, environment: ["VISUAL": editor], clock: SetJournalClock(clock: clock),
      adjusting: { $0.clock.now = { clock.now } }
    ) {
      try $0.writePictures()
      try await AskedTranscript(name).check(in: $0, asker, clock)
    }
  }

  /// Every transcript is run by a test: those of other folders by the suites that set up their markets.
  @Test func everyTranscriptIsRun() throws {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/Transcripts"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }
    let folders = Dictionary(grouping: paths) { ($0 as NSString).deletingLastPathComponent }.mapValues(\.count)
    #expect(folders[""] == TranscriptTests.names.count && TranscriptTests.names.count >= 37, "\(folders)")
    #expect(folders["Asked"] == Transcript.names(in: Transcript.folder + "/Asked").count, "\(folders)")
    let others = [
      "Again", "Camps", "Described", "Doubtful", "Editions", "Errors", "Markets", "Requests", "Scripting", "Timer",
    ]
    #expect(Set(folders.keys) == Set(others + ["", "Asked"]))
  }

  static let names = Transcript.names()
}

/// The clock of a transcript for the log, which otherwise has the time of the system.
private struct SetJournalClock: JournalClock {
  let clock: SetClock
  private let system = SystemJournalClock()

  init(clock: SetClock) { self.clock = clock }

  var monotonicNow: Duration { system.monotonicNow }
  var now: Timestamp { Timestamp(clock.now) }
  func sleep(_ duration: Duration) async throws { try await system.sleep(duration) }
}
