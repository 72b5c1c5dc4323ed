import Catalog
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

  /// - Parameters:
  ///   - first: the changes to show before all others, by their place in the plan: outliers.
  ///   - showsAll: lists every change, however many.
  package init(_ plan: Plan, heading: Heading, first: [Int] = [], showsAll: Bool = false) {
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
    for index in shown { lines += ChangeLines.of(plan.changes[index], options) }
    let rest = plan.changes.count - shown.count
    if rest > 0 {
      lines.append(
        Wording(
          "and \(rest) more; \(.command("all")) shows every one",
          ko: "그 밖에 \(rest)개. \(.command("all"), .object) 붙이면 모두 보입니다")[
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
      " " + Wording("vendor \(.foreign($0))", ko: "판매자 \(.foreign($0))")[options.tongue]
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
