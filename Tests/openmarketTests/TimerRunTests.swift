import Foundation
import Glibc
import TestSupport
import Testing

/// The program as cron starts it: the line of a crontab that `timer on` wrote, in an empty environment.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TimerRunTests {
  /// A home whose path needs quotes, with a program `crontab` beside it that stores a file.
  private struct Place {
    let folder: TemporaryHome
    var home: String { folder.path + "/my 100% home's" }
    var table: String { folder.path + "/table" }

    init() throws {
      folder = try TemporaryHome()
      let script = """
        #!/bin/sh
        case "$1" in
        -l) [ -f '\(folder.path)/table' ] || { echo "no crontab for me" >&2; exit 1; }; cat '\(folder.path)/table';;
        -) cat > '\(folder.path)/table';;
        esac

        """
      try ExecutableFile.write(script, to: folder.path + "/crontab")
    }

    func run(_ lines: String...) throws -> PipedProgram.Result {
      try openmarket(
        ["--home", home] + lines.flatMap { ["-c", $0] },
        environment: ["PATH": folder.path + ":/usr/bin:/bin", "TZ": "UTC"])
    }

    /// Makes the lines due that were added today.
    func age() throws {
      let file = home + "/config/every.toml"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacing(/since = "[^"]+"/, with: "since = \"2020-01-01T00:00:00Z\"")
        .write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Starts the line of the crontab as cron does.
    func startLine() throws -> PipedProgram {
      let text = try String(contentsOfFile: table, encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("*/5 ") })
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
      let command = String(fields[5]).replacing("\\%", with: "%")
      return try PipedProgram(["-c", command], environment: ["HOME": "/", "TERM": ""], program: "/bin/sh")
    }
  }

  @Test func lineOfTheCrontabRunsWhatIsDue() throws {
    let place = try Place()
    let before = try place.run("show 138 stock as json")
    let stock = try #require(Int(before.out.filter(\.isNumber)))
    let prepared = try place.run("every day 0:00 patch 138 stock+=1", "timer on yes")
    #expect(prepared.code == 0, "\(prepared.err)")
    try place.age()
    let run = try place.startLine().result()
    #expect(run.code == 0 && run.err.contains("Line 1, due at"), "\(run)")
    let second = try place.startLine().result()
    #expect(second == PipedProgram.Result(out: "", err: "", code: 0), "\(second)")
    #expect(try place.run("show 138 stock as json").out == "{\"stock\":\(stock + 1)}\n")
    let log = try place.run("timer log as jsonl")
    #expect(log.out.contains("\"every\":1,") && log.out.contains("\"done\":1"), "\(log)")
    #expect(try place.run("timer").err.contains("The timer last ran just now."))
    let off = try place.run("timer off yes")
    #expect(off.code == 0, "\(off.err)")
    #expect(try Data(contentsOf: URL(filePath: place.table)).isEmpty)
  }

  /// A recurring line finds the programs that the shell found in which the timer was turned on.
  @Test func lineFindsTheProgramsOfTheShell() throws {
    let place = try Place()
    let seen = place.folder.path + "/seen"
    try ExecutableFile.write("#!/bin/sh\ncat > '\(seen)'\n", to: place.folder.path + "/probe")
    #expect(try place.run("every day 0:00 'show 138 name as csv | probe'", "timer on yes").code == 0)
    try place.age()
    let run = try place.startLine().result()
    #expect(run.code == 0, "\(run)")
    #expect(try String(contentsOfFile: seen, encoding: .utf8).hasPrefix("name"))
  }

  /// While a run has not ended, a second one ends at once; when the first is killed, that is seen, and its line goes on.
  @Test func killedRunIsNotedAndContinued() throws {
    let place = try Place()
    let prepared = try place.run("every day 0:00 'patch 138 stock+=1; show 138 | sleep 40'", "timer on yes")
    #expect(prepared.code == 0, "\(prepared.err)")
    try place.age()
    let before = try #require(Int(try place.run("show 138 stock as json").out.filter(\.isNumber)))
    let first = try place.startLine()
    try first.wait("the change") { _ in
      (try? place.run("show 138 stock as json").out) == "{\"stock\":\(before + 1)}\n"
    }
    let second = try place.startLine().result()
    #expect(second == PipedProgram.Result(out: "", err: "", code: 0), "\(second)")
    #expect(try place.run("timer").err.contains("The timer has been running since"))
    // The shell has replaced itself by the program, or is its parent.
    try killChildren(of: first.processID)
    kill(first.processID, SIGKILL)
    _ = try first.result()
    // A killed program has its lock until its descriptors are closed.
    try Waiting.blocking("the end of the run") { try place.run("timer").err.contains("which did not end.") }
    let rest = try place.startLine().result()
    #expect(rest.err.contains("It was begun before and is continued (attempt 2)."), "\(rest)")
    #expect(try place.run("show 138 stock as json").out == "{\"stock\":\(before + 1)}\n")
  }

  private func killChildren(of process: pid_t) throws {
    let path = "/proc/\(process)/task/\(process)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for child in text.split(separator: " ").compactMap({ pid_t($0) }) {
      try killChildren(of: child)
      kill(child, SIGKILL)
    }
  }
}
