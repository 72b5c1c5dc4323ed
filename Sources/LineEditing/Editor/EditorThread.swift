import Dispatch
import Foundation
import Glibc
import Synchronization

/// How one editor is set up; fixed at its start, but for what its `set…` functions change.
package struct EditorOptions: Sendable {
  /// The file that keeps the lines; nil keeps them for this session only.
  package var historyFile: String?
  package var keys: Keys
  /// The name before the colon of lines in `.editrc` that are for this program only.
  package var programName: String
  package var colors: Bool
  package var suggestions: Bool
  /// Where keys are read; must be a terminal.
  package var input: Int32
  /// Where the prompt is drawn: standard error, since standard output is for data.
  package var output: Int32
  /// What the terminal takes beyond colours.
  package var features = TerminalFeatures.none

  package init(
    historyFile: String? = nil, keys: Keys = .emacs, programName: String = "openmarket", colors: Bool = true,
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

/// One line that is asked for: how it is shown, completed and checked.
struct Question {
  var prompt: StyledPrompt
  /// Shown dim at the right edge while there is room.
  var right = ""
  /// Of the window; "" leaves it as it is.
  var title = ""
  /// What the line before it came to; nil for none.
  var lastStatus: Int32?
  /// What stands in the line at first.
  var initial = ""
  /// A form field: no history, no newlines.
  var isField = false
  /// One of several fields: Up and Down leave it.
  var isInForm = false
  /// Whether it stands where the form's last field stood.
  var replacesLast = false
  /// True if keys typed before the question was on the screen are thrown away.
  var discardsTypeahead = false
  /// The rows above and below it in so many columns.
  var rows: @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) }
  /// What the text must be, shown dim beside it.
  var rule = ""
  var completer: @Sendable (String, Int) -> Completion = { _, _ in .none }
  var painter: (@Sendable (String) -> [PaintedRange])?
  var isUnfinished: @Sendable (String) -> Bool = { _ in false }
  /// The shape of what is still missing, shown dim behind the text; "" when nothing is.
  var hint: @Sendable (String) -> String = { _ in "" }
  /// Whether a line of the history may be suggested, and run as it is found.
  var maySuggest: @Sendable (String) -> Bool = { _ in true }
  /// What Space at the end of the text puts in place of some of its scalars; nil for nothing.
  var expansion: @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil }
  /// Why Enter would not take the text yet.
  var accepts: @Sendable (String) -> String? = { _ in nil }
  /// What the command at the cursor does, in rows; "" where there is nothing to say.
  var explanation: @Sendable (String, Int) -> String = { _, _ in "" }
  /// The word that ``EditCore/togglePrefix()`` puts in front; "" for none.
  var prefix = ""
  /// Whether the caller can have the line changed in an editor.
  var canEdit = false
  /// What stands before the pattern of a search, as `LineHelp` has it.
  var searchNames = (back: "bck", forward: "fwd")
  /// Texts no key may lead to.
  var refuses: @Sendable (String) -> Bool = { _ in false }
  /// Shown dim behind the text while typing.
  var counter: @Sendable (String) -> String = { _ in "" }
}

/// The one thread an editor lives on, so that waiting for a key blocks nobody else.
final class EditorThread: SerialExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
    var hasBegun = false
  }

  private let work = Mutex(Work())
  private let ready = DispatchSemaphore(value: 0)

  /// Starts the thread with the first job: an editor that is never asked anything has none.
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

  /// Ends the thread once nothing is left to do.
  func finish() {
    work.withLock { $0.isOver = true }
    ready.signal()
  }

  private func run() {
    letStopSignalsIn()
    prepareAlternateStack()
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

  /// Where a signal handler runs when the thread's own stack is used up.
  private func prepareAlternateStack() {
    let size = 65_536
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// A thread made by one of a pool inherits that all signals are held back, and Ctrl-Z would not stop the program; nor
  /// would the terminal of another, which a program sent to the background with `bg` must leave alone.
  private func letStopSignalsIn() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
