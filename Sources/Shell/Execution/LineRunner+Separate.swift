import Catalog
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

extension LineRunner {
  package func run(_ line: String, once key: String?, in scope: inout CommandScope) async -> SeparateRun {
    let outer = scope.session.script
    defer { scope.session.script = outer }
    scope.session.script = ScriptState()
    scope.session.script.key = key
    let current = RunInProgress(RunUnit(line: line, in: scope))
    scope.session.script.run = current
    let redirection: RunRedirection
    do {
      let result = try await run(line, in: &scope)
      scope.finish(current, result.status, isRedirected: false)
      return SeparateRun(.success(result), runs: current.numbers)
    } catch let error as RunRedirection {
      scope.finish(current, .success, isRedirected: true)
      redirection = error
    } catch {
      scope.finish(current, CommandError.exitStatus(of: error), isRedirected: false)
      return SeparateRun(.failure(error), runs: current.numbers)
    }
    return await follow(redirection, then: line, once: key, in: &scope)
  }

  /// Executes the line that goes on with an earlier run, or reports that it has ended.
  private func follow(
    _ redirection: RunRedirection, then line: String, once key: String?, in scope: inout CommandScope
  ) async -> SeparateRun {
    switch redirection {
    case .resume(let number, let isApproved):
      var resumed = await run("resume r\(number)" + (isApproved ? " yes" : ""), once: nil, in: &scope)
      resumed.runs = Array(Set(resumed.runs + [number])).sorted()
      if isApproved, case .success(var result) = resumed.outcome, result.isSuccess {
        result.status = scope.endStatus(ofRun: number)
        resumed.outcome = .success(result)
      }
      return resumed
    case .undoFirst(let numbers):
      for number in numbers {
        let undone = await run("undo r\(number)", once: nil, in: &scope)
        guard case .success(let result) = undone.outcome, result.isSuccess else { return undone }
      }
      return await run(line, once: key, in: &scope)
    case .hasEnded(let number):
      return SeparateRun(.success(CommandResult(status: scope.reportEnd(ofRun: number))), runs: [number])
    }
  }
}

extension CommandScope {
  /// Says what a run with the same key has done, and returns its exit status; see `endStatus(ofRun:)`.
  func reportEnd(ofRun number: Int) -> ExitStatus {
    let run = (try? context.stores.journal().run(number)) ?? nil
    if let run { say(RunMessages.hasEnded(run, now: context.clock.timestamp)) }
    return endStatus(ofRun: number)
  }

  /// Returns the exit status of a line or script whose run has ended: not success if a change failed or isn't known.
  ///
  /// A log that can't be read was reported before.
  func endStatus(ofRun number: Int) -> ExitStatus {
    guard let journal = try? context.stores.journal(), let run = try? journal.run(number) else {
      return .outcomeUnknown
    }
    if run.counts.unknown > 0 { return .outcomeUnknown }
    return (try? journal.hasFailures(inRun: number)) == false ? .success : .partialFailure
  }

  /// Records that a line or a script returned.
  ///
  /// If it can't be recorded, the run counts as interrupted, and a line that repeats it is asked about.
  func finish(_ current: RunInProgress, _ status: ExitStatus, isRedirected: Bool) {
    guard Journal.exists(in: context.stores.home.journalFolder), !current.numbers.isEmpty || current.unit.key != nil,
      let journal = try? context.stores.journal()
    else { return }
    let interruptions: [ExitStatus] = [.interrupted, .hungUp, .quit, .terminated]
    let isCut = session.script.continuesOnError ? interruptions.contains(status) : status != .success
    let isStopped =
      current.unit.kind == .script
      ? isCut && !session.script.isReported
      : interruptions.contains(status) && !isPlannedAtOnce(current.unit.text)
    if status == .success, current.numbers.isEmpty, !isRedirected {
      try? journal.recordEnd(ofUnwritten: current, session.marketLogin)
    }
    _ = try? journal.finish(current, isStopped: isStopped)
    _ = try? journal.settleEmptiedRuns(session.marketLogin)
  }
}
