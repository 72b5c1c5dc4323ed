import Engine
import Language
import LineEditing
import Platform
import Presentation

/// Runs lines that nobody types: `-c`, `-f` and a standard input that is not a terminal.
package struct Script {
  /// How a script goes on after a failing command.
  package struct Manner: Hashable, Sendable {
    package var keepsGoing = false
    /// Reads everything and runs nothing.
    package var checksOnly = false
    package init() {}
  }

  private let shell: Shell
  private let manner: Manner
  private let log: RunLog?

  /// What each line came to is also written into `log`, for a report on the whole run.
  package init(_ shell: Shell, _ manner: Manner, log: RunLog? = nil) {
    self.shell = shell
    self.manner = manner
    self.log = log
  }

  /// Runs `lines` until one fails, or through to the end with `--keep-going`; the first failure's code is the answer.
  package func run(_ lines: [Input], named name: String) async -> ExitStatus { await run(ScriptLines(lines), name) }

  /// Lists lines as skipped in the report, because an earlier script failed; runs none.
  package func skip(_ lines: [Input], named name: String) {
    for line in ScriptLines(lines) { log?.skip(line, in: name) }
  }

  /// The same for lines that are read one after the other.
  package func run(_ lines: PlainLines, named name: String) async -> ExitStatus {
    var lines = lines
    return await run(ScriptLines { lines.next() }, name)
  }

  private func run(_ lines: ScriptLines, _ name: String) async -> ExitStatus {
    var worst = ExitStatus.success
    var hasStopped = false
    await shell.begin(script: name, isReported: log != nil)
    for line in lines {
      if hasStopped {
        log?.skip(line, in: name)
        continue
      }
      let code = await step(line, name)
      if worst == .success { worst = code }
      if await shell.session.isOver { return worst }
      guard shouldStop(code) else { continue }
      // Only a report wants to know what was not run.
      if log == nil { return worst }
      hasStopped = true
    }
    return worst
  }

  private func step(_ line: ScriptLine, _ name: String) async -> ExitStatus {
    switch line {
    case .unusable(let reason, let number):
      await shell.say(reason.message)
      await shell.place(of: nil, at: number, in: name)
      log?.add(line, in: name, RunLog.Ending(code: reason.code, message: reason.message))
      return reason.code
    case .line(let whole):
      log?.begin()
      let code = manner.checksOnly ? await shell.check(whole.text) : await shell.run(whole.text)
      if code != .success { await shell.place(of: whole.text, at: whole.number, in: name) }
      if let log {
        log.add(
          line, in: name,
          RunLog.Ending(
            code: code, message: await shell.failure, evidence: await shell.evidence, checks: await shell.checks))
      }
      return code
    }
  }

  private func shouldStop(_ code: ExitStatus) -> Bool {
    if code == .interrupted || shell.interruption.isAsked { return true }
    return code != .success && !manner.keepsGoing && !manner.checksOnly
  }
}
