import Catalog
import Foundation
import Journal
import Marketplace
import Networking
import Presentation

extension Context {
  /// The one runner that writes, bound to the market and vendor of the session.
  func runner(_ session: inout Session) async throws -> PlanRunner {
    let client = try await market(&session)
    let now = session
    let (journal, absence) = journalOrReason()
    return PlanRunner(
      journal: journal, absence: absence, market: MarketDoor(client: client, freshName: freshName, now: self.now),
      binding: session.binding(at: client.service.baseURL), settle: session.place.settle(at: client.service.baseURL),
      progress: { [self] event in tell(event, now) })
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

  /// Says what takes long: an outcome that is being read back, a product that another shell holds.
  private func tell(_ event: RunnerEvent, _ session: Session) {
    switch event {
    case .settling(_, let left, let evidence):
      let seconds = left.components.seconds
      say(
        .note(
          "The outcome is unknown (\(.foreign(evidence))); reading back, \(seconds) s at most.",
          ko: "결과를 알 수 없어(\(.foreign(evidence))) 다시 읽어 확인합니다. 길어야 \(seconds)초."), session)
    case .waiting(_, let holder):
      say(
        .note(
          "Process \(holder.process) holds this product since \(holder.since); waiting.",
          ko: "\(holder.process)번 프로세스가 \(holder.since)부터 이 상품을 잡고 있어 기다립니다."), session)
    case .pausing(_, let time):
      let seconds = time.components.seconds
      say(.note("Again in \(seconds) s.", ko: "\(seconds)초 뒤에 다시 보냅니다."), session)
    case .sending, .finished: break
    }
  }
}

extension Session {
  /// Writes belong to a market and a vendor; the embedded market's address changes with every start and its data does not.
  func binding(at url: URL) -> Binding {
    Binding(
      profile: place.name,
      baseURL: place.isEmbedded ? "embedded:" + (place.edition?.value.rawValue ?? "open") : url.absoluteString,
      vendor: credentials.identifier ?? "")
  }
}
