import Language
import Text

extension Parameter {
  /// Of commands that change many products: a long preview is cut unless this is given.
  static let showingAll = Parameter(
    "all", .flag, .none, Wording("show every change before asking", ko: "묻기 전에 모든 변경을 보이기"))
}
