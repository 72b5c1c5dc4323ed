import Catalog
import Foundation
import Text

/// Shows a plan before the question: where it goes, and each change field by field, `price 12000 -> 1200 (-90 %)`.
package struct PlanPreview: Sendable {
  /// The target of the writes, always in sight.
  package struct Heading: Hashable, Sendable {
    package var profile: String?
    package var vendor: String?
    package var host: String
    /// `rw` or `ro`.
    package var access: String

    package init(profile: String?, vendor: String?, host: String, access: String) {
      self.profile = profile
      self.vendor = vendor
      self.host = host
      self.access = access
    }
  }

  /// More changes than this are summed up, and only some of them listed.
  package static let most = 10
  private static let some = 6

  private let plan: Plan
  private let heading: Heading
  private let first: [Int]
  private let showsAll: Bool
  private let isNumbered: Bool

  /// - Parameters:
  ///   - first: the changes to show before all others, by their place in the plan: outliers.
  ///   - showsAll: lists every change, however many.
  ///   - isNumbered: of several changes each has its number, by which the answer to the question may name it.
  package init(
    _ plan: Plan, heading: Heading, first: [Int] = [], showsAll: Bool = false, isNumbered: Bool = false
  ) {
    self.isNumbered = isNumbered && plan.changes.count > 1
    self.plan = plan
    self.heading = heading
    self.first = first
    self.showsAll = showsAll
  }

  /// The lines that a person decides by, each ended.
  package func render(_ options: RenderOptions) -> String {
    var lines = [title(options)]
    let isLong = plan.changes.count > PlanPreview.most
    if isLong { lines += PlanSummary(plan).lines(options.tongue) }
    let shown = order.prefix(isLong && !showsAll ? PlanPreview.some : plan.changes.count)
    for index in shown {
      var change = ChangeLines.of(plan.changes[index], options)
      if isNumbered, let head = change.first { change[0] = "\(.dim("\(index + 1)."))" + " " + head }
      lines += change
    }
    let rest = plan.changes.count - shown.count
    if rest > 0 {
      lines.append(
        LocalizedText(
          "and \(rest) more; \(.command("all")) shows every one",
          ko: "그 밖에 \(rest)개. \(.command("all"), .object) 붙이면 모두 표시합니다")[
            options.tongue])
    }
    return lines.flatMap { Styling.lines($0, width: options.lineWidth, options) }.map { $0 + "\n" }.joined()
  }

  /// Outliers stand first; the others keep their order.
  private var order: [Int] {
    var isShown = Set<Int>()
    let early = first.filter { plan.changes.indices.contains($0) && isShown.insert($0).inserted }
    return early + plan.changes.indices.filter { !isShown.contains($0) }
  }

  private func title(_ options: RenderOptions) -> StyledText {
    let vendor = heading.vendor.map {
      " " + LocalizedText("vendor \(.foreign($0))", ko: "판매자 \(.foreign($0))")[options.tongue]
    }
    let profile: StyledText = heading.profile.map { "\(.strong(Sanitizer.clean($0))) " } ?? ""
    return "→ ".replacingArrow(options) + profile + "\(.dim("(" + heading.access + ")")) \(.foreign(heading.host))"
      + (vendor ?? "")
  }
}

extension StyledText {
  fileprivate static func + (left: String, right: StyledText) -> StyledText { StyledText(left) + right }
}

extension String {
  /// The arrow is of ambiguous width; plain terminals get two ASCII letters.
  fileprivate func replacingArrow(_ options: RenderOptions) -> String { options.drawsPlain ? "-> " : self }
}

/// A batch in a few lines: how many of each kind, and for prices and stock the sums and the smallest and largest change.
struct PlanSummary {
  private let plan: Plan

  init(_ plan: Plan) { self.plan = plan }

  func lines(_ tongue: MessageLanguage) -> [StyledText] { [counts(tongue)] + figures(tongue) }

  private func counts(_ tongue: MessageLanguage) -> StyledText {
    var (made, edited, deleted) = (0, 0, 0)
    for change in plan.changes {
      switch change {
      case .create: made += 1
      case .edit: edited += 1
      case .delete: deleted += 1
      }
    }
    var parts: [StyledText] = []
    if made > 0 {
      parts.append(
        LocalizedText("new \(.strong(grouped(made))) \(noun(made))", ko: "새 상품 \(.strong(grouped(made)))개")[tongue])
    }
    if edited > 0 {
      parts.append(
        LocalizedText("patch \(.strong(grouped(edited))) \(noun(edited))", ko: "변경 \(.strong(grouped(edited)))개")[
          tongue])
    }
    if deleted > 0 {
      parts.append(
        LocalizedText("delete \(.strong(grouped(deleted))) \(noun(deleted))", ko: "삭제 \(.strong(grouped(deleted)))개")[
          tongue])
    }
    let total = LocalizedText(
      " of \(grouped(plan.changes.count)) changes together", ko: " 모두 \(grouped(plan.changes.count))개")[tongue]
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 } + (parts.count > 1 ? total : "")
  }

  private func noun(_ count: Int) -> StyledText { count == 1 ? "product" : "products" }

  /// One line a field and currency, in the order they come.
  private func figures(_ tongue: MessageLanguage) -> [StyledText] {
    var order: [Figure.Key] = []
    var figures: [Figure.Key: Figure] = [:]
    func count(_ field: Field, _ before: Amount?, _ after: Amount?, _ product: Product, _ currency: Currency?) {
      guard let before, let after, before != after else { return }
      let key = Figure.Key(field: field, currency: field == .stock ? nil : currency)
      if figures[key] == nil { order.append(key) }
      figures[key, default: Figure()].add(before, after, product.id)
    }
    for change in plan.changes {
      guard case .edit(let product, let from, let to) = change else { continue }
      // A change of currency makes sums of apples and pears.
      if to.currency == nil {
        count(.price, from.price, to.price, product, product.currency)
        count(.discount, from.discount, to.discount, product, product.currency)
        count(.sale, change.sale?.before, change.sale?.after, product, product.currency)
      }
      count(.stock, from.stock.map { Amount($0) }, to.stock.map { Amount($0) }, product, nil)
    }
    return order.compactMap { key in figures[key].map { $0.line(key, tongue) } }
  }

  private func grouped(_ number: Int) -> String { HumanNumber.grouped(number) }
}
