import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
@testable import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// The timer of the system, with programs `systemctl` and `crontab` of the test in `PATH`, and what it runs.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TimerCommandTests {
  /// A folder with the programs, which store what they were told in files beside them.
  private struct System {
    let folder: String

    init() throws {
      folder = NSTemporaryDirectory() + "system-" + UUID().uuidString
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func addCrontab() throws {
      try add(
        "crontab",
        """
        case "$1" in
        -l) [ -f "$here/denied" ] && { echo "You are not allowed to use this program" >&2; exit 1; }
            [ -f "$here/table" ] || { echo "no crontab for me" >&2; exit 1; }
            /bin/cat "$here/table";;
        -) /bin/cat > "$here/table"; echo write >> "$here/writes"; [ -f "$here/loses" ] && : > "$here/table"; exit 0;;
        esac
        """)
    }

    func addSystemctl() throws {
      try add(
        "systemctl",
        """
        [ -f "$here/no-manager" ] && { echo "Failed to connect to bus: No medium found" >&2; exit 1; }
        [ "$1" = --user ] || exit 9
        case "$2" in
        show) if [ -f "$here/enabled" ]
              then echo "LoadState=loaded"
                   [ -f "$here/stopped" ] && echo "ActiveState=inactive" || echo "ActiveState=active"
                   echo "NextElapseUSecRealtime=Thu 2022-12-01 00:05:00 UTC"
              else echo "LoadState=not-found"; echo "ActiveState=inactive"; fi; exit 0;;
        esac
        echo "$*" >> "$here/calls"
        case "$2" in
        enable) [ -f "$here/masked" ] && { echo "Unit is masked." >&2; exit 1; }; echo "$4" > "$here/enabled";;
        disable) /bin/rm -f "$here/enabled";;
        esac
        exit 0
        """)
      try add("loginctl", "echo Linger=no")
    }

    private func add(_ name: String, _ body: String) throws {
      try ExecutableFile.write("#!/bin/sh\nhere='\(folder)'\n\(body)\n", to: folder + "/" + name)
    }

    func write(_ name: String, _ text: String) throws {
      try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: folder + "/" + name, encoding: .utf8) }
  }

  private static let program = ["/usr/bin/openmarket", "--home", "/home/me/100% wool"]

  /// Runs a body with a sandbox whose `PATH` has only the programs of the test.
  private func withSandbox(
    asker: (any UserPrompt)? = nil, clock: SetClock = SetClock(), between: Sandbox.Between = { door, _ in door },
    _ prepare: (System) throws -> Void, _ body: (Sandbox, System) async throws -> Void
  ) async throws {
    let system = try System()
    defer { try? FileManager.default.removeItem(atPath: system.folder) }
    try prepare(system)
    try await Sandbox.with(
      asker: asker, environment: ["PATH": system.folder], between: between,
      adjusting: {
        $0.clock.now = { clock.now }
        $0.program.commandLine = Self.program
        $0.program.account = { "me" }
      }
    ) { try await body($0, system) }
  }

  // MARK: Transcripts

  /// The timer in a crontab and in systemd, and recurring lines with sales over some days.
  @Test(arguments: ["crontab", "systemd", "lines"]) func transcriptIsReproduced(_ name: String) async throws {
    let (asker, clock) = (TranscriptAsker(), SetClock())
    let prepare = { (system: System) throws in
      try system.addCrontab()
      if name == "systemd" { try system.addSystemctl() }
    }
    try await withSandbox(asker: asker, clock: clock, prepare) { sandbox, _ in
      try await AskedTranscript(name, in: "Timer").check(in: sandbox, asker, clock)
    }
  }

  // MARK: On and off

  @Test func crontabIsSwitchedOnAndOff() async throws {
    let others = "MAILTO=me\n# 한글 100\\%\n0 3 * * * backup"
    try await withSandbox({
      try $0.addCrontab()
      try $0.write("table", others + "\n")
    }) { sandbox, system in
      let unconfirmed = await sandbox.run("timer on")
      #expect(
        unconfirmed.contains("Run `timer on yes` to write it.") && unconfirmed.hasSuffix("= 4\n"), "\(unconfirmed)")
      #expect(system.text("writes") == nil && system.text("table") == others + "\n")
      let on = await sandbox.run("timer on yes")
      let command = "/usr/bin/openmarket --home '/home/me/100\\% wool' --profile demo -c 'timer run'"
      let line = "*/5 * * * * PATH=\(system.folder) \(command)"
      let shown = line.replacing(system.folder, with: "SYSTEM")
      #expect(on.contains("!     " + shown + "\n") && on.contains("The timer is on, in crontab -l."), "\(on)")
      #expect(system.text("table")?.hasPrefix(others + "\n# begin openmarket-") == true)
      #expect(system.text("table")?.contains("\n" + line + "\n# end openmarket-") == true)
      #expect(await sandbox.run("timer on yes").contains("The timer is on already, in crontab -l."))
      #expect(await sandbox.run("timer as json").contains("\"state\":\"on\",\"where\":\"crontab -l\""))
      #expect(await sandbox.run("timer off").hasSuffix("= 4\n"))
      #expect(system.text("writes") == "write\n")
      #expect(await sandbox.run("timer off yes").contains("The timer is off. Removed from: crontab"))
      #expect(system.text("table") == others + "\n")
      #expect(await sandbox.run("timer as json").contains("\"state\":\"off\""))
    }
  }

  /// A crontab that can't be read, or that the program doesn't store, is never taken for one without lines.
  @Test func unreadableCrontabIsNotReplaced() async throws {
    try await withSandbox({
      try $0.addCrontab()
      try $0.write("table", "0 3 * * * backup\n")
      try $0.write("denied", "")
    }) { sandbox, system in
      let refused = await sandbox.run("timer on yes")
      #expect(refused.contains("You are not allowed to use this program") && refused.hasSuffix("= 1\n"), "\(refused)")
      #expect(system.text("writes") == nil && system.text("table") == "0 3 * * * backup\n")
      #expect(await sandbox.run("timer as json").contains("\"state\":\"unknown\""))
      // A state that can't be read is not that of a timer which is off.
      let added = await sandbox.run("every day 7:00 ls")
      #expect(added.contains("The state of the timer cannot be read") && !added.contains("is off"), "\(added)")
    }
  }

  @Test func crontabThatIsNotStoredIsReported() async throws {
    try await withSandbox({
      try $0.addCrontab()
      try $0.write("loses", "")
    }) { sandbox, _ in
      let lost = await sandbox.run("timer on yes")
      #expect(lost.contains("The crontab does not contain what was written.") && lost.hasSuffix("= 1\n"), "\(lost)")
      #expect(await sandbox.run("timer as json").contains("\"state\":\"off\""))
    }
  }

  @Test func unitsAreWrittenAndRemoved() async throws {
    try await withSandbox({
      try $0.addSystemctl()
      try $0.addCrontab()
    }) { sandbox, system in
      let on = await sandbox.run("timer on yes")
      #expect(on.contains("Next run: 2022-12-01 00:05 UTC.") && on.contains("`loginctl enable-linger`"), "\(on)")
      let folder = sandbox.folder + "/.config/systemd/user"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(files.count == 2 && files[0].hasSuffix(".service") && files[1].hasSuffix(".timer"))
      let service = try String(contentsOfFile: folder + "/" + files[0], encoding: .utf8)
      #expect(
        service.contains(
          "ExecStart=/bin/sh -c \"exec /usr/bin/openmarket --home '/home/me/100%% wool' --profile demo -c 'timer run'\"\n"
        ),
        "\(service)")
      #expect(system.text("calls") == "--user daemon-reload\n--user enable --now \(files[1])\n")
      #expect(system.text("table") == nil)
      try Files.write(Data("mine\n".utf8), to: folder + "/other.timer")
      #expect(await sandbox.run("timer off yes").contains("The timer is off."))
      let rest = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(rest == ["other.timer"])
      #expect(
        system.text("calls")?.hasSuffix("--user disable --now \(files[1])\n--user daemon-reload\n") == true)
    }
  }

  /// A timer that somebody stopped is off, and its files are removed all the same.
  @Test func stoppedTimerIsOff() async throws {
    try await withSandbox({ try $0.addSystemctl() }) { sandbox, system in
      _ = await sandbox.run("timer on yes")
      try system.write("stopped", "")
      #expect(await sandbox.run("timer as json").contains("\"state\":\"off\""))
      #expect(await sandbox.run("timer off yes").contains("The timer is off. Removed from:"))
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/.config/systemd/user")
      #expect(files.isEmpty, "\(files)")
    }
  }

  @Test func lineThatIsACommentIsOff() async throws {
    try await withSandbox({ try $0.addCrontab() }) { sandbox, system in
      _ = await sandbox.run("timer on yes")
      try system.write("table", try #require(system.text("table")).replacing("*/5 ", with: "#*/5 "))
      #expect(await sandbox.run("timer as json").contains("\"state\":\"off\""))
      #expect(await sandbox.run("timer on yes").contains("The timer is on, in crontab -l."))
      #expect(system.text("table")?.contains("#*/5") == false)
    }
  }

  /// Units that can't be enabled are removed again.
  @Test func refusedUnitsAreRemoved() async throws {
    try await withSandbox({
      try $0.addSystemctl()
      try $0.write("masked", "")
    }) { sandbox, _ in
      let failed = await sandbox.run("timer on yes")
      #expect(failed.contains("Unit is masked.") && failed.hasSuffix("= 1\n"), "\(failed)")
      let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/.config/systemd/user")
      #expect(files.isEmpty, "\(files)")
    }
  }

  @Test func foreignUnitIsNotReplaced() async throws {
    try await withSandbox({ try $0.addSystemctl() }) { sandbox, _ in
      _ = await sandbox.run("timer on yes; timer off yes")
      let folder = sandbox.folder + "/.config/systemd/user"
      let context = await sandbox.shell.context
      let file =
        folder + "/" + SystemTimer(context.program, home: context.stores.home, clock: context.clock).name + ".timer"
      try Files.write(Data("[Timer]\n".utf8), to: file)
      let refused = await sandbox.run("timer on yes")
      #expect(refused.contains("was not written by openmarket") && refused.hasSuffix("= 4\n"), "\(refused)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "[Timer]\n")
    }
  }

  @Test func cronIsUsedWithoutAUserManager() async throws {
    try await withSandbox({
      try $0.addSystemctl()
      try $0.addCrontab()
      try $0.write("no-manager", "")
    }) { sandbox, system in
      #expect(await sandbox.run("timer on systemd yes").contains("Failed to connect to bus"))
      #expect(await sandbox.run("timer on yes").contains("The timer is on, in crontab -l."))
      #expect(system.text("table")?.contains("timer run") == true)
    }
  }

  @Test func withoutASchedulerTheLineIsShown() async throws {
    try await withSandbox({ _ in }) { sandbox, _ in
      let refused = await sandbox.run("timer on yes")
      let line = "`PATH=SYSTEM /usr/bin/openmarket --home '/home/me/100% wool' --profile demo -c 'timer run'`"
      #expect(refused.contains(line) && refused.hasSuffix("= 1\n"), "\(refused)")
      let state = await sandbox.run("timer")
      #expect(state.contains("there is no crontab") && state.contains(line), "\(state)")
      let added = await sandbox.run("every day 7:00 ls")
      #expect(added.contains("This system has no timer") && !added.contains("The timer is off"), "\(added)")
    }
  }

  // MARK: Runs

  @Test func secondRunEndsAtOnce() async throws {
    try await withSandbox({ _ in }) { sandbox, _ in
      _ = await sandbox.run("every day 7:00 ls size 1")
      let record = TimerRecord(sandbox.home)
      let lock = try #require(try record.lock())
      let second = await sandbox.run("timer run")
      // cron mails each message, and a line may take longer than five minutes.
      #expect(second == "", "\(second)")
      withExtendedLifetime(lock) {}
      #expect(try record.entries().isEmpty)
    }
  }

  @Test func killedRunIsShownAsNotEnded() async throws {
    try await withSandbox({ _ in }) { sandbox, _ in
      let record = TimerRecord(sandbox.home)
      let lock = try #require(try record.lock())
      _ = try record.begin(at: Timestamp(seconds: 1_669_852_500, isUTC: true))
      let running = await sandbox.run("timer")
      #expect(running.contains("The timer has been running since"), "\(running)")
      withExtendedLifetime(lock) {}
      _ = consume lock
      let killed = await sandbox.run("timer")
      #expect(killed.contains("began a run at 2022-11-30 23:55") && killed.contains("which did not end."), "\(killed)")
      #expect(await sandbox.run("status").contains("which did not end."))
      let notice = await sandbox.shell.pendingWritesNotice()
      #expect(notice?.contains("which did not end.") == true, "\(notice ?? "")")
      let log = await sandbox.run("timer log as jsonl")
      #expect(log.contains("\"ended\":null"), "\(log)")
    }
  }

  /// A line is run once for each occurrence, whatever comes between, and a missed one once later.
  @Test func occurrenceIsRunOnce() async throws {
    let clock = SetClock()
    try await withSandbox(clock: clock, { _ in }) { sandbox, _ in
      _ = await sandbox.run("every day 7:00 patch 138 stock+=1")
      let stock = try #require(try await sandbox.product(138)?.stock)
      func run(_ time: String) async throws -> String {
        clock.set(try Date(time, strategy: .iso8601))
        return await sandbox.run("timer run")
      }
      #expect(try await run("2022-12-01T06:59:00Z") == "")
      #expect(try await sandbox.product(138)?.stock == stock)
      #expect(try await run("2022-12-01T07:01:00Z").contains("Line 1, due at 2022-12-01 07:00 UTC"))
      #expect(try await sandbox.product(138)?.stock == stock + 1)
      #expect(try await run("2022-12-01T07:06:00Z") == "")
      let late = try await run("2022-12-04T09:00:00Z")
      #expect(late.contains("The line is run once now.") && late.contains("2 earlier times were missed"), "\(late)")
      #expect(try await run("2022-12-04T09:05:00Z") == "")
      #expect(try await sandbox.product(138)?.stock == stock + 2)
      // Without the note of the begun occurrence, the log still knows it.
      unlink(sandbox.home.timerFolder + "/begun.jsonl")
      let again = try await run("2022-12-04T09:10:00Z")
      #expect(again.contains("has the same key and ended"), "\(again)")
      #expect(try await sandbox.product(138)?.stock == stock + 2)
      let log = await sandbox.run("timer log as jsonl")
      #expect(
        log.contains("\"every\":1,\"occurrence\":\"2022-12-04T07:00\",\"status\":0,\"runs\":\"r2\",\"done\":1"),
        "\(log)")
    }
  }

  /// A line that was interrupted goes on in the next run of the timer: what was applied isn't applied again.
  @Test func interruptedLineGoesOn() async throws {
    let clock = SetClock()
    try await withSandbox(clock: clock, between: { door, _ in InterruptingTransport(inner: door) }, { _ in }) {
      sandbox, _ in
      _ = await sandbox.run("every day 7:00 'patch 138 stock+=1; show \(InterruptingTransport.product)'")
      let stock = try #require(try await sandbox.product(138)?.stock)
      clock.set(try Date("2022-12-01T07:00:00Z", strategy: .iso8601))
      let cut = await sandbox.run("timer run")
      #expect(cut.contains("is tried again after") && cut.hasSuffix("= 130\n"), "\(cut)")
      #expect(try await sandbox.product(138)?.stock == stock + 1)
      clock.set(try Date("2022-12-01T07:05:00Z", strategy: .iso8601))
      let rest = await sandbox.run("timer run")
      #expect(rest.contains("It was begun before and is continued (attempt 2)."), "\(rest)")
      #expect(try await sandbox.product(138)?.stock == stock + 1)
    }
  }

  /// A line whose server can't be reached is tried again, and one that is refused is not.
  @Test(arguments: [(true, 3), (false, 1)]) func onlyUnreachableServersAreTriedAgain(
    _ isUnreachable: Bool, _ code: Int
  ) async throws {
    let clock = SetClock()
    try await withSandbox(clock: clock, { _ in }) { sandbox, _ in
      if isUnreachable { _ = await sandbox.run("profile add off url=http://127.0.0.1:1 api=open; profile off") }
      _ = await sandbox.run("every day 7:00 show 999999")
      clock.set(try Date("2022-12-01T07:00:00Z", strategy: .iso8601))
      let failed = await sandbox.run("timer run")
      #expect(failed.hasSuffix("= \(code)\n"), "\(failed)")
      clock.set(try Date("2022-12-01T07:06:00Z", strategy: .iso8601))
      #expect(await sandbox.run("timer run").contains("attempt 2") == isUnreachable)
      let log = await sandbox.run("timer log as jsonl")
      #expect(log.contains("\"exit\":\(code)") && log.contains("\"reason\":\""), "\(log)")
    }
  }

  /// Sales and lines of other profiles are done in one run, and one failure doesn't prevent the others.
  @Test func failureDoesNotPreventOthers() async throws {
    let clock = SetClock()
    try await withSandbox(clock: clock, { _ in }) { sandbox, _ in
      _ = await sandbox.run(
        "every day 7:00 show 999999; every day 7:00 patch 138 stock=77; sale 132 10% from 12-02 to 12-03")
      clock.set(try Date("2022-12-02T08:00:00Z", strategy: .iso8601))
      let made = await sandbox.run("timer run")
      #expect(made.hasSuffix("= 1\n"), "\(made)")
      #expect(try await sandbox.product(138)?.stock == 77)
      #expect(await sandbox.run("show 132 discount as json") == "{\"discount\":2070}\n")
      let entry = try #require(try TimerRecord(sandbox.home).entries().last)
      #expect(entry.status == 1 && entry.parts.map(\.status) == [0, 1, 0] && entry.parts.map(\.done) == [1, 0, 1])
      #expect(await sandbox.run("log 2 as jsonl").contains("timer"))
    }
  }

  /// A file of lines with a mistake is reported, and sales are done all the same.
  @Test func damagedFileOfLinesIsReported() async throws {
    let clock = SetClock()
    try await withSandbox(clock: clock, { _ in }) { sandbox, _ in
      _ = await sandbox.run("sale 132 10% from 12-02 to 12-03")
      try Files.createDirectory(sandbox.home.configuration)
      try Files.write(Data("[every.1]\ndays = \"someday\"\n".utf8), to: sandbox.home.recurringLinesFile)
      clock.set(try Date("2022-12-02T08:00:00Z", strategy: .iso8601))
      let made = await sandbox.run("timer run")
      #expect(made.contains("every.toml") && !made.hasSuffix("= 0\n"), "\(made)")
      #expect(await sandbox.run("show 132 discount as json") == "{\"discount\":2070}\n")
    }
  }
}
