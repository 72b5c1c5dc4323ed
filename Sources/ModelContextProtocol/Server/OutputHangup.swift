import Foundation

/// The end of a client, as a server sees it on the descriptor that it writes to.
package enum OutputHangup {
  /// Calls `body` on a thread of its own when nothing can read from the other end any more.
  ///
  /// A write would fail then, but a server that only waits for requests never writes. A descriptor of a regular file or
  /// of `/dev/null` has no other end, so `body` is not called.
  package static func watch(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      // Errors and hang-ups are reported without being asked for.
      var output = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0, errno == EINTR {}
      if output.revents != 0 { body() }
    }
  }
}
