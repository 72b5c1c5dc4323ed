import Foundation
import Journal
import Networking
import Platform
import Shell
import Synchronization

/// The way to the network, laid when the first request is sent: a prompt that has asked for nothing yet needs neither
/// thread nor connections.
final class LiveTransport: Transport {
  private struct Opened {
    let connections: HTTPTransport
    let retrying: RetryingTransport
  }

  private let opened = Mutex<Opened?>(nil)
  private let retries: Bool
  private let progress: @Sendable (_ sent: Int?, _ total: Int) -> Void

  /// - Parameters:
  ///   - retries: whether reads are sent again after a failure that may pass.
  ///   - progress: told how much of a long body has left.
  init(retries: Bool, progress: @escaping @Sendable (_ sent: Int?, _ total: Int) -> Void) {
    self.retries = retries
    self.progress = progress
  }

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    var options = options
    options.retriesReads = options.retriesReads && retries
    return try await open().retrying.send(request, to: base, with: options)
  }

  /// Closes the connections of a process that is about to end; the transport is of no use afterwards.
  func leave() { opened.withLock { $0 }?.connections.leave() }

  private func open() -> Opened {
    opened.withLock { opened in
      if let opened { return opened }
      let connections = HTTPTransport(version: Version.text, progress: progress)
      let new = Opened(connections: connections, retrying: RetryingTransport(connections, bucket: RetryBucket()))
      opened = new
      return new
    }
  }
}

/// The journal, opened when a command first needs it: reading a market works without one.
final class LazyJournal: Sendable {
  private let folder: String
  private let secrets: KnownSecrets
  private let opened = Mutex<Journal?>(nil)

  /// - Parameter secrets: what no text in it will hold, also those that become known later.
  init(folder: String, secrets: KnownSecrets) {
    self.folder = folder
    self.secrets = secrets
  }

  /// Throws `JournalFailure` where not even the log can be read; the next command tries again.
  func open() throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      try Files.makeFolder(folder)
      let journal = try Journal(at: folder, mask: { [secrets] in secrets.mask($0) })
      opened = journal
      Task.detached(priority: .background) { journal.sweepDaily() }
      return journal
    }
  }

  /// Lets go of it; it is closed when whoever still reads from it is done.
  func close() { opened.withLock { $0 = nil } }
}
