import Catalog
import CommandLanguage
import Presentation
import Text

extension Message {
  /// Adds the reason why a record is not of the market of the session, which names both, and the way out if they are one
  /// market after all.
  ///
  /// - Parameters:
  ///   - difference: The difference.
  ///   - record: The market of the record.
  ///   - here: The market of the session.
  ///   - profile: The profile of the session, or `nil` without one.
  package func because(
    _ difference: MarketDifference, of record: MarketIdentity, at here: MarketIdentity, profile: String?
  ) -> Message {
    switch difference {
    case .reset(let began):
      guard let time = began.map({ LocalTime($0).description }) else {
        return because(
          "The market \(.foreign(here.address)) was reset since. Its numbers name other products now.",
          ko: "그 뒤에 \(.foreign(here.address)) 마켓이 초기화되었습니다. 같은 번호라도 다른 상품입니다.")
      }
      return because(
        "The market \(.foreign(here.address)) was reset at \(time), and this is from before. Its numbers name other products now.",
        ko: "\(.foreign(here.address)) 마켓은 \(time)에 초기화되었고, 이것은 그 전의 것입니다. 같은 번호라도 다른 상품입니다.")
    case .otherGeneration:
      return because(
        "Another market is at \(.foreign(here.address)) now. Its numbers name other products.",
        ko: "\(.foreign(here.address))에는 이제 다른 마켓이 있습니다. 같은 번호라도 다른 상품입니다.")
    case .otherAddress:
      let isKnown = record.generation != nil && here.generation != nil
      let message = because(
        "It is from \(.foreign(record.address)), and this session uses \(.foreign(here.address)). \(isKnown ? StyledText("Their numbers name other products.") : "Their numbers may name other products.")",
        ko: "\(.foreign(record.address)) 마켓의 것이고, 현재 마켓은 \(.foreign(here.address))입니다. \(isKnown ? StyledText("같은 번호라도 다른 상품입니다.") : "같은 번호라도 다른 상품일 수 있습니다.")")
      guard let profile, !isKnown, record.address.contains("://"), here.address.contains("://") else {
        return message
      }
      let addresses = here.otherAddresses + [record.address]
      let line = "profile \(Quoting.quote(profile)) also=\(Quoting.quote(addresses.joined(separator: ",")))"
      return message.next(
        "If both are addresses of one server, run \(.command(line)).",
        ko: "둘 다 같은 서버의 주소라면 \(.command(line)), 이렇게 알려 주세요.")
    }
  }
}
