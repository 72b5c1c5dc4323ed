import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A session whose responses come from a recording, without connections, and with a temporary journal.
package struct Replay: Sendable {
  private let recording: Recording
  /// The note on entries of the archive that aren't replayed, or `nil` if all are.
  package var note: Message? {
    let count = recording.skippedEntries
    guard count > 0 else { return nil }
    return .note(
      "Skipped \(count) \(count == 1 ? StyledText("entry of the archive that is no HTTP request") : "entries of the archive that are no HTTP requests").",
      ko: "아카이브에서 HTTP 요청이 아닌 항목 \(count)개를 건너뛰었습니다.")
  }
  private let transport: ReplayTransport
  private let folder: String

  /// - Throws: `FileError` for a file that cannot be read, `CommandError` for one that is no HTTP archive.
  package init(_ path: String) throws {
    recording = try Recording(path)
    transport = ReplayTransport(recording.exchanges)
    folder = NSTemporaryDirectory() + "openmarket-replay-" + UUID().uuidString
  }

  /// Sets the recorded server, unless the options name another one.
  package func adjust(_ options: inout SessionOptions) {
    if options.profile == nil, options.url == nil, !recording.isEmbedded {
      options.url = recording.baseURL.absoluteString
    }
    if options.edition == nil { options.edition = recording.edition }
  }

  /// Sets placeholders for missing credentials, which the recording doesn't contain.
  package func adjust(_ session: inout Session) {
    let standIn = Secret("__\(Credentials.secretVariable)__")
    session.credentials.secret = session.credentials.secret ?? standIn
    session.credentials.identifier = session.credentials.identifier ?? "__\(Credentials.identifierVariable)__"
    session.credentials.vendorID = session.credentials.vendorID ?? recording.vendorID
  }

  /// Returns a context whose transports all replay the recording.
  package func replaying(_ context: CommandContext) -> CommandContext {
    var copy = context.through { _ in transport }
    copy.network.bareTransport = transport
    (copy.stores.recording.exchanges, copy.stores.recording.snapshots) = (nil, nil)
    // What is recorded for this market isn't for another one that has its address now.
    copy.network.markets.replay(recording.generation, at: recording.baseURL)
    let (base, began, folder) = (recording.baseURL, recording.startedAt, folder)
    copy.network.embedded.address = { _ in base }
    copy.clock.now = { began }
    let (opened, secrets) = (LazilyOpenedJournal(), context.stores.secrets)
    copy.stores.journal = {
      try opened.journal {
        try Files.createDirectory(folder)
        return try Journal(at: folder, mask: { secrets.mask($0) })
      }
    }
    return copy
  }

  /// Deletes the journal of the replay.
  package func end() { try? FileManager.default.removeItem(atPath: folder) }
}
