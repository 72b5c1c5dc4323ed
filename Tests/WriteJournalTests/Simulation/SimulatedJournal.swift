import Catalog
import Foundation
import SQLiteSupport
import Synchronization

@testable import WriteJournal

/// One journal for many simulations in turn, each with a market of its own name: opening a database for each would take
/// most of the time. Every shell has a session of its own in it, with its lock.
final class SimulatedJournal: Sendable {
  private let directory: String
  private let journal: Journal
  private let count = Mutex(0)

  init() throws {
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
    directory = memory + "simulation-" + ULID.make()
    journal = try Journal(at: directory)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Returns the number of the next simulation.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  func open(by process: SimulatedProcess, _ scheduler: SeededScheduler) throws -> Journal {
    let journal = try Journal(sharing: journal, clock: process)
    journal.commits.run { scheduler.enqueue($0) }
    return journal
  }

  /// Ends a session as a kill does: its lock is free, and nothing of it is written any more.
  func kill(_ journal: Journal) {
    journal.poison.withLock { $0 = .system("killed") }
    unlink(directory + "/sessions/" + journal.session + ".lock")
  }
}
