import Catalog
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The timer of the system that runs `timer run`: a timer unit of the user's systemd, or a line of the user's crontab.
///
/// Its state is read from `systemctl` and `crontab` each time, and never stored.
package struct SystemTimer: Sendable {
  package enum Scheduler: String, Hashable, Sendable, CaseIterable {
    case systemd
    case crontab
  }

  /// The state of the timer as the system reports it.
  package enum State: Hashable, Sendable {
    case on(Installation)
    case off
    /// The system has neither `systemctl --user` that responds nor `crontab`.
    case unavailable
    /// It can't be read.
    case unknown(LocalizedText)
  }

  /// A timer that is on.
  package struct Installation: Hashable, Sendable {
    package var scheduler: Scheduler
    /// The unit file, or `crontab -l`.
    package var place: String
    /// The line of the crontab or of the unit that starts the program.
    package var line: String
    /// The next run, as systemd says, or for cron as the line says.
    package var next: Timestamp?
  }

  /// The texts that are written to turn the timer on, and the commands.
  package struct SchedulerChange: Hashable, Sendable {
    package var scheduler: Scheduler
    /// The files, or the lines of the crontab, with their names.
    package var texts: [WrittenText]
    /// The commands that are run afterwards.
    package var commands: [String]
    /// The crontab as it was read, and as it is written.
    fileprivate var crontab: (old: [UInt8], new: [UInt8])?

    package static func == (one: SchedulerChange, other: SchedulerChange) -> Bool {
      (one.scheduler, one.texts, one.commands) == (other.scheduler, other.texts, other.commands)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(texts) }
  }

  /// A text that is written, with the name of the file.
  package struct WrittenText: Hashable, Sendable {
    package var name: String
    package var text: String
  }

  /// A program of the system ended with an error.
  private struct Failure: Error {
    var command: String
    var output: String
  }

  /// The time limits of programs that are asked, and of those that change something.
  private static let readingLimit = Duration.seconds(2)
  private static let changingLimit = Duration.seconds(30)

  /// The name of the timer and of its units, which differs for each home folder.
  package let name: String
  private let program: RunningProgram
  private let clock: ProgramClock
  private let unitFolder: String?

  package init(_ program: RunningProgram, home: AppDirectories, clock: ProgramClock) {
    (self.program, self.clock) = (program, clock)
    let identity = [home.configuration, home.state, home.data].joined(separator: "\n")
    name = "openmarket-" + SHA256.hex(Data(identity.utf8)).prefix(8)
    let environment = program.environment
    func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    unitFolder = (absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }).map { $0 + "/systemd/user" }
  }

  private var serviceFile: String? { unitFolder.map { $0 + "/" + name + ".service" } }
  private var timerFile: String? { unitFolder.map { $0 + "/" + name + ".timer" } }

  // MARK: Reading

  /// Returns the state that the system reports now.
  package func state() async -> State {
    let unit = await unitState()
    switch unit {
    case .on, .unknown: return unit
    case .off, .unavailable: break
    }
    do {
      guard let crontab = try await crontab() else { return unit }
      // A line that the user made a comment is off.
      guard let line = try crontab.line(), !line.hasPrefix("#") else { return .off }
      let now = clock.seconds
      let next = (now / TimerLine.interval + 1) * TimerLine.interval
      return .on(
        Installation(
          scheduler: .crontab, place: "crontab -l", line: line,
          next: line.hasPrefix("*/5 ") ? Timestamp(seconds: next, isUTC: true) : nil))
    } catch {
      return .unknown(SystemTimer.reason(error))
    }
  }

  /// Returns the state that systemd reports: `.unavailable` if there is no manager for the user.
  private func unitState() async -> State {
    let isThere = timerFile.map { access($0, F_OK) == 0 } ?? false
    let facts: [String: String]
    do {
      facts = try await unitFacts()
    } catch {
      guard isThere, let timerFile else { return .unavailable }
      let reason = SystemTimer.reason(error)
      return .unknown(
        LocalizedText(
          "\(.value(timerFile)) exists, but systemd does not respond: \(reason.english)",
          ko: "\(.value(timerFile)) 파일이 있지만 systemd가 응답하지 않습니다: \(reason.korean)"))
    }
    guard facts["LoadState"] == "loaded", facts["ActiveState"] == "active", let timerFile
    else { return .off }
    let service = serviceFile.flatMap { (try? Files.text($0)) ?? nil } ?? ""
    let line = service.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }.map(String.init) ?? ""
    return .on(
      Installation(
        scheduler: .systemd, place: timerFile, line: line,
        next: facts["NextElapseUSecRealtime"].flatMap(SystemTimer.time)))
  }

  private func unitFacts() async throws -> [String: String] {
    let output = try await run(
      "systemctl", "--user", "show", name + ".timer",
      "--property=LoadState,ActiveState,NextElapseUSecRealtime", limit: SystemTimer.readingLimit)
    var facts: [String: String] = [:]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
    }
    return facts
  }

  /// Parses a time of systemctl, `Mon 2026-11-30 21:05:00 UTC`, of which the time zone is set to UTC.
  private static func time(_ text: String) -> Timestamp? {
    guard let match = text.firstMatch(of: /([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) UTC/) else {
      return nil
    }
    return Timestamp(match.1 + "T" + match.2 + "Z")
  }

  /// Returns the user's crontab, which may be empty, or `nil` if there is no program `crontab`.
  ///
  /// - Throws: `Failure` if it can't be read; then it must not be replaced.
  private func crontab() async throws -> CrontabText? {
    guard path(of: "crontab") != nil else { return nil }
    do {
      return CrontabText(try await run("crontab", "-l", limit: SystemTimer.readingLimit), timer: name)
    } catch let failure as Failure where failure.output.lowercased().contains("no crontab for") {
      return CrontabText([], timer: name)
    }
  }

  // MARK: Changing

  /// Returns the texts and commands that turn the timer on.
  ///
  /// - Parameters:
  ///   - line: What the timer runs.
  ///   - scheduler: The scheduler that the user named, or `nil` for systemd if it responds, and cron otherwise.
  /// - Throws: `CommandError` if there is none, or if it can't run the line.
  package func change(for line: TimerLine, with scheduler: Scheduler?) async throws -> SchedulerChange {
    if scheduler != .crontab, let serviceFile, let timerFile {
      do {
        _ = try await unitFacts()
        let texts = [
          WrittenText(name: serviceFile, text: try line.serviceUnit()),
          WrittenText(name: timerFile, text: TimerLine.timerUnit),
        ]
        for text in texts { try checkOwned(text.name) }
        return SchedulerChange(
          scheduler: .systemd, texts: texts,
          commands: ["systemctl --user daemon-reload", "systemctl --user enable --now \(name).timer"])
      } catch let failure as Failure {
        // Two timers must not run one home.
        if scheduler == .systemd || !leftovers.isEmpty { throw SystemTimer.failed(failure) }
      }
    }
    guard scheduler != .systemd else { throw SystemTimer.noScheduler(line) }
    do {
      guard let crontab = try await crontab() else { throw SystemTimer.noScheduler(line) }
      let text = try line.crontab()
      return SchedulerChange(
        scheduler: .crontab, texts: [WrittenText(name: "crontab", text: crontab.block(of: text))],
        commands: ["crontab -"],
        crontab: (crontab.bytes, try crontab.adding(text)))
    } catch let failure as Failure {
      throw SystemTimer.failed(failure)
    } catch is CrontabText.Fault {
      throw damagedCrontab
    }
  }

  /// Our unit files that exist, whatever systemd says of them.
  package var leftovers: [String] { [timerFile, serviceFile].compactMap(\.self).filter { access($0, F_OK) == 0 } }

  /// Returns whether an installation is the one that a change would make.
  package func isInstalled(_ change: SchedulerChange, as installation: Installation) -> Bool {
    guard installation.scheduler == change.scheduler else { return false }
    switch change.scheduler {
    case .systemd: return change.texts.allSatisfy { ((try? Files.text($0.name)) ?? nil) == $0.text }
    case .crontab: return change.texts.contains { $0.text.contains(installation.line + "\n") }
    }
  }

  /// Turns the timer on, and returns the timer that the system reports afterwards.
  ///
  /// - Throws: `CommandError` if that isn't possible; then nothing is changed, or the message says what is.
  package func apply(_ change: SchedulerChange) async throws -> Installation {
    do {
      switch change.scheduler {
      case .systemd: try await writeUnits(change)
      case .crontab: try await replaceCrontab(change)
      }
    } catch let failure as Failure {
      throw SystemTimer.failed(failure)
    }
    let state = await state()
    if case .on(let installation) = state, installation.scheduler == change.scheduler { return installation }
    throw CommandError(
      .refused,
      .failure("The system does not say that the timer is on.", ko: "타이머가 켜졌다는 응답이 없습니다.")
        .next("Run \(.command("timer")) to see its state.", ko: "\(.command("timer"), .toward) 상태를 확인하세요."))
  }

  private func writeUnits(_ change: SchedulerChange) async throws {
    let old = change.texts.map { (try? Files.text($0.name)) ?? nil }
    if let unitFolder { try Files.createDirectory(unitFolder, mode: 0o755) }
    for text in change.texts { try Files.write(Data(text.text.utf8), to: text.name, mode: 0o644) }
    do {
      _ = try await run("systemctl", "--user", "daemon-reload")
      _ = try await run("systemctl", "--user", "enable", "--now", name + ".timer")
    } catch {
      for (text, old) in zip(change.texts, old) {
        if let old { try? Files.write(Data(old.utf8), to: text.name, mode: 0o644) } else { unlink(text.name) }
      }
      _ = try? await run("systemctl", "--user", "daemon-reload")
      throw error
    }
  }

  private func replaceCrontab(_ change: SchedulerChange) async throws {
    guard let (old, new) = change.crontab else { return }
    try await replaceCrontab(old, with: new)
  }

  private func replaceCrontab(_ old: [UInt8], with new: [UInt8]) async throws {
    // Another program may have changed it since it was shown.
    guard try await crontab()?.bytes == old else {
      throw CommandError(
        .blocked,
        .failure(
          "The crontab was changed in the meantime. Nothing was written.", ko: "그사이 crontab이 바뀌었습니다. 아무것도 쓰지 않았습니다."),
        code: .busy)
    }
    _ = try await run("crontab", "-", input: new)
    guard try await crontab()?.bytes == new else {
      throw CommandError(
        .refused,
        .failure("The crontab does not contain what was written.", ko: "crontab의 내용이 쓴 것과 다릅니다.")
          .next("Check it with \(.command("crontab -l")).", ko: "\(.command("crontab -l"), .toward) 확인하세요."))
    }
  }

  /// Turns the timer off: removes our unit files and our lines of the crontab, and nothing else.
  ///
  /// - Returns: The names of what was removed.
  /// - Throws: `CommandError` if something can't be removed.
  package func remove() async throws -> [String] {
    var removed: [String] = []
    do {
      let files = leftovers
      if !files.isEmpty {
        for file in files { try checkOwned(file) }
        _ = try await run("systemctl", "--user", "disable", "--now", name + ".timer")
        for file in files {
          guard unlink(file) == 0 else { throw FileError.cannotWrite(path: file, errno: errno) }
          removed.append(file)
        }
        _ = try await run("systemctl", "--user", "daemon-reload")
      }
      if let crontab = try await crontab(), try crontab.removing() != crontab.bytes {
        try await replaceCrontab(crontab.bytes, with: try crontab.removing())
        removed.append("crontab")
      }
    } catch let failure as Failure {
      throw SystemTimer.failed(failure)
    } catch is CrontabText.Fault {
      throw damagedCrontab
    }
    return removed
  }

  /// Returns whether the user's systemd ends with the last session of the user, or `nil` if that isn't known.
  package func endsAtLogout() async -> Bool? {
    guard let user = program.account(),
      let output = try? await run("loginctl", "show-user", user, "--property=Linger", limit: SystemTimer.readingLimit)
    else { return nil }
    switch String(decoding: output, as: UTF8.self).trimmed {
    case "Linger=no": return true
    case "Linger=yes": return false
    default: return nil
    }
  }

  // MARK: Programs

  /// Returns the path of a program, or `nil` if it isn't in `PATH`.
  private func path(of name: String) -> String? {
    (program.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/" + name }.first {
      access($0, X_OK) == 0
    }
  }

  /// - Throws: `Failure` if the program isn't there or doesn't end with 0.
  private func run(
    _ words: String..., input: [UInt8] = [], limit: Duration = SystemTimer.changingLimit
  ) async throws -> [UInt8] {
    let command = words.joined(separator: " ")
    guard let path = path(of: words[0]) else { throw Failure(command: command, output: "not found") }
    var environment = program.environment
    // The texts that are read are those without translation, and times are UTC.
    environment["LC_ALL"] = "C"
    environment["TZ"] = "UTC"
    let child = Subprocess([path] + words.dropFirst(), environment: environment, program.interruption.shutdown)
    let (ending, output, errors, isComplete) = await child.captureSeparately(input: input, timeout: limit)
    guard ending == .exit(0), isComplete else {
      let text = String(decoding: errors.isEmpty ? output : errors, as: UTF8.self).trimmed
      throw Failure(command: command, output: isComplete ? text : "it did not end in time, or printed too much")
    }
    return output
  }

  // MARK: Errors

  private func checkOwned(_ file: String) throws {
    guard let text = try Files.text(file), !text.hasPrefix(TimerLine.mark) else { return }
    throw CommandError(
      .blocked,
      .failure(
        "\(.value(file)) was not written by openmarket. Nothing was changed.",
        ko: "\(.value(file)), openmarket이 쓴 파일이 아니어서 아무것도 바꾸지 않았습니다."), code: .fileExists)
  }

  private var damagedCrontab: CommandError {
    CommandError(
      .blocked,
      .failure(
        "Our lines in the crontab were changed. Nothing was written.", ko: "crontab에 넣은 줄이 바뀌어 있습니다. 아무것도 쓰지 않았습니다."
      )
      .next(
        "Remove the lines with \(.value(name)) with \(.command("crontab -e")).",
        ko: "\(.command("crontab -e"))에서 \(.value(name), .subject) 있는 줄을 지우세요."))
  }

  private static func failed(_ failure: Failure) -> CommandError {
    CommandError(
      .refused,
      .failure("\(.command(failure.command)) failed.", ko: "\(.command(failure.command)) 명령이 실패했습니다.")
        .because("\(.foreign(failure.output))", ko: "\(.foreign(failure.output))"))
  }

  private static func reason(_ error: any Error) -> LocalizedText {
    if let failure = error as? Failure {
      return LocalizedText(same: "\(.command(failure.command)): \(.foreign(failure.output))")
    }
    if error is CrontabText.Fault {
      return LocalizedText("our lines in the crontab were changed", ko: "crontab에 넣은 줄이 바뀌어 있습니다")
    }
    return CommandError(describing: error).message.what
  }

  private static func noScheduler(_ line: TimerLine) -> CommandError {
    CommandError(.refused, unavailable(for: line, .failure))
  }

  /// Returns the message that no scheduler of the system can run a line.
  package static func unavailable(for line: TimerLine, _ tone: Message.Severity) -> Message {
    Message(
      tone,
      LocalizedText(
        "This system has no timer for it: systemctl --user does not respond, and there is no crontab.",
        ko: "쓸 수 있는 타이머가 없습니다. systemctl --user가 응답하지 않고 crontab도 없습니다.")
    ).next(
      "Have another program run this line every 5 minutes: \(.command(line.shell))",
      ko: "다른 프로그램으로 5분마다 이 줄을 실행하세요: \(.command(line.shell))")
  }
}
