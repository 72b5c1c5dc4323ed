import Catalog
import Foundation
import Platform
import Presentation
import Scanning
import Synchronization
import Text

/// The line that tells how far a scan is: products, rate, time left; gone when the scan is.
package final class ScanProgress: Sendable {
  private struct State {
    var start: Date?
    var told: Date?
  }

  private let context: Context
  private let tongue: MessageLanguage
  private let state = Mutex(State())

  /// Ten times a second is as often as anyone can read.
  private static let pause = 0.1
  /// A rate over less than this is chance.
  private static let warmUp = 0.5

  package init(_ session: Session, _ context: Context) {
    self.context = context
    tongue = session.settings.tongue
  }

  package func tell(_ result: ScanResult) {
    guard context.console.errorIsTerminal else { return }
    let now = context.now()
    let elapsed: TimeInterval? = state.withLock { state in
      let start = state.start ?? now
      state.start = start
      if let told = state.told, now.timeIntervalSince(told) < ScanProgress.pause { return nil }
      state.told = now
      return now.timeIntervalSince(start)
    }
    guard let elapsed else { return }
    let text = ScanProgress.text(result.productsRead, of: result.total, after: elapsed)[tongue].plain
    context.console.transient(text)
  }

  package func clear() { context.console.status(nil) }

  /// `Reading: 12,300 of 100,000 products, 41,000/s, 3 s left`
  package static func text(_ count: Int, of total: Int?, after seconds: TimeInterval) -> LocalizedText {
    let read = HumanNumber.grouped(count)
    var english = total.map { "Reading: \(read) of \(HumanNumber.grouped($0)) products" } ?? "Reading: \(read) products"
    var korean = total.map { "읽는 중: 상품 \(HumanNumber.grouped($0))개 중 \(read)개" } ?? "읽는 중: 상품 \(read)개"
    guard seconds >= warmUp, count > 0 else { return LocalizedText("\(english)", ko: "\(korean)") }
    let perSecond = max(1, whole(Double(count) / seconds))
    english += ", \(HumanNumber.grouped(perSecond))/s"
    korean += ", 초당 \(HumanNumber.grouped(perSecond))개"
    if let total, total > count {
      let left = (total - count - 1) / perSecond + 1
      english += ", \(left) s left"
      korean += ", \(left)초 남음"
    }
    return LocalizedText("\(english)", ko: "\(korean)")
  }

  private static func whole(_ rate: Double) -> Int { Int(exactly: min(rate, 1e12).rounded()) ?? 0 }
}

extension ScanResult {
  /// Why something may be missing although the list was read to its end: rows that could not be read, the first few by
  /// name, and pages that overlap.
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

  /// Nil where no page repeats what stood on another.
  package var overlap: Message? {
    guard overlaps else { return nil }
    if case .repeated = end { return ScanResult.circle(productsRead) }
    return .warning(
      "The pages of the server overlap: the same products stand on several, and others may stand on none.",
      ko: "서버의 페이지들이 겹칩니다. 같은 상품이 여러 페이지에 있어, 어느 페이지에도 없는 상품이 있을 수 있습니다.")
  }

  /// The server brings the same page for ever.
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
  /// `1,387 products on 14 pages read.`, and what is not sure about them.
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
