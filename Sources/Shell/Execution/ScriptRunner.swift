import LineEditing
import Platform
import ShellRuntime

/// The execution of lines from `-c`, `-f` and a standard input that isn't a terminal.
package struct ScriptRunner {
  /// The options for running a script.
  package struct Options: Hashable, Sendable {
    package var keepsGoing = false
    /// A Boolean value that indicates that lines are checked and not run.
    package var checksOnly = false
    package init() {}
  }

  private let shell: Shell
  private let options: Options
  private let log: ScriptRunLog?
  /// A Boolean value that indicates that the lines after a failure can be read without waiting, for their clean-up lines.
  private let readsRest: Bool

  /// Creates the execution.
  ///
  /// The outcome of each line is also recorded in `log`, for the reports.
  package init(_ shell: Shell, _ options: Options, log: ScriptRunLog? = nil, readsRest: Bool = true) {
    self.shell = shell
    self.options = options
    self.log = log
    self.readsRest = readsRest
  }

  /// Runs `lines` until one fails, or to the end with `--keep-going`, and returns the exit status of the first failure.
  ///
  /// `count` is the number of lines of the same name before them.
  package func run(_ lines: [Input], named name: String, after count: Int = 0) async -> ExitStatus {
    await run(ScriptLines(lines, after: count), name)
  }

  /// Reports lines as skipped because an earlier script failed.
  ///
  /// None is run.
  package func skip(_ lines: [Input], named name: String, after count: Int = 0) {
    for line in ScriptLines(lines, after: count) { log?.recordSkipped(line, in: name) }
  }

  /// Keeps the clean-up lines of `-c` that follow a failed one.
  package func keepCleanUps(_ lines: [Input], named name: String, after count: Int) async {
    for line in ScriptLines(lines, after: count) { await shell.keepCleanUp(line, of: name) }
  }

  /// Runs lines that are read one by one, and returns the exit status of the first failure.
  package func run(_ lines: LineReader, named name: String) async -> ExitStatus {
    var lines = lines
    return await run(ScriptLines { lines.next() }, name)
  }

  private func run(_ lines: ScriptLines, _ name: String) async -> ExitStatus {
    var worst = ExitStatus.success
    var hasStopped = false
    await shell.begin(script: name, isReported: log != nil)
    for line in lines {
      if hasStopped {
        log?.recordSkipped(line, in: name)
        if !options.checksOnly { await shell.keepCleanUp(line, of: name) }
        continue
      }
      let code = await step(line, name)
      if worst == .success { worst = code }
      await shell.setCleanUpLines(at: line.number, in: name)
      if await shell.session.hasEnded { break }
      guard shouldStop(code) else { continue }
      // The remaining lines are read only for a report and for clean-up.
      if log == nil, !readsRest { break }
      hasStopped = true
    }
    // Those of `-c` wait for the end of all lines.
    if name == "-c" { return worst }
    let code = await shell.cleanUp(log)
    return worst == .success ? code : worst
  }

  private func step(_ line: ScriptLine, _ name: String) async -> ExitStatus {
    switch line {
    case .unusable(let reason, let number):
      await shell.say(CommandError(reason.code, reason.message))
      await shell.printLocation(of: nil, at: number, in: name)
      log?.add(line, in: name, ScriptRunLog.Ending(code: reason.code, message: reason.message))
      return reason.code
    case .line(let whole):
      log?.begin()
      let code = options.checksOnly ? await shell.check(whole.text) : await shell.run(whole.text)
      if code != .success { await shell.printLocation(of: whole.text, at: whole.number, in: name) }
      if let log {
        log.add(
          line, in: name,
          ScriptRunLog.Ending(
            code: code, message: await shell.failure, evidence: await shell.evidence, checks: await shell.checks))
      }
      return code
    }
  }

  private func shouldStop(_ code: ExitStatus) -> Bool {
    if code == .interrupted || shell.interruption.isRequested { return true }
    return code != .success && !options.keepsGoing && !options.checksOnly
  }
}
