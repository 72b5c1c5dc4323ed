import TestSupport
import Testing

/// Whole conversations of situations in which another home, or another copy of this one, makes what an interrupted run has left.
///
/// With `OPENMARKET_RECORD=1` the files are written again, and the test fails so that they are looked at.
@Suite(.timeLimit(Trial.limit)) struct SituationTranscriptTests {
  private static let line = "patch 138,132,60 stock+=5 jobs 1 yes"
  private static let stopped: Episode.Step = .line(line, code: 130, [1: .interrupted])

  static let episodes: [Episode] = [
    Episode(
      "home-from-a-backup",
      [
        stopped, .copyHome("own", to: "backup"), .line("resume yes"), .copyHome("backup", to: "own"),
        .line("resume yes", code: 5), .line("resume r1 yes", code: 5), .line("status"), .line(line, code: 4),
        .line("resume", answers: ["y", "n"]),
        .line("status"), .stock(138, 30), .stock(132, 46), .stock(60, 55),
      ]),
    Episode(
      "home-on-two-computers",
      [
        stopped, .copyHome("own", to: "laptop"), .line("resume yes"), .line("resume yes", code: 5, in: "laptop"),
        .line("resume r1 yes", code: 5, in: "laptop"),
        .line("forget r1 yes", in: "laptop"), .line("status", in: "laptop"), .stock(138, 30), .stock(132, 46),
        .stock(60, 55),
      ]),
    Episode(
      "line-in-another-home",
      [
        .line(line, Episode.kill(2, applied: false)), .line(line, in: "colleague"), .line("resume yes", code: 5),
        .line("log r1"), .line("resume", answers: ["n", "n"]), .line("status"), .stock(138, 35), .stock(132, 46),
        .stock(60, 55),
      ]),
    Episode(
      "line-in-another-home-after-ctrl-c",
      [
        stopped, .line(line, in: "colleague"), .line("resume yes", code: 5), .line("resume", answers: ["n", "n"]),
        .line("status"), .stock(138, 35), .stock(132, 46), .stock(60, 55),
      ]),
  ]

  @Test(arguments: episodes) func conversationIsReproduced(_ episode: Episode) async throws {
    try Golden(episode.testDescription, in: "Transcripts").check(try await episode.play())
  }
}
