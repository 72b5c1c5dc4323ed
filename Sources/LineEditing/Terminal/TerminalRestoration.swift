import Glibc
import Synchronization

/// Restores the terminal modes however the process ends: a fault, a trap, an abort in a library, `exit` on another
/// thread.
///
/// All changes of the modes are registered here. ``install()`` makes every signal that would end the process restore
/// them first. The signal handler only reads atomics and memory that was allocated before, and calls `tcsetattr` and
/// `write`, which POSIX lists as async-signal-safe.
package enum TerminalRestoration {
  /// Indicates whether the process is ending; from then on no code changes the terminal.
  private static let isExiting = Mutex(false)
  private static let isChanged = Atomic<Bool>(false)
  private static let sendsCodes = Atomic<Bool>(false)
  private static let descriptor = Atomic<Int32>(-1)
  /// The terminal that has stored keyboard modes, or -1.
  private static let keyboardDescriptor = Atomic<Int32>(-1)
  nonisolated(unsafe) private static let savedModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Bracketed paste off, colors off, the cursor visible, and a new row for later output.
  nonisolated(unsafe) private static let resetSequence = strdup("\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\r\n")!
  /// The code that restores the keyboard modes that the terminal has stored.
  static let popKeyboardModes = "\u{1B}[<u"
  nonisolated(unsafe) private static let popSequence = strdup(popKeyboardModes)!
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  /// The signals that end a process and are not handled elsewhere, faults as well as ordinary ones.
  private static let fatalSignals: [Int32] = [
    SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
    SIGIO, SIGPWR, SIGSTKFLT,
  ]

  /// Installs the handlers.
  ///
  /// Call once, at the start.
  package static func install() {
    // A handler must not be the first to access these static values, because their initialization takes a lock.
    (savedModes.pointee, previous.pointee) = (termios(), sigaction())
    _ = (resetSequence[0], isChanged.load(ordering: .relaxed), sendsCodes.load(ordering: .relaxed))
    _ = descriptor.load(ordering: .relaxed)
    _ = (popSequence[0], keyboardDescriptor.load(ordering: .relaxed))
    for signal in fatalSignals {
      guard sigaction(signal, nil, previous + Int(signal)) == 0, !SignalDispatcher.isIgnored(signal) else { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, information, _ in
        TerminalRestoration.restore()
        // The previous handler runs now: a fault of the kernel occurs again by itself.
        sigaction(number, TerminalRestoration.previous + Int(number), nil)
        if (information?.pointee.si_code ?? 0) <= 0 { raise(number) }
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(signal, &action, nil)
    }
    atexit { TerminalRestoration.restoreForGood() }
  }

  /// Saves the modes of the terminal unless they are changed already, and changes them.
  ///
  /// `sendsCodes` means that the terminal understands escape codes. Returns false, and changes nothing, when the
  /// process is ending.
  @discardableResult
  static func change(_ descriptor: Int32, sendsCodes: Bool, _ change: () -> Void) -> Bool {
    isExiting.withLock { isOver in
      if isOver { return false }
      if !isChanged.load(ordering: .relaxed), tcgetattr(descriptor, savedModes) == 0 {
        self.descriptor.store(descriptor, ordering: .relaxed)
        self.sendsCodes.store(sendsCodes, ordering: .relaxed)
        isChanged.store(true, ordering: .releasing)
      }
      change()
      return true
    }
  }

  /// Records that the modes were restored, so that the handlers do not restore them again.
  static func markRestored() { isChanged.store(false, ordering: .releasing) }

  /// Restores the terminal permanently, when the process ends.
  package static func restoreForGood() {
    for _ in 0..<50 {
      // The lock may be held by a thread that waits for a blocked terminal.
      if isExiting.withLockIfAvailable({ $0 = true }) != nil { break }
      usleep(2_000)
    }
    restore()
  }

  /// Records whether the terminal has stored keyboard modes, which the end of the process restores.
  static func popsKeyboardModes(_ descriptor: Int32, _ pops: Bool) {
    keyboardDescriptor.store(pops ? descriptor : -1, ordering: .releasing)
  }

  private static func restoreKeyboardModes() {
    let terminal = keyboardDescriptor.exchange(-1, ordering: .acquiringAndReleasing)
    guard terminal >= 0 else { return }
    let owner = tcgetpgrp(terminal)
    if owner >= 0, owner != getpgrp() { return }
    var waits = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
    if poll(&waits, 1, 0) == 1, waits.revents & Int16(POLLOUT) != 0 {
      _ = write(terminal, popSequence, strlen(popSequence))
    }
  }

  private static func restore() {
    restoreKeyboardModes()
    guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let saved = errno
    defer { errno = saved }
    let terminal = descriptor.load(ordering: .relaxed)
    let owner = tcgetpgrp(terminal)
    // If another program is in the foreground, the modes are not ours to set.
    if owner >= 0, owner != getpgrp() { return }
    tcsetattr(terminal, TCSANOW, savedModes)
    guard sendsCodes.load(ordering: .relaxed) else { return }
    var waits = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
    if poll(&waits, 1, 0) == 1, waits.revents & Int16(POLLOUT) != 0 {
      _ = write(terminal, resetSequence, strlen(resetSequence))
    }
  }
}
