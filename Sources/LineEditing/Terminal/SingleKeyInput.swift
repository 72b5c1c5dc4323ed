import Foundation
import Glibc

/// The keys that are pressed at a terminal, without Return and without echo, for a program without a prompt.
///
/// Ctrl-C and Ctrl-Z still send their signals. In the background nothing is read, so that the system does not stop the
/// program.
package final class SingleKeyInput: Sendable {
  /// The characters as they are typed; the stream ends with the input.
  package let keys: AsyncStream<Character>
  private let descriptor: Int32
  private let modes: TermiosOverride

  /// Begins to read, or returns `nil` if the descriptor is not a terminal that this program may read.
  package init?(_ descriptor: Int32) {
    guard SingleKeyInput.isInForeground(descriptor),
      let modes = TermiosOverride(descriptor, { $0.c_lflag &= ~tcflag_t(ICANON | ECHO) })
    else { return nil }
    (self.descriptor, self.modes) = (descriptor, modes)
    let (keys, input) = AsyncStream.makeStream(of: Character.self)
    self.keys = keys
    let thread = Thread { SingleKeyInput.read(descriptor, modes, into: input) }
    thread.name = "keys"
    thread.start()
  }

  /// Restores the modes of the terminal.
  package func end() {
    if SingleKeyInput.isInForeground(descriptor) { modes.restore() }
  }

  private static func isInForeground(_ descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

  private static func read(
    _ descriptor: Int32, _ modes: TermiosOverride, into input: AsyncStream<Character>.Continuation
  ) {
    var bytes = [UInt8](repeating: 0, count: 256)
    var decoder = KeyDecoder()
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&waiting, 1, decoder.waitLimit < 0 ? 200 : decoder.waitLimit)
      guard isInForeground(descriptor) else {
        // What is typed is for another program.
        if isReady > 0 { usleep(200_000) }
        continue
      }
      // The system shell sets its own modes before `fg`, and sends no signal to a program that is running already.
      if !modes.isInEffect { modes.apply() }
      guard isReady > 0 else {
        _ = decoder.settle()
        continue
      }
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return input.finish() }
      // A key that has no character, such as an arrow, means nothing here.
      for case .scalar(let scalar) in decoder.decode(bytes[..<count]) {
        switch scalar.value {
        // They arrive as keys if the terminal sends keys in another form; otherwise the system sends the signals.
        case 3: kill(getpid(), SIGINT)
        case 26: kill(0, SIGTSTP)
        case 28: kill(getpid(), SIGQUIT)
        default: input.yield(Character(scalar))
        }
      }
    }
  }
}
