import Catalog
import ShellRuntime

/// The confirmation before a plan is written.
///
/// Outliers need an approval of their own, whatever the confirmation is.
package enum WriteQuestion {
  /// Asks if the profile requires it for the plan.
  case ofProfile
  /// Asks regardless of the profile, because values typed in an editor weren't shown yet.
  case always
  /// Asks in the command's own way after the preview, and throws if the user doesn't approve.
  case own((Plan) async throws -> Void)
  /// The command named the only change in a question of its own, so that no preview is needed.
  case answered

  var isAnswered: Bool { if case .answered = self { true } else { false } }

  func isAsked(of plan: Plan, _ confirm: ConfirmationPolicy) -> Bool {
    switch self {
    case .always: true
    case .own, .answered: false
    case .ofProfile:
      switch confirm {
      case .always: !plan.changes.isEmpty
      case .never: false
      case .bulk:
        plan.changes.count > 1
          || plan.changes.contains { change in
            switch change {
            case .delete: true
            case .create, .edit: false
            }
          }
      }
    }
  }
}
