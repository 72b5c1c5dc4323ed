import Catalog
import Text

/// The preview of a plan before the confirmation prompt: a row per product, followed by the summary.
///
/// Only rows may scroll off the screen. The target, the number of changes and their sums are last, next to the prompt.
package struct PlanPreview: Sendable {
  /// The target of the writes.
  package struct Target: Hashable, Sendable {
    package var profile: String?
    package var vendor: String?
    package var host: String
    /// The access mode: `rw` or `ro`.
    package var access: String

    package init(profile: String?, vendor: String?, host: String, access: String) {
      self.profile = profile
      self.vendor = vendor
      self.host = host
      self.access = access
    }
  }

  /// The number of rows to show without a window.
  private static let defaultRows = 20
  /// The number of rows to show in a window that is too small for them.
  private static let minimumRows = 3

  private let plan: Plan
  private let heading: Target
  private let prioritizedIndices: [Int]
  private let isNumbered: Bool

  /// Creates a preview.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - heading: The target of the writes.
  ///   - first: The indices of the changes to show before all others: outliers.
  ///   - isNumbered: Numbers several changes, so that the answer to the prompt can refer to them.
  package init(_ plan: Plan, heading: Target, prioritizedIndices: [Int] = [], isNumbered: Bool = false) {
    self.isNumbered = isNumbered && plan.changes.count > 1
    self.plan = plan
    self.heading = heading
    self.prioritizedIndices = prioritizedIndices
  }

  /// Returns the changes, each line ended: the fields of a single change, or a row for each of several.
  ///
  /// - Parameters:
  ///   - options: The options of the output.
  ///   - height: The number of available lines, or `nil` without a window.
  ///   - showsAll: Shows every change in full, regardless of the height.
  /// - Returns: The lines.
  package func changes(_ options: RenderOptions, height: Int? = nil, showsAll: Bool = false) -> String {
    PlanPreview.ended(lines(options, height: height, showsAll: showsAll))
  }

  /// Returns the target, the number of changes of each kind and their sums, each line ended.
  package func summary(_ options: RenderOptions) -> String {
    var lines = [title(options)]
    if plan.changes.count > 1 { lines += PlanSummary(plan).lines(options) }
    return PlanPreview.ended(lines.flatMap { Styling.lines($0, width: options.lineWidth, options) })
  }

  private func lines(_ options: RenderOptions, height: Int?, showsAll: Bool) -> [String] {
    guard plan.changes.count > 1 else {
      return plan.changes.flatMap { ChangeLines.lines($0, options) }
        .flatMap { Styling.lines($0, width: options.lineWidth, options) }
    }
    let count = plan.changes.count
    var rows = PlanRows(plan, order: order, isNumbered: isNumbered, options)
    rows.showsEverything = showsAll
    if showsAll { return rows.lines(count, showsDetails: true) }
    // Two lines are for the heading, and one for the number of omitted rows.
    let most = max(PlanPreview.minimumRows, height.map { $0 - 2 } ?? PlanPreview.defaultRows)
    if count <= most {
      let whole = rows.lines(count, showsDetails: true)
      return whole.count <= most + 2 ? whole : rows.lines(count, showsDetails: false)
    }
    let shown = max(PlanPreview.minimumRows, most - 1)
    let rest = LocalizedText(
      isNumbered
        ? "and \(count - shown) more; \(.command("a")) shows every one"
        : "and \(count - shown) more; \(.command("all")) shows every one",
      ko: isNumbered
        ? "그 밖에 \(count - shown)개. \(.command("a"), .object) 누르면 모두 표시합니다"
        : "그 밖에 \(count - shown)개. \(.command("all"), .object) 붙이면 모두 표시합니다")
    return rows.lines(shown, showsDetails: false)
      + Styling.lines(rest[options.language], width: options.lineWidth, options)
  }

  private static func ended(_ lines: [String]) -> String { TerminalRenderer.joined(lines) }

  /// The order of the changes: outliers first, the others as in the plan.
  private var order: [Int] {
    var isShown = Set<Int>()
    let early = prioritizedIndices.filter { plan.changes.indices.contains($0) && isShown.insert($0).inserted }
    return early + plan.changes.indices.filter { !isShown.contains($0) }
  }

  private func title(_ options: RenderOptions) -> StyledText {
    let vendor = heading.vendor.map {
      " " + LocalizedText("vendor \(.foreign($0))", ko: "판매자 \(.foreign($0))")[options.language]
    }
    let profile: StyledText = heading.profile.map { "\(.strong(Sanitizer.sanitized($0))) " } ?? ""
    return StyledText(options.arrow + " ") + profile + "\(.dim("(" + heading.access + ")")) \(.foreign(heading.host))"
      + (vendor ?? "")
  }
}

extension StyledText {
  static func + (left: String, right: StyledText) -> StyledText { StyledText(left) + right }
}

extension RenderOptions {
  /// The arrow between the old and new value.
  ///
  /// Its width is ambiguous, so some terminals get two ASCII characters.
  var arrow: String { usesASCIILines ? "->" : "→" }
}
