import Catalog
import Presentation
import Text

/// A line of which nothing may run.
enum UnusableLine {
  case notText
  case tooLong

  var message: Message {
    switch self {
    case .notText:
      .failure("The line holds bytes that are not UTF-8; nothing was done.", ko: "줄에 UTF-8이 아닌 바이트가 있어 아무것도 하지 않았습니다.")
    case .tooLong:
      .failure("The line is longer than 64 KiB; nothing was done.", ko: "줄이 64 KiB보다 길어 아무것도 하지 않았습니다.")
    }
  }
}
