import CommandLanguage
import MarketAPI
import Platform
import Presentation
import Text

extension Message {
  /// The failure of a change of a market that a file describes.
  package static func describedIsReadOnly(_ name: String) -> Message {
    .failure("This market is read-only. Nothing was sent.", ko: "읽기 전용 마켓입니다. 아무것도 보내지 않았습니다.")
      .because(
        "A market that a file describes, such as \(.value(name)), can be read here, but not changed.",
        ko: "\(.value(name))처럼 파일로 설명한 마켓은 읽을 수만 있고 바꿀 수 없습니다.")
  }
}

extension CommandError {
  /// The number of further faults of a description that a message lists.
  private static let maximumFaults = 20

  package init(_ error: DescriptionError) {
    func text(_ fault: DescriptionFault) -> LocalizedText {
      let position = "\(error.file):\(fault.position.line):\(fault.position.column)"
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
      let nearest = fault.nearest.map { word in
        LocalizedText(" Did you mean \(.value(word))?", ko: " \(.value(word), .object) 뜻하셨나요?")
      }
      let text = text(fault)
      guard let nearest else { return text }
      return LocalizedText(text.english + nearest.english, ko: text.korean + nearest.korean)
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
