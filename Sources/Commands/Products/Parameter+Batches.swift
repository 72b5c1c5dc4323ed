import Language
import Text

extension Parameter {
  /// Of commands that change many products: a long preview is cut unless this is given.
  static let showingAll = Parameter(
    "all", .flag, .none, Wording("show every change before asking", ko: "묻기 전에 모든 변경을 보이기"))
}

extension Parameter {
  /// Of commands that read every page of the list.
  package static let pages = Parameter(
    "pages", .option, .number(1...1_000_000_000),
    Wording("read up to so many pages of a list without an end", ko: "끝이 없는 목록은 이 쪽까지 읽기"))
}
