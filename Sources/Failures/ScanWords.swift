import Catalog
import Presentation
import Scanning
import Text

extension ScanResult {
  /// The warnings that products may be missing although the list was read to its end: rows that couldn't be decoded, of
  /// which the first few are named, and overlapping pages.
  package var doubts: [Message] {
    var doubts = broken.prefix(3).map { Message(.warning, $0.wording) }
    if brokenCount > doubts.count {
      doubts.append(
        .warning(
          "\(HumanNumber.grouped(brokenCount)) rows could not be read.",
          ko: "읽지 못한 행이 \(HumanNumber.grouped(brokenCount))개입니다."
        ))
    }
    if let overlap { doubts.append(overlap) }
    return doubts
  }

  /// The warning that pages repeat products of other pages, or `nil` if none do.
  package var overlap: Message? {
    guard overlaps else { return nil }
    if case .repeated = end { return ScanResult.circle(productsRead) }
    return .warning(
      "The pages of the server overlap: the same products stand on several, and others may stand on none.",
      ko: "서버의 페이지들이 겹칩니다. 같은 상품이 여러 페이지에 있어, 어느 페이지에도 없는 상품이 있을 수 있습니다.")
  }

  /// Returns the warning that the server keeps sending the same page.
  private static func circle(_ count: Int) -> Message {
    .warning(
      "The server repeats its pages; \(HumanNumber.grouped(count)) different products came.",
      ko: "서버가 같은 페이지를 반복합니다. 서로 다른 상품은 \(HumanNumber.grouped(count))개입니다.")
  }

  package var listed: Listing.Scan {
    var scan = Listing.Scan(pagesRead: pagesRead, productsRead: productsRead, complete: complete, moved: moved)
    if case .enough = end { scan.stoppedAtLimit = true }
    return scan
  }
}

extension Listing.Scan {
  /// A summary such as `1,387 products on 14 pages read.`, with any uncertainty.
  package var sentence: Message {
    let english = Self.count(productsRead, "product") + " on " + Self.count(pagesRead, "page")
    let korean = "\(HumanNumber.grouped(pagesRead))페이지에 걸쳐 상품 \(HumanNumber.grouped(productsRead))개"
    if stoppedAtLimit {
      return .note("\(english) read; stopped at the limit.", ko: "\(korean, .object) 읽고, 정한 개수에서 멈췄습니다.")
    }
    if !complete {
      return .warning(
        "\(english) read, not complete: some may be missing.", ko: "\(korean, .object) 읽었지만, 끝까지 읽지 못해 빠진 것이 있을 수 있습니다."
      )
    }
    if moved {
      return .note(
        "\(english) read; the list moved meanwhile, and nothing was missed.",
        ko: "\(korean, .object) 전부 읽었고, 읽는 동안 목록이 바뀌었습니다.")
    }
    return .note("\(english) read.", ko: "\(korean, .object) 모두 읽었습니다.")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    HumanNumber.grouped(number) + " " + word + (number == 1 ? "" : "s")
  }
}

extension BrokenRow {
  /// The row and the reason why it couldn't be decoded.
  package var wording: LocalizedText {
    let where_ = field.map { "\($0): " } ?? ""
    guard let id else {
      return LocalizedText(
        "Row \(position) could not be read: \(.foreign(where_ + reason))",
        ko: "\(position)번째 줄을 읽지 못했습니다: \(.foreign(where_ + reason))")
    }
    return LocalizedText(
      "Row \(position), product \(id), could not be read: \(.foreign(where_ + reason))",
      ko: "\(position)번째 줄, \(id)번 상품을 읽지 못했습니다: \(.foreign(where_ + reason))")
  }
}
