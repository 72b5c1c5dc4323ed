import Catalog

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

  /// More changes than this are counted, not listed.
  package static let most = 50

  private let plan: Plan
  private let heading: Heading

  package init(_ plan: Plan, heading: Heading) {
    self.plan = plan
    self.heading = heading
  }

  package func render(_ options: RenderOptions) -> String {
    var lines = [title(options)]
    for change in plan.changes.prefix(PlanPreview.most) { lines += ChangeLines.of(change, options) }
    let rest = plan.changes.count - PlanPreview.most
    if rest > 0 { lines.append(Wording("and \(rest) more", ko: "그 밖에 \(rest)개")[options.tongue]) }
    return lines.flatMap { Wrapping.lines($0, width: options.lineWidth, options) }.map { $0 + "\n" }.joined()
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
