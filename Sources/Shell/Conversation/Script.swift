import Language
import LineEditing
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

  package init(_ shell: Shell, _ manner: Manner) {
    self.shell = shell
    self.manner = manner
  }

  /// Runs `lines` until one fails, or through to the end with `--keep-going`; the first failure's code is the answer.
  package func run(_ lines: some Sequence<Input>, named name: String) async -> ExitStatus {
    var reader = LogicalLines()
    var worst = ExitStatus.success
    var number = 0
    for line in lines {
      number += 1
      let code: ExitStatus
      switch line {
      case .line(let text):
        guard let whole = reader.add(text, number) else { continue }
        code = await step(whole, name)
      case .notText: code = await refuse(.notText, number, name)
      case .tooLong: code = await refuse(.tooLong, number, name)
      case .interrupted, .end: continue
      }
      if worst == .success { worst = code }
      if await shouldStop(code) { return worst }
    }
    if let rest = reader.finish() {
      let code = await step(rest, name)
      if worst == .success { worst = code }
    }
    return worst
  }

  private func step(_ line: LogicalLines.Line, _ name: String) async -> ExitStatus {
    let code = manner.checksOnly ? await shell.check(line.text) : await shell.run(line.text)
    if code != .success { await shell.place(of: line.text, at: line.number, in: name) }
    return code
  }

  private func refuse(_ reason: UnusableLine, _ number: Int, _ name: String) async -> ExitStatus {
    await shell.say(reason.message)
    await shell.place(of: nil, at: number, in: name)
    return .misread
  }

  private func shouldStop(_ code: ExitStatus) async -> Bool {
    if await shell.session.isOver { return true }
    if code == .interrupted || shell.interruption.isAsked { return true }
    return code != .success && !manner.keepsGoing && !manner.checksOnly
  }
}
