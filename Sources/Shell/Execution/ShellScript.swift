import LineEditing
import Platform
import ShellRuntime

/// The lines of `-c`, a file of `-f` or standard input, which are executed in the session of the shell.
package struct ShellScript: Script {
  package typealias Failure = Never

  /// The path of the file, `-c` or `standard input`.
  private let name: String
  private let input: ScriptInput
  private let shell: Shell
  private let options: ScriptRunner.Options
  private let log: ScriptRunLog?
  /// The texts of the lines, as far as they are known.
  private var known: [String]
  /// The number of the last line that was recorded with the run.
  private var lastRecorded = 0
  package var lines: ScriptLines

  /// Creates a script.
  ///
  /// The outcome of each line is also recorded in `log`, for the reports.
  package init(
    _ input: ScriptInput, named name: String, in shell: Shell, _ options: ScriptRunner.Options, log: ScriptRunLog? = nil
  ) {
    self.name = name
    self.input = input
    self.shell = shell
    self.options = options
    self.log = log
    known = input.known
    lines = input.lines
  }

  package func start() async { await shell.begin(script: name, isReported: log != nil) }

  package mutating func begin(_ line: ScriptLine) async -> CommandResult? {
    if known.isEmpty, let following = input.following {
      known = [line.text] + ScriptLines(following().lines, after: lines.number).map(\.text)
    }
    if !options.checksOnly, let status = await shell.enter(line, of: known) { return CommandResult(status: status) }
    if let following = input.following, line.number > lastRecorded {
      let input = following()
      let rest = [line] + ScriptLines(input.lines, after: lines.number)
      lastRecorded = rest.last?.number ?? 0
      await shell.record(rest, isWhole: input.isWhole)
    }
    return nil
  }

  package func execute(_ line: ScriptLine) async -> CommandResult? {
    switch line {
    case .unusable(let reason, let number):
      await shell.say(CommandError(reason.code, reason.message))
      await shell.printLocation(of: nil, at: number, in: name)
      log?.add(line, in: name, ScriptRunLog.Ending(code: reason.code, message: reason.message))
      return CommandResult(status: reason.code)
    case .line(let whole):
      log?.begin()
      await shell.begin(whole)
      let code = options.checksOnly ? await shell.check(whole.text) : await shell.run(whole.text)
      if code != .success { await shell.printLocation(of: whole.text, at: whole.number, in: name) }
      if let log {
        log.add(
          line, in: name,
          ScriptRunLog.Ending(
            code: code, message: await shell.failure, evidence: await shell.evidence, checks: await shell.checks))
      }
      return code == .success ? nil : CommandResult(status: code)
    }
  }

  package func end(_ line: ScriptLine, failure: CommandResult?) async -> ScriptStep {
    await shell.setCleanUpLines(at: line.number, in: name)
    if await shell.session.hasEnded { return .end }
    guard shouldStop(after: failure) else { return .nextLine }
    // The remaining lines are read only for a report and for clean-up.
    return log == nil && !input.isAtHand ? .end : .skipRest
  }

  private func shouldStop(after failure: CommandResult?) -> Bool {
    if failure?.status == .interrupted || shell.interruption.isRequested { return true }
    return failure != nil && !options.keepsGoing && !options.checksOnly
  }

  package func skip(_ line: ScriptLine) async {
    log?.recordSkipped(line, in: name)
    if !options.checksOnly { await shell.addCleanUp(line, of: name) }
  }

  package func cleanUp() async -> CommandResult? {
    // Those of `-c` wait for the end of all lines.
    if name == "-c" { return nil }
    let code = await shell.cleanUp(of: name, log)
    return code == .success ? nil : CommandResult(status: code)
  }
}

/// The lines of a script, and what is known of those that weren't read yet.
package struct ScriptInput {
  let lines: ScriptLines
  /// The texts of all lines, or none if they are read one by one.
  let known: [String]
  /// Returns the lines that can be read now without waiting, or `nil` if the lines are in a file.
  let following: (() -> (lines: [Input], isWhole: Bool))?
  /// A Boolean value that indicates that the lines after a failure can be read without waiting, for their clean-up lines.
  let isAtHand: Bool

  /// Creates the input of lines in memory.
  ///
  /// `count` is the number of lines of the same name before them.
  package init(_ lines: [Input], after count: Int = 0) {
    self.lines = ScriptLines(lines, after: count)
    known = ScriptLines(lines, after: count).map(\.text)
    following = nil
    isAtHand = true
  }

  /// Creates the input of lines that are read one by one.
  ///
  /// `isRecorded` means that they are in no file, so that they are recorded with the run as far as they are known.
  package init(_ reader: LineReader, isRecorded: Bool = false, isAtHand: Bool = true) {
    var reader = reader
    lines = ScriptLines { reader.next() }
    known = []
    following = isRecorded ? { reader.availableLines() } : nil
    self.isAtHand = isAtHand
  }
}
