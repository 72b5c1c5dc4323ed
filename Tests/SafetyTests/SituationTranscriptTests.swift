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
    // The home of an interrupted job is in the cache of two later jobs, of which the first finishes what was left.
    Episode(
      "home-from-a-cache",
      [
        .line(line, code: 130, [1: .interrupted], in: "job1"), .copyHome("job1", to: "cache"),
        .copyHome("cache", to: "job2"), .line(line, code: 4, in: "job2"), .line("resume yes", code: 5, in: "job2"),
        .line("resume r1 yes", in: "job2"), .copyHome("cache", to: "job3"), .line(line, code: 4, in: "job3"),
        .line("resume r1 yes", code: 5, in: "job3"), .line("forget r1 yes", in: "job3"), .line("status", in: "job3"),
        .stock(138, 30), .stock(132, 46), .stock(60, 55),
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
