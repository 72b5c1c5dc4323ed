import Foundation

/// A program whose input is written in chunks.
///
/// It sees the end of its input only after `closeAndWait()`.
package final class StreamingSubprocess: Sendable {
  /// The pause before writing again when the pipe is full.
  private static let pause = Duration.milliseconds(1)
  private static let capacity: Int32 = 1 << 20
  /// F_SETPIPE_SZ, which glibc declares only with `_GNU_SOURCE`.
  private static let setPipeSize: Int32 = 1031

  private let writeEnd: Int32
  private let isPager: Bool
  private let ending: Task<Subprocess.Ending, Never>

  /// Starts the program.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  package init?(_ program: Subprocess, staysAwake: Bool = false) {
    guard let pipe = CloseOnExecPipe() else { return nil }
    isPager = staysAwake
    writeEnd = pipe.writeEnd
    _ = fcntl(writeEnd, F_SETFL, fcntl(writeEnd, F_GETFL) | O_NONBLOCK)
    // The default of Linux is 64 KiB, less than two pages of a market.
    _ = fcntl(writeEnd, StreamingSubprocess.setPipeSize, StreamingSubprocess.capacity)
    ending = Task { await program.run(reading: pipe.readEnd, staysAwake: staysAwake) }
  }

  /// Writes a chunk and waits while the pipe is full.
  ///
  /// - Returns: Whether the program still reads; `| head -1` ends after a line.
  /// - Throws: `CancellationError`.
  package func writeInput(_ piece: [UInt8]) async throws -> Bool {
    var rest = piece[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        try await Task.sleep(for: StreamingSubprocess.pause)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Closes the input and waits for the program to end.
  ///
  /// Cancelling ends a pager only if it happened before: a pager that was given everything handles Ctrl-C itself.
  package func closeAndWait() async -> Subprocess.Ending {
    close(writeEnd)
    if isPager {
      if Task.isCancelled { ending.cancel() }
      return await ending.value
    }
    return await withTaskCancellationHandler {
      await ending.value
    } onCancel: {
      ending.cancel()
    }
  }

  /// Ends the program before it can take partial input for complete.
  package func terminate() async {
    ending.cancel()
    close(writeEnd)
    _ = await ending.value
  }
}
