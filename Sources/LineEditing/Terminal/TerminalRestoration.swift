import Glibc
import Synchronization

/// Gives the terminal its modes back whatever ends the process: a watchdog, a trap, an abort in a library, `exit` on
/// another thread.
///
/// Whoever changes the terminal's modes says so here. ``install()`` makes every signal that would end the process restore
/// them first. The signal handler only reads atomics and memory that was allocated before, and calls `tcsetattr` and
/// `write`, which POSIX allows there.
package enum TerminalRestoration {
  /// Whether the process is ending: from then on nobody changes the terminal any more.
  private static let isOver = Mutex(false)
  private static let isChanged = Atomic<Bool>(false)
  private static let sendsCodes = Atomic<Bool>(false)
  private static let descriptor = Atomic<Int32>(-1)
  nonisolated(unsafe) private static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Bracketed paste off, colours off, the cursor visible, and a row of its own for whoever prints next.
  nonisolated(unsafe) private static let codes = strdup("\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\r\n")!
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  /// What ends a process that did not ask for it, faults and everyday signals alike.
  private static let deadly: [Int32] = [
    SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSYS, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
    SIGIO, SIGPWR, SIGSTKFLT,
  ]

  /// From now on the end of the process restores the terminal. Call once, at the start.
  package static func install() {
    // A handler must not be the first to touch them, for making a static value takes a lock.
    (modes.pointee, previous.pointee) = (termios(), sigaction())
    _ = (codes[0], isChanged.load(ordering: .relaxed), sendsCodes.load(ordering: .relaxed))
    _ = descriptor.load(ordering: .relaxed)
    for signal in deadly {
      guard sigaction(signal, nil, previous + Int(signal)) == 0, !Signals.isIgnored(signal) else { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, information, _ in
        TerminalRestoration.restore()
        // Whoever handled the signal before does so now: the kernel's own fault comes again by itself.
        sigaction(number, TerminalRestoration.previous + Int(number), nil)
        if (information?.pointee.si_code ?? 0) <= 0 { raise(number) }
      }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(signal, &action, nil)
    }
    atexit { TerminalRestoration.restoreForGood() }
  }

  /// Remembers the terminal's modes as they are, unless they are changed already, and changes them.
  /// - Parameter sendsCodes: whether the terminal understands escape codes.
  /// - Returns: false when the process is ending and nothing was changed.
  @discardableResult
  static func change(_ descriptor: Int32, sendsCodes: Bool, _ change: () -> Void) -> Bool {
    isOver.withLock { isOver in
      if isOver { return false }
      if !isChanged.load(ordering: .relaxed), tcgetattr(descriptor, modes) == 0 {
        self.descriptor.store(descriptor, ordering: .relaxed)
        self.sendsCodes.store(sendsCodes, ordering: .relaxed)
        isChanged.store(true, ordering: .releasing)
      }
      change()
      return true
    }
  }

  /// The one who changed the modes has given them back.
  static func gaveBack() { isChanged.store(false, ordering: .releasing) }

  /// Restores the terminal; nothing changes it any more. For the end of the process only.
  package static func restoreForGood() {
    for _ in 0..<50 {
      // Someone may hold the lock who waits for a terminal that takes nothing.
      if isOver.withLockIfAvailable({ $0 = true }) != nil { break }
      usleep(2_000)
    }
    restore()
  }

  private static func restore() {
    guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let saved = errno
    defer { errno = saved }
    let terminal = descriptor.load(ordering: .relaxed)
    let owner = tcgetpgrp(terminal)
    // The terminal of a program in the foreground is not ours to set.
    if owner >= 0, owner != getpgrp() { return }
    tcsetattr(terminal, TCSANOW, modes)
    guard sendsCodes.load(ordering: .relaxed) else { return }
    var waits = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
    if poll(&waits, 1, 0) == 1, waits.revents & Int16(POLLOUT) != 0 { _ = write(terminal, codes, strlen(codes)) }
  }
}
