import Catalog
import Foundation
import Journal
import Marketplace
import Networking
import Platform
import Presentation

extension Context {
  /// The one runner that writes, bound to the market and vendor of the session.
  package func runner(_ session: inout Session) async throws -> PlanRunner {
    let client = try await market(&session)
    let talk = RunnerTalk(self, session)
    let (journal, absence) = journalOrReason()
    return PlanRunner(
      journal: journal, absence: absence, market: MarketDoor(client: client, freshName: freshName, now: self.now),
      binding: session.binding(at: client.service.baseURL), settle: session.place.settle(at: client.service.baseURL),
      freshness: freshness, verification: session.place.verify.value,
      stopping: { [interruption] in interruption.isAsked }, progress: { talk.hear($0) })
  }

  /// A market can be read without a journal; a write without one is told why.
  private func journalOrReason() -> (Journal?, JournalFailure) {
    do {
      return (try journal(), .absent)
    } catch let failure as JournalFailure {
      return (nil, failure)
    } catch FileError.cannotWrite(let path, let code) {
      return (nil, code == ENOSPC ? .diskFull : .unwritable(path: path, reason: String(cString: strerror(code))))
    } catch {
      return (nil, .unwritable(path: home.journalFolder, reason: String(describing: error)))
    }
  }
}

extension Session {
  /// Writes belong to a market and a vendor; the embedded market's address changes with every start and its data does not.
  package func binding(at url: URL) -> Binding {
    Binding(
      profile: place.name,
      baseURL: place.isEmbedded ? "embedded:" + (place.edition?.value.rawValue ?? "open") : url.absoluteString,
      vendor: credentials.identifier ?? "")
  }
}
