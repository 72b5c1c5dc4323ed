import Catalog
import Failures
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// Writes every exchange of the session into a file, a line each, from the moment it is asked to; made once.
package final class Recorder: Sendable {
  private struct Tape {
    var descriptor: Int32
    var path: String
    let standIns = Redactions()
    var count = 0
  }

  private let tape = Mutex<Tape?>(nil)
  private let isSealed: Bool

  /// - Parameter isSealed: of a replay: what is asked is answered from a recording, and makes no new one.
  package init(isSealed: Bool = false) { self.isSealed = isSealed }

  /// Where it writes, and how many exchanges so far; nil while it does not.
  package var state: (path: String, count: Int)? { tape.withLock { $0.map { ($0.path, $0.count) } } }

  /// Begins a file anew, readable by this user alone, also where there was one that others could read.
  ///
  /// - Throws: `Failure` during a replay; `FileError` where the file cannot be written or closed to others.
  package func start(_ path: String, head: JSON) throws {
    guard !isSealed else {
      throw Failure(
        .misread, .failure("Recording is not available while replaying.", ko: "재생하는 동안에는 기록하지 않습니다."))
    }
    guard FilePlace(path).isWritable else { throw FileError.notAFile(path: path) }
    stop()
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError.cannotWrite(path: path, errno: errno) }
    do {
      try Recorder.clear(file, path)
      try Descriptor.write(head.text + "\n", to: file, path: path)
    } catch {
      close(file)
      throw error
    }
    tape.withLock { $0 = Tape(descriptor: file, path: path) }
  }

  /// An old file keeps its mode when it is opened; one that cannot be closed to others keeps its text too.
  private static func clear(_ file: Int32, _ path: String) throws {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw FileError.notAFile(path: path) }
    guard fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 else {
      throw FileError.cannotWrite(path: path, errno: errno)
    }
  }

  package func stop() {
    tape.withLock { tape in
      if let tape { close(tape.descriptor) }
      tape = nil
    }
  }

  /// A line that cannot be written ends the recording: half a file would replay something else.
  ///
  /// - Parameter secrets: those of the session, hidden also where a server repeats them to somebody who sent none.
  package func note(_ exchange: Exchange, hiding secrets: [NamedSecret]) {
    if case .failure(let failure) = exchange.outcome, failure.reason == .cancelled { return }
    tape.withLock { tape in
      guard var open = tape else { return }
      let line = RecordedExchange(exchange, open.standIns, hiding: secrets).json.text + "\n"
      guard (try? Descriptor.write(line, to: open.descriptor)) != nil else {
        close(open.descriptor)
        unlink(open.path)
        tape = nil
        return
      }
      open.count += 1
      tape = open
    }
  }
}

/// A transport in front of a person: while a request is under way, the spinner knows.
struct WaitingTransport: Transport {
  let base: any Transport
  let spinner: Spinner

  func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Reply {
    try await spinner.during { try await base.send(request, to: address, with: options) }
  }
}

/// How much of a picture is on its way, while it is: `↑ 512 KB / 1.4 MB`.
package struct UploadLine: Sendable {
  private let console: any Console
  private let mark: String

  package init(_ console: any Console, ascii: Bool) {
    self.console = console
    mark = ascii ? "^" : "↑"
  }

  /// - Parameter sent: in bytes; nil when there is no more to tell.
  package func show(sent: Int?, of total: Int) {
    guard let sent, sent < total else { return console.status(nil) }
    let text = "\(mark) \(HumanNumber.bytes(sent)) / \(HumanNumber.bytes(total))"
    console.status(text)
  }
}
