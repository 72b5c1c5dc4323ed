import Foundation
import LineEditing
import Platform
import Shell
import ShellRuntime
import Text

/// The execution of `-c` lines, script files and standard input in the given order.
struct ScriptListRunner {
  private let sources: [ScriptSource]
  private let options: ScriptRunner.Options
  private let log: ScriptRunLog?

  init(_ sources: [ScriptSource], _ options: ScriptRunner.Options, log: ScriptRunLog? = nil) {
    self.sources = sources
    self.log = log
    self.options = options
  }

  /// Runs the sources, and returns the exit status of the first failure.
  ///
  /// Ctrl-C ends the run with 130 after the write in flight is complete.
  func run(on shell: Shell) async -> ExitStatus {
    let work = Task { await runAll(on: shell) }
    let watch = SignalDispatcher.watch([SIGINT]) { _ in Task { await shell.interrupt(work) } }
    defer { SignalDispatcher.end(watch) }
    return await shell.interruption.shutdown.waiting(for: work)
  }

  private func runAll(on shell: Shell) async -> ExitStatus {
    if let onlyLine { await shell.begin(onlyLine) }
    var worst = ExitStatus.success
    for (index, source) in sources.enumerated() {
      let code = await run(source, on: shell)
      if worst == .success { worst = code }
      let isOver = await shell.session.hasEnded
      if isOver || (code != .success && !options.keepsGoing && !options.checksOnly) || shell.interruption.isRequested {
        if code != .success { skip(sources.dropFirst(index + 1), on: shell) }
        break
      }
    }
    let code = shell.interruption.isRequested ? ExitStatus.interrupted : worst
    await shell.endScripts(code, isTest: log != nil)
    return code
  }

  private var onlyLine: String? {
    guard sources.count == 1, case .line(let text) = sources[0] else { return nil }
    let lines = text.lines.filter { !$0.isEmpty }
    return lines.count == 1 ? String(lines[0]) : nil
  }

  /// Reports the lines of the remaining sources as skipped if there is a report.
  ///
  /// Standard input isn't read for that.
  private func skip(_ sources: ArraySlice<ScriptSource>, on shell: Shell) {
    guard log != nil else { return }
    for source in sources {
      switch source {
      case .line(let line): script(on: shell).skip(line.lines.filter { !$0.isEmpty }.map { .line($0) }, named: "-c")
      case .file("-"): continue
      case .file(let path):
        guard let file = try? opened(path) else { continue }
        defer { close(file) }
        script(on: shell).skip(Array(LineReader(file)), named: path)
      }
    }
  }

  private func script(on shell: Shell) -> ScriptRunner { ScriptRunner(shell, options, log: log) }

  /// - Throws: `FileError` for a folder and for a file that can't be read.
  private func opened(_ path: String) throws(FileError) -> Int32 {
    let file = open(Paths.existing(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(file)
      throw .notAFile(path: path)
    }
    return file
  }

  private func run(_ source: ScriptSource, on shell: Shell) async -> ExitStatus {
    switch source {
    case .line(let line):
      return await script(on: shell).run(line.lines.filter { !$0.isEmpty }.map { .line($0) }, named: "-c")
    case .file("-"): return await script(on: shell).run(LineReader(STDIN_FILENO), named: "standard input")
    case .file(let path):
      do {
        let file = try opened(path)
        defer { close(file) }
        return await script(on: shell).run(LineReader(file), named: path)
      } catch {
        let failure = CommandError(describing: error)
        await shell.say(failure)
        log?.add(unreadable: path, failure)
        return failure.exitStatus
      }
    }
  }
}
