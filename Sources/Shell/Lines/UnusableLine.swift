import Catalog
import Presentation
import Text

/// A line of which nothing may run.
package enum UnusableLine {
  case notText
  case tooLong
  /// Joined out of many.
  case goesOnTooLong

  package var message: Message {
    switch self {
    case .notText:
      .failure("The line holds bytes that are not UTF-8; nothing was done.", ko: "줄에 UTF-8이 아닌 바이트가 있어 아무것도 하지 않았습니다.")
    case .tooLong:
      .failure("The line is longer than 64 KiB; nothing was done.", ko: "줄이 64 KiB보다 길어 아무것도 하지 않았습니다.")
    case .goesOnTooLong:
      .failure(
        "The line goes on for more than 4 MiB; nothing of it was done.", ko: "줄이 4 MiB 넘게 이어져 아무것도 하지 않았습니다."
      ).next("Perhaps a quote was never closed.", ko: "닫지 않은 따옴표가 있는지 보세요.")
    }
  }
}
