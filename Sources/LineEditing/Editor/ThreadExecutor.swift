import Dispatch
import Foundation
import Glibc
import Synchronization

/// The configuration of an editor.
///
/// It is fixed at the start except for the `set…` functions.
package struct EditorOptions: Sendable {
  /// The path of the history file, or `nil` to remember lines for this session only.
  package var historyFile: String?
  package var keys: EditingStyle
  /// The program name before the colon of lines in `.editrc` that are for this program only.
  package var programName: String
  package var colors: Bool
  package var suggestions: Bool
  /// The descriptor to read keys from; must be a terminal.
  package var input: Int32
  /// The descriptor to draw on: standard error, because standard output is for data.
  package var output: Int32
  /// The supported features of the terminal beyond colors.
  package var features = TerminalFeatures.none

  package init(
    historyFile: String? = nil, keys: EditingStyle = .emacs, programName: String = "openmarket", colors: Bool = true,
    suggestions: Bool = true, input: Int32 = 0, output: Int32 = 2
  ) {
    self.historyFile = historyFile
    self.keys = keys
    self.programName = programName
    self.colors = colors
    self.suggestions = suggestions
    self.input = input
    self.output = output
  }
}

/// A prompt for one line: how it is shown, completed and checked.
struct PromptRequest {
  var prompt: StyledPrompt
  /// The text shown dimmed at the right edge if it fits.
  var rightPrompt = ""
  /// The window title; "" leaves it unchanged.
  var title = ""
  /// The exit status of the previous line, or `nil`.
  var previousExitStatus: Int32?
  /// The initial text of the line.
  var initial = ""
  /// Indicates a form field: no history, no newlines.
  var isField = false
  /// Indicates one of several fields, which Up and Down leave.
  var isFormField = false
  /// Indicates whether the field replaces the last one of the form on the screen.
  var overwritesPrevious = false
  /// Indicates whether keys typed before the prompt was on the screen are discarded.
  var discardsTypeahead = false
  /// Returns the rows above and below the prompt for a number of columns.
  var rows: @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) }
  /// The rule for the text, shown dimmed beside it.
  var rule = ""
  var completer: @Sendable (String, Int) -> CompletionResult = { _, _ in .none }
  var painter: (@Sendable (String) -> [HighlightedRange])?
  var isUnfinished: @Sendable (String) -> Bool = { _ in false }
  /// Returns the syntax of the missing arguments, shown dimmed after the text, or "".
  var hint: @Sendable (String) -> String = { _ in "" }
  /// Returns true if a line of the history may be suggested, and run as found.
  var maySuggest: @Sendable (String) -> Bool = { _ in true }
  /// Returns the replacement for a part of the text when Space is typed at its end, or `nil`.
  var expansion: @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil }
  /// Returns the reason why Enter does not accept the text yet, or `nil`.
  var accepts: @Sendable (String) -> String? = { _ in nil }
  /// Returns an explanation of the command at the cursor, in rows, or "".
  var explanation: @Sendable (String, Int) -> String = { _, _ in "" }
  /// The word that ``EditorSession/togglePrefix()`` adds, or "".
  var prefix = ""
  /// Indicates whether the caller can open the line in an external editor.
  var canEdit = false
  /// The labels of a search, as in `LineEditorDelegate`.
  var searchNames = (back: "bck", forward: "fwd")
  /// Returns true for a text that no key may produce.
  var refuses: @Sendable (String) -> Bool = { _ in false }
  /// Returns the text shown dimmed after the text while typing.
  var counter: @Sendable (String) -> String = { _ in "" }
}

/// The serial executor of an editor: a thread, so that waiting for a key blocks no other work.
final class ThreadExecutor: SerialExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
    var hasBegun = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  /// Starts the thread with the first job.
  ///
  /// An editor that never shows a prompt has no thread.
  private func begin() {
    let thread = Thread { self.run() }
    thread.name = "editor"
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = work.withLock { work in
      work.jobs.append(job)
      defer { work.hasBegun = true }
      return !work.hasBegun
    }
    if isFirst { begin() }
    ready.signal()
  }

  /// Ends the thread after the remaining jobs.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    unblockStopSignals()
    installAlternateSignalStack()
    while true {
      ready.wait()
      let (job, isOver) = work.withLock { work in
        (work.jobs.isEmpty ? nil : work.jobs.removeFirst(), work.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedSerialExecutor())
      } else if isOver {
        return
      }
    }
  }

  /// Sets the stack for signal handlers, for the case that the thread's own stack overflows.
  private func installAlternateSignalStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// Unblocks the stop signals.
  ///
  /// A thread created by a pool thread inherits a mask that blocks all signals. Ctrl-Z would not stop the program then,
  /// nor would SIGTTIN and SIGTTOU, so that a program in the background would use the terminal of another one.
  private func unblockStopSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
