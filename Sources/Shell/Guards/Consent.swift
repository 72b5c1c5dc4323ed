import Catalog
import Language

/// What the line itself says about asking: `yes` answers the question beforehand, `outliers` the one about extremes.
package struct Consent: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  package var note: String?

  package init(_ invocation: Invocation) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    note = invocation.text("note")
  }

  /// The parameters every writing command takes.
  package static let parameters: [Parameter] = [
    Parameter("yes", .flag, .none, Wording("do not ask", ko: "묻지 않고 실행")),
    Parameter("outliers", .flag, .none, Wording("let extreme changes through", ko: "극단적인 변경도 허용")),
    Parameter("note", .option, .text, Wording("a remark kept in the log", ko: "기록에 남길 메모")),
  ]
}
