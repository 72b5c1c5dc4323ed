import Foundation
import Synchronization

/// The output of a pipe, read by a separate thread.
final class Stream: Sendable {
  private struct State {
    var bytes = Data()
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Takes ownership of the descriptor, and closes it at the end.
  init(_ descriptor: Int32) {
    Thread.detachNewThread { self.gather(descriptor) }
  }

  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Returns when every writer has closed the pipe.
  func end() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiter = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  private func gather(_ descriptor: Int32) {
    var piece = Data()
    while Socket.read(descriptor, into: &piece) {
      state.withLock { [piece] in $0.bytes += piece }
      piece = Data()
    }
    close(descriptor)
    let waiter = state.withLock { state in
      state.isOver = true
      return state.waiter
    }
    waiter?.resume()
  }
}
