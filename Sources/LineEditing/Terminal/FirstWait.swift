import Glibc
import Synchronization

/// What is put off until the first question stands and a key is waited for: before, it would only delay the prompt.
package final class FirstWait: Sendable {
  private let work = Mutex<[@Sendable () -> Void]?>([])

  package init() {}

  /// Does it then, in the order of the calls; at once where that time has come.
  package func begin(_ body: @escaping @Sendable () -> Void) {
    let isOver = work.withLock { work in
      work?.append(body)
      return work == nil
    }
    if isOver { body() }
  }

  func come() {
    for body in work.withLock({ $0.take() }) ?? [] { body() }
  }
}

/// A thread of the C library. Foundation's has a name, a dictionary and an object that nobody here asks for; to make the
/// first of each takes a tenth of the time to the prompt.
enum BareThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func begin(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { body in
        body.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue() }?.run()
        return nil
      }, Unmanaged.passRetained(Body(run)).toOpaque())
    guard code == 0 else {
      // The terminal is put back at the exit.
      Descriptor.write("error: No thread could be begun: \(String(cString: strerror(code)))\n", to: STDERR_FILENO)
      exit(1)
    }
    pthread_detach(thread)
  }
}
