import Catalog
import CommandLanguage
import MarketAPI
import Platform
import Presentation
import Text

extension Message {
  /// The failure of changes that the file of a market doesn't describe: all that it lacks, in one message.
  static func undescribed(
    _ operations: [MarketAPI.Operation], _ fields: [ProductField], in dialect: Dialect
  ) -> Message {
    let file = dialect.marketDescription?.file ?? dialect.name
    var message = Message.failure(
      "This market does not take the change. Nothing was sent.", ko: "이 마켓에서는 할 수 없는 변경입니다. 아무것도 보내지 않았습니다.")
    for operation in operations {
      let table =
        switch operation {
        case .create: "[create]"
        case .delete: "[delete]"
        default: "[update]"
        }
      message = message.because(
        "\(.value(file)) has no table \(.command(table)).", ko: "\(.value(file))에 \(.command(table)) 표가 없습니다.")
    }
    for field in fields {
      let isRead = dialect.marketDescription?.fields[field] != nil
      message = message.because(
        isRead
          ? LocalizedText(
            "\(.value(file)) does not make the field \(.field(field)) writable.",
            ko: "\(.value(file))에서 \(.field(field)) 필드는 쓸 수 없습니다.")
          : LocalizedText(
            "\(.value(file)) describes no field \(.field(field)).", ko: "\(.value(file))에 \(.field(field)) 필드가 없습니다."))
    }
    return message
  }

  /// The failure of a change in a market whose description has unconfirmed guesses.
  package static func uncheckedDescription(_ market: MarketDescription) -> Message {
    let lines = market.unchecked.map(String.init).joined(separator: ", ")
    return .failure("The description has guesses. Nothing was sent.", ko: "설명 파일에 추측이 있습니다. 아무것도 보내지 않았습니다.")
      .because(
        "\(.value(market.file)) has the comment \(.command("# CHECK")) at line \(lines).",
        ko: "\(.value(market.file)) \(lines)번째 줄에 \(.command("# CHECK")) 주석이 있습니다."
      )
      .next(
        "Check these lines, then remove the comments.", ko: "그 줄을 확인한 뒤 주석을 지우세요.")
  }

  /// The warning before a change in a market whose description `contract writes` has not proven at this server.
  ///
  /// - Parameters:
  ///   - market: The description.
  ///   - server: The host with its port.
  ///   - wasProven: Whether an earlier text of the file was proven there.
  package static func unproven(_ market: MarketDescription, at server: String, wasProven: Bool) -> Message {
    Message(
      .warning,
      wasProven
        ? LocalizedText(
          "\(.value(market.file)) was changed since it was proven at \(.value(server)).",
          ko: "\(.value(market.file)), \(.value(server))에서 검증한 뒤에 바뀐 설명입니다.")
        : LocalizedText(
          "\(.value(market.file)) was not proven at \(.value(server)).",
          ko: "\(.value(market.file)), \(.value(server))에서 검증하지 않은 설명입니다.")
    )
    .next(
      "Run \(.command("contract writes")) to prove it with a product of its own.",
      ko: "\(.command("contract writes"), .object) 실행하면 상품을 하나 만들어 검증합니다.")
  }

  /// The note about a market whose server confirms a write without storing it.
  package static func keepsNothing(_ market: MarketDescription) -> Message {
    .note(
      "This server answers writes and keeps nothing (\(.value(market.file))).",
      ko: "이 서버는 변경에 응답만 하고 저장하지 않습니다(\(.value(market.file))).")
  }
}

extension CommandError {
  /// The number of further faults of a description that a message lists.
  private static let maximumFaults = 20

  package init(_ error: DescriptionError) {
    func text(_ fault: DescriptionFault) -> LocalizedText {
      let position = "\(error.file):\(fault.position)"
      return LocalizedText("\(position): " + fault.what.english, ko: "\(position): " + fault.what.korean)
    }
    guard let first = error.faults.first else {
      self.init(.usageError, .failure("The description has a fault.", ko: "설명 파일에 오류가 있습니다."), code: .badFile)
      return
    }
    var message = Message(.failure, text(first))
    if let reason = first.reason { message = message.because(reason) }
    if let nearest = first.nearest {
      message = message.next("Did you mean \(.value(nearest))?", ko: "\(.value(nearest), .object) 뜻하셨나요?")
    }
    message = message.because(first: CommandError.maximumFaults, of: error.faults.dropFirst()) { fault in
      let text = text(fault)
      guard let nearest = fault.nearest else { return text }
      return LocalizedText(
        text.english + " Did you mean \(.value(nearest))?", ko: text.korean + " \(.value(nearest), .object) 뜻하셨나요?")
    }
    self.init(.usageError, message, code: .badFile)
  }

  /// The message for a response that isn't as the description of its market says.
  static func mismatch(_ mismatch: DescriptionMismatch, status: Int) -> Message {
    let location =
      mismatch.location.isEmpty ? LocalizedText("the body", ko: "본문") : LocalizedText(same: "\(mismatch.location)")
    let position = mismatch.position
    func has(_ found: [String]) -> LocalizedText {
      found.isEmpty
        ? LocalizedText("The response is another value.", ko: "응답이 다른 값입니다.")
        : LocalizedText(
          "The response has \(.foreign(found.joined(separator: ", "))).",
          ko: "응답에 있는 것: \(.foreign(found.joined(separator: ", ")))")
    }
    var message: Message
    switch mismatch.problem {
    case .noList(let found):
      message = .failure(
        "\(position): The response has no list at \(location[.english]).",
        ko: "\(position): 응답의 \(location[.korean])에 목록이 없습니다."
      ).because(has(found))
      let lists = found.filter { $0.hasSuffix("]") && $0.hasPrefix("/") }
      if lists.count == 1, let list = lists[0].split(separator: " ").first {
        let line = "records = \"\(list)\""
        message = message.next("Perhaps it is \(.command(line)).", ko: "확인할 줄: \(.command(line))")
      }
    case .noProduct(let found):
      message = .failure(
        "\(position): The response has no product at \(location[.english]).",
        ko: "\(position): 응답의 \(location[.korean])에 상품이 없습니다."
      ).because(has(found))
    case .missing:
      message = .failure(
        "\(position): The response has no \(location[.english]).", ko: "\(position): 응답에 \(location[.korean]) 값이 없습니다.")
    case .wrong(let found):
      message = .failure(
        "\(position): \(location[.english]) is \(.foreign(found)).",
        ko: "\(position): \(location[.korean]) 값이 \(.foreign(found))입니다."
      ).because("The file describes another value.", ko: "파일의 설명과 다른 값입니다.")
    case .capped(let rows, let requested):
      message = .failure(
        "\(position): The server sends \(rows) rows where \(requested) were requested.",
        ko: "\(position): \(requested)행을 요청했는데 서버가 \(rows)행을 보냅니다."
      ).because("The rows after them would be skipped.", ko: "그다음 행을 건너뛰게 됩니다.")
        .next("Set \(.command("max-size = \(rows)")).", ko: "\(.command("max-size = \(rows)"), .toward) 고치세요.")
    case .elements(let count):
      message = .failure(
        "\(position): \(count) elements at \(location[.english]).",
        ko: "\(position): \(location[.korean])에 원소가 \(count)개 있습니다."
      ).because("The file describes the only one.", ko: "파일은 하나뿐인 원소를 설명합니다.")
    case .foreignLink(let link):
      message = .failure(
        "\(position): The next page is on another server or outside of the API, and was not requested.",
        ko: "\(position): 다음 쪽이 다른 서버나 API 밖에 있어 요청하지 않았습니다."
      ).because("The server sent \(.foreign(link)).", ko: "서버가 보낸 주소: \(.foreign(link))")
    }
    if status != 200 { message = message.because("Status \(status).", ko: "상태 코드 \(status).") }
    return message.next(
      "Run \(.command("get")) to see a response, and correct the file.",
      ko: "응답은 \(.command("get"), .toward) 보고 파일을 고치세요.")
  }
}
