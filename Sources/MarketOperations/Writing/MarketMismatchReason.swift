import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

extension Message {
  /// Adds the reason why a record is not of the market of the session, which names both, and the way out if they are one
  /// market after all.
  ///
  /// - Parameters:
  ///   - record: The market of the record.
  ///   - here: The market of the session.
  ///   - profile: The profile of the session, or `nil` without one.
  package func because(
    _ mismatch: MarketMismatch, of record: MarketIdentity, at here: MarketIdentity, profile: String?
  ) -> Message {
    switch mismatch {
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
    case .otherAddress, .otherMarket:
      let isKnown = mismatch == .otherMarket
      let message = because(
        "It is from \(.foreign(record.address)), and this session uses \(.foreign(here.address)). \(isKnown ? StyledText("Their numbers name other products.") : "Their numbers may name other products.")",
        ko:
          "\(.foreign(record.address)) 마켓의 것이고, 현재 마켓은 \(.foreign(here.address))입니다. \(isKnown ? StyledText("같은 번호라도 다른 상품입니다.") : "같은 번호라도 다른 상품일 수 있습니다.")"
      )
      guard let profile, !isKnown, record.address.contains("://"), here.address.contains("://"),
        record.resource == here.resource
      else { return message }
      let addresses = (here.otherAddresses + [record.address]).map { MarketIdentity(address: $0).server }
      let line = "profile \(Quoting.quote(profile)) also=\(Quoting.quote(addresses.joined(separator: ",")))"
      return message.next(
        "If both are addresses of one server, run \(.command(line)).",
        ko: "둘 다 같은 서버의 주소라면 \(.command(line)), 이렇게 알려 주세요.")
    }
  }
}

extension CommandError {
  /// Throws if a line refers to a product of another market than the one that responded last.
  ///
  /// - Parameters:
  ///   - references: The names in the line, such as `_`, `@` for rows, `$cup`, and the markets of their products.
  ///   - here: The market of the session.
  /// - Throws: `CommandError` with exit status 4 that names both markets.
  package static func throwIfOfOtherMarket(
    _ references: [(name: String, market: MarketIdentity)], _ here: MarketIdentity
  ) throws(CommandError) {
    for (name, record) in references {
      guard !here.hasProducts(ofEmbedded: record), let mismatch = here.mismatch(with: record) else { continue }
      let what =
        name == "@"
        ? LocalizedText(
          "The last list is of another market. Nothing was sent.", ko: "마지막 목록은 다른 마켓의 것입니다. 아무것도 보내지 않았습니다.")
        : LocalizedText(
          "\(.command(name)) is a product of another market. Nothing was sent.",
          ko: "\(.command(name), .topic) 다른 마켓의 상품입니다. 아무것도 보내지 않았습니다.")
      throw CommandError(
        .blocked,
        Message(.failure, what).because(mismatch, of: record, at: here, profile: nil).next(
          "Run \(.command("ls")) to list the products that are there now.",
          ko: "지금 있는 상품은 \(.command("ls"), .toward) 볼 수 있습니다."),
        code: .otherDestination)
    }
  }
}
