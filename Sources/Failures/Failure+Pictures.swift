import Catalog
import Foundation
import Pictures
import Platform
import Presentation
import Text

extension Failure {
  /// A picture that cannot be sent, and why; nothing was sent.
  package init(_ error: PictureError, picture: String? = nil) {
    let name = picture.map { LocalizedText(same: "\(.value($0))") } ?? LocalizedText("The picture", ko: "사진")
    let what = Message.failure(
      "\(name[.english]) cannot be used; nothing was sent.", ko: "\(name[.korean]) 파일을 사용할 수 없어 아무것도 보내지 않았습니다.")
    self.init(.misread, what.because(Failure.reason(error)))
  }

  /// What is wrong with a picture, for whatever could not be done with it.
  package static func reason(_ error: PictureError) -> LocalizedText {
    switch error {
    case .notFound: LocalizedText("There is no such file.", ko: "그런 파일이 없습니다.")
    case .unreadable(_, let reason): LocalizedText("It cannot be read: \(reason)", ko: "읽을 수 없습니다: \(reason)")
    case .notAFile(_, let kind):
      switch kind {
      case .directory: LocalizedText("It is a directory.", ko: "폴더입니다.")
      case .pipe: LocalizedText("It is a named pipe.", ko: "파이프(FIFO)입니다.")
      case .socket: LocalizedText("It is a socket.", ko: "소켓입니다.")
      case .characterDevice, .blockDevice: LocalizedText("It is a device.", ko: "장치입니다.")
      case .other: LocalizedText("It is not a regular file.", ko: "일반 파일이 아닙니다.")
      }
    case .tooLarge(let bytes, let limit):
      LocalizedText(
        "It has \(HumanNumber.bytes(bytes)); at most \(HumanNumber.bytes(limit)) are read.",
        ko: "\(HumanNumber.bytes(bytes))입니다. \(HumanNumber.bytes(limit))까지 읽습니다.")
    case .notAPicture:
      LocalizedText(
        "It is no JPEG, PNG, WebP, HEIC, AVIF or GIF.", ko: "JPEG, PNG, WebP, HEIC, AVIF, GIF가 아닙니다.")
    case .tooManyPixels(let width, let height):
      LocalizedText(
        "It has \(width)x\(height) pixels; over 100 megapixels are refused.",
        ko: "\(width)x\(height)픽셀입니다. 1억 픽셀이 넘으면 받지 않습니다.")
    case .tooManyToShow(let width, let height):
      LocalizedText(
        "It has \(width)x\(height) pixels; over 16 megapixels are not shown.",
        ko: "\(width)x\(height)픽셀입니다. 1600만 픽셀이 넘으면 표시하지 않습니다.")
    case .damaged(let text): LocalizedText("It is damaged: \(.foreign(text))", ko: "손상된 파일입니다: \(.foreign(text))")
    case .unsupported(let text):
      LocalizedText("It is of a kind that is not understood: \(.foreign(text))", ko: "알 수 없는 종류입니다: \(.foreign(text))")
    case .needsLibrary(let kind):
      LocalizedText(
        "\(kind.name) is read with \(.value(kind.library ?? "-")), which is not installed here (apt install \(kind.library ?? "-")).",
        ko: "\(kind.name) 사진을 읽으려면 \(.value(kind.library ?? "-"), .subject) 필요합니다(apt install \(kind.library ?? "-")).")
    case .cannotFit(let limit):
      LocalizedText(
        "It cannot be made smaller than \(HumanNumber.bytes(limit)).", ko: "\(HumanNumber.bytes(limit))보다 작게 만들 수 없습니다."
      )
    case .unwritable(let text):
      LocalizedText("It cannot be encoded: \(.foreign(text))", ko: "다시 만들 수 없습니다: \(.foreign(text))")
    }
  }
}
