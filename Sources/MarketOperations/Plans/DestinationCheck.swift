import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The check that a plan is applied to the market and by the vendor for which it was decided.
package struct DestinationCheck {
  private let planned: PlanFile.Destination

  package init(_ planned: PlanFile.Destination) { self.planned = planned }

  /// Checks a plan file against the market of a client and the login of the session.
  ///
  /// The generation of the market is read only if the profile and the login are those of the plan.
  ///
  /// - Throws: `CommandError` that names every difference; nothing was sent. The errors of reading the market.
  package func check(_ market: Client<MarketService>, named path: String, in scope: CommandScope) async throws {
    let here = PlanFile.Destination(scope.session, at: market.service.baseURL)
    // The name of a session without a profile is the address, which may change.
    let isNamedByAddress =
      scope.session.server.profile == nil || planned.market.server.hasSuffix("//" + planned.profile)
    if planned.profile == here.profile || isNamedByAddress, planned.vendor == here.vendor, planned.login == here.login {
      try await scope.readGeneration(of: market)
    }
    let identity = scope.session.market(at: market.service.baseURL)
    let mismatch = identity.mismatch(with: planned.market)
    let isSameMarket = mismatch == nil && identity.generation != nil && planned.generation != nil
    let isOtherProfile = planned.profile != here.profile && !(isSameMarket && isNamedByAddress)
    guard mismatch != nil || isOtherProfile || planned.vendor != here.vendor || planned.login != here.login else {
      return
    }
    let (what, korean): (StyledText, StyledText) =
      switch mismatch {
      case .otherAddress?: ("for another address", "다른 주소용")
      case .otherMarket?, .otherGeneration?, .reset?: ("for another market", "다른 마켓용")
      case nil where isOtherProfile: ("for another profile", "다른 프로필용")
      case nil: ("by another vendor", "다른 판매자의")
      }
    var message = Message.failure(
      "The plan \(.value(path)) was made \(what). Nothing was sent.",
      ko: "\(.value(path), .topic) \(korean) 계획입니다. 아무것도 보내지 않았습니다.")
    if isOtherProfile {
      message = message.because(
        DestinationCheck.difference(LocalizedText("profile", ko: "프로필"), plan: planned.profile, session: here.profile))
    }
    if let mismatch {
      message = message.because(
        mismatch, of: planned.market, at: identity, profile: scope.session.server.profile?.value)
    }
    if planned.vendor != here.vendor {
      message = message.because(
        DestinationCheck.difference(
          LocalizedText("vendor", ko: "판매자"), plan: number(planned.vendor), session: number(here.vendor)))
    } else if planned.login != here.login {
      message = message.because("It was made as another vendor.", ko: "다른 로그인의 계획입니다.")
    }
    throw CommandError(.blocked, message, code: .otherDestination)
  }

  private static func difference(_ what: LocalizedText, plan theirs: String, session ours: String) -> LocalizedText {
    LocalizedText(
      "Its \(what[.english]) is \(.foreign(theirs)), but yours is \(.foreign(ours)).",
      ko: "\(what[.korean]): 계획 파일은 \(.foreign(theirs)), 현재는 \(.foreign(ours)).")
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}

extension PlanFile.Destination {
  /// Creates the destination of plans of this session: its market, vendor and login.
  package init(_ session: Session, at url: URL) {
    let binding = session.marketLogin(at: url)
    let market = session.market(at: url)
    self.init(
      profile: binding.profile, baseURL: market.address, generation: market.generation,
      vendor: session.credentials.vendorID,
      login: binding.vendor.isEmpty ? nil : PlanFile.Destination.digest(binding.vendor))
  }
}
