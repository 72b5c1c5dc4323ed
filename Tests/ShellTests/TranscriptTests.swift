import Foundation
import Pacing
import ShellRuntime
import Testing

/// The transcripts of sessions with a fresh market.
@Suite(.timeLimit(Trial.limit)) struct TranscriptTests {
  /// Runs each transcript in the folder.
  @Test(arguments: TranscriptTests.names) func conversation(_ name: String) async throws {
    try await House.visit {
      try $0.bringPictures()
      try await Transcript(name).check(in: $0)
    }
  }

  /// Runs each transcript with questions, with an editor that writes 9 into the first column of every row.
  @Test(arguments: TranscriptTests.files(in: "Transcripts/Asked")) func asked(_ name: String) async throws {
    let (asker, clock) = (TranscriptAsker(), SetClock())
    let editor = "sed -i -e '/^ *[0-9]/s/| *[0-9][0-9]* |/| 9 |/'"
    try await House.visit(asker: asker, environment: ["VISUAL": editor], adjusting: { $0.now = { clock.now } }) {
      try $0.bringPictures()
      try await AskedTranscript(name).check(in: $0, asker, clock)
    }
  }

  static let names = files(in: "Transcripts")

  private static func files(in folder: String) -> [String] {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/" + folder
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
  }
}
