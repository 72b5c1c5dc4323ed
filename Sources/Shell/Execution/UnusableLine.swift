import Foundation
import Platform
import Presentation
import Text

/// A line that must not run.
package enum UnusableLine {
  case notText
  case tooLong
  /// A joined line over the maximum length.
  case goesOnTooLong
  /// Reading failed at this line; the value is the `errno`.
  case unreadable(Int32)

  /// The exit status of the script.
  package var code: ExitStatus {
    switch self {
    case .notText, .tooLong, .goesOnTooLong: .usageError
    case .unreadable: .refused
    }
  }

  package var message: Message {
    switch self {
    case .notText:
      .failure("The line is not valid UTF-8. It was not run.", ko: "UTF-8이 아닌 바이트가 있는 줄을 실행하지 않았습니다.")
    case .tooLong:
      .failure("The line is longer than 64 KiB. It was not run.", ko: "줄이 64 KiB보다 길어 실행하지 않았습니다.")
    case .goesOnTooLong:
      .failure(
        "The line is longer than 4 MiB. It was not run.", ko: "줄이 4 MiB 넘게 이어져 실행하지 않았습니다."
      ).next("Check for an unclosed quote.", ko: "닫지 않은 따옴표가 있는지 확인하세요.")
    case .unreadable(let code):
      .failure(
        "Cannot read the rest of the script. It ends here.", ko: "스크립트의 나머지를 읽을 수 없습니다. 여기서 끝냅니다."
      ).because(LocalizedText(same: "\(.foreign(String(cString: strerror(code))))"))
    }
  }
}
