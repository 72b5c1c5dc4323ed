import Foundation
import Synchronization

/// Knows the signal that ends the program, and who has to be told of it: programs we started, a question, the work at hand.
package final class ShutdownCoordinator: Sendable {
  private struct State {
    var signal: Int32?
    var told: [(number: Int, tell: @Sendable (Int32) -> Void)] = []
    var work: [(number: Int, cancel: @Sendable () -> Void)] = []
    var next = 0
    var lent = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Nil while nothing ends.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// How the program ends by it.
  package var status: ExitStatus? { signal.map { ExitStatus(signal: $0) } }

  package var isWorking: Bool { state.withLock { !$0.work.isEmpty } }

  /// Does what the closure does; when the program has to end meanwhile, or had to before, `tell` gets the signal at once.
  package func telling<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ tell: @escaping @Sendable (_ signal: Int32) -> Void,
    during body: () async -> Value
  ) async -> Value {
    let (number, signal) = state.withLock { state in
      state.next += 1
      state.told.append((state.next, tell))
      return (state.next, state.signal)
    }
    if let signal { tell(signal) }
    defer { state.withLock { $0.told.removeAll { $0.number == number } } }
    return await body()
  }

  /// True while a program of the user's has the terminal, and with it Ctrl-C.
  package var isLending: Bool { state.withLock { $0.lent > 0 } }

  /// The terminal belongs to another program until the closure is over.
  func lending<Value: Sendable>(_ body: () async -> Value) async -> Value {
    state.withLock { $0.lent += 1 }
    defer { state.withLock { $0.lent -= 1 } }
    return await body()
  }

  /// Waits for the work; it is cancelled when its time is over.
  package func waiting<Value: Sendable>(for work: Task<Value, Never>) async -> Value {
    let number = state.withLock { state in
      state.next += 1
      state.work.append((state.next, { work.cancel() }))
      return state.next
    }
    defer { state.withLock { $0.work.removeAll { $0.number == number } } }
    return await work.value
  }

  package func begin(_ signal: Int32) {
    let told = state.withLock { state in
      state.signal = signal
      return state.told
    }
    for one in told { one.tell(signal) }
  }

  package func cancelWork() {
    for one in state.withLock({ $0.work }) { one.cancel() }
  }
}

/// One wait for what may come late; whatever else is missing after it is taken as gone.
package final class OneShot: Sendable {
  private let isLeft = Mutex(true)

  package init() {}

  /// True once.
  package func take() -> Bool {
    isLeft.withLock { left in
      defer { left = false }
      return left
    }
  }
}

/// How our terminal was, for after a program that was killed in the midst of its own ways.
struct TerminalModes {
  private let descriptor: Int32
  private let modes: termios

  /// Nil where none of our descriptors is a terminal.
  init?() {
    var modes = termios()
    let ours = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    guard let descriptor = ours.first(where: { tcgetattr($0, &modes) == 0 }) else { return nil }
    (self.descriptor, self.modes) = (descriptor, modes)
  }

  func restore() {
    var modes = modes
    tcsetattr(descriptor, TCSADRAIN, &modes)
  }

  /// Takes back what a program that was killed asked of the screen: a second screen, a hidden cursor, keys and a mouse
  /// that speak otherwise, colours. Each does nothing where nothing was asked.
  func calm() {
    guard isatty(STDERR_FILENO) == 1, let name = getenv("TERM"), String(cString: name) != "dumb" else { return }
    let words = "\u{1B}[?1047l\u{1B}[?25h\u{1B}[?1l\u{1B}>\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[0m"
    try? Descriptor.write(words, to: STDERR_FILENO)
  }
}
