import Catalog
import MarketAPI
import Presentation
import Text

extension ScanResult {
  /// The warnings that products may be missing although the list was read to its end: rows that couldn't be decoded, of
  /// which the first few are named, and overlapping pages.
  package var warnings: [Message] {
    var doubts = broken.prefix(3).map { Message(.warning, $0.wording) }
    if brokenCount > doubts.count {
      doubts.append(
        .warning(
          "\(NumberFormatting.grouped(brokenCount)) \(brokenCount == 1 ? StyledText("row") : "rows") could not be read.",
          ko: "읽지 못한 행이 \(NumberFormatting.grouped(brokenCount))개입니다."
        ))
    }
    if let overlap { doubts.append(overlap) }
    return doubts
  }

  /// The warning that pages repeat products of other pages, or `nil` if none do.
  package var overlap: Message? {
    guard hasDuplicatePages else { return nil }
    if case .repeatedPages = stopReason { return ScanResult.repeatedPagesWarning(productsRead) }
    return .warning(
      "The server's pages overlap: some products appear on several pages, and others may be missing.",
      ko: "서버의 페이지들이 겹칩니다. 같은 상품이 여러 페이지에 있어, 어느 페이지에도 없는 상품이 있을 수 있습니다.")
  }

  /// Returns the warning that the server sends the same page again and again.
  private static func repeatedPagesWarning(_ count: Int) -> Message {
    .warning(
      "The server keeps returning the same pages. Different products: \(NumberFormatting.grouped(count)).",
      ko: "서버가 같은 페이지를 반복합니다. 서로 다른 상품은 \(NumberFormatting.grouped(count))개입니다.")
  }

  package var listingScan: Listing.Scan {
    var scan = Listing.Scan(
      pagesRead: pagesRead, productsRead: productsRead, isComplete: isComplete, changedDuringScan: changedDuringScan)
    if case .consumerStopped = stopReason { scan.reachedLimit = true }
    return scan
  }
}

extension Listing.Scan {
  /// A summary such as `1,387 products on 14 pages read.`, with any uncertainty.
  package var sentence: Message {
    let english = Self.count(productsRead, "product") + " on " + Self.count(pagesRead, "page")
    let korean = "\(NumberFormatting.grouped(pagesRead))페이지에 걸쳐 상품 \(NumberFormatting.grouped(productsRead))개"
    if reachedLimit {
      return .note("Read \(english); stopped at the limit.", ko: "\(korean, .object) 읽었습니다(개수 제한에서 멈춤).")
    }
    if !isComplete {
      return .warning(
        "Read \(english), incomplete: some products may be missing.",
        ko: "\(korean, .object) 읽었습니다. 끝까지 읽지 못해 빠진 상품이 있을 수 있습니다."
      )
    }
    if changedDuringScan {
      return .note(
        "Read \(english). The list changed in the meantime, but nothing was missed.",
        ko: "\(korean, .object) 전부 읽었고, 읽는 동안 목록이 바뀌었습니다.")
    }
    return .note("Read \(english).", ko: "\(korean, .object) 모두 읽었습니다.")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    NumberFormatting.grouped(number) + " " + word + (number == 1 ? "" : "s")
  }
}

extension Page {
  /// The warnings about rows that couldn't be decoded.
  package var warnings: [Message] {
    var warnings = broken.prefix(Page.maximumNamedBrokenRows).map { Message(.warning, $0.wording) }
    if let rest = LocalizedText.unreadableRows(broken.count - warnings.count) {
      warnings.append(Message(.warning, rest))
    }
    return warnings
  }
}

extension UndecodableRow {
  /// The row and the reason why it couldn't be decoded.
  package var wording: LocalizedText {
    let where_ = field.map { "\($0): " } ?? ""
    guard let id else {
      return LocalizedText(
        "Cannot read row \(position): \(.foreign(where_ + reason))",
        ko: "\(position)번째 행을 읽을 수 없습니다: \(.foreign(where_ + reason))")
    }
    return LocalizedText(
      "Cannot read row \(position) (product \(id)): \(.foreign(where_ + reason))",
      ko: "\(position)번째 행(\(id)번 상품)을 읽을 수 없습니다: \(.foreign(where_ + reason))")
  }
}
