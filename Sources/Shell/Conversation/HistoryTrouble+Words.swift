import Catalog
import Foundation
import LineEditing
import Text

extension HistoryTrouble {
  /// Why lines are not kept.
  package var wording: Wording {
    switch self {
    case .symbolicLink:
      Wording("The history file is a link; lines are not kept.", ko: "이력 파일이 링크라서 줄을 남기지 않습니다.")
    case .notAFile:
      Wording("The history file is not a regular file; lines are not kept.", ko: "이력 파일이 보통 파일이 아니라서 줄을 남기지 않습니다.")
    case .foreignOwner:
      Wording("The history file belongs to someone else; lines are not kept.", ko: "이력 파일이 남의 것이라서 줄을 남기지 않습니다.")
    case .failed(let code):
      Wording(
        "The history file cannot be used (\(String(cString: strerror(code)))); lines are not kept.",
        ko: "이력 파일을 쓸 수 없어(\(String(cString: strerror(code)))) 줄을 남기지 않습니다.")
    case .skippedLines(let count):
      Wording(
        "The history file held lines that are not ours; \(count) were left out.",
        ko: "이력 파일에서 우리 것이 아닌 \(count)줄을 건너뛰었습니다.")
    }
  }
}
