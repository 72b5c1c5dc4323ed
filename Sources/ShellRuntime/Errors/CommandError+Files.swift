import Foundation
import Images
import Platform
import Presentation
import Text

extension CommandError {
  /// Creates the error for a workbook that can't be written.
  package init(_ fault: WorkbookWriter.Fault) {
    let failure = Message.failure("Cannot write a workbook.", ko: "통합 문서를 저장할 수 없습니다.")
    let asCSV = LocalizedText(
      "Use a file name that ends in \(.command(".csv")).", ko: "\(.command(".csv"), .toward) 끝나는 파일 이름을 쓰세요.")
    let message =
      switch fault {
      case .noLibrary:
        failure.because(
          "The library libxlsxwriter is not installed. Nothing was saved or sent.",
          ko: "libxlsxwriter 라이브러리가 설치되어 있지 않습니다. 아무것도 저장하거나 보내지 않았습니다."
        ).next(
          "Install the package \(.command(WorkbookWriter.packageName)), or use a file name that ends in \(.command(".csv")).",
          ko: "\(.command(WorkbookWriter.packageName)) 패키지를 설치하거나 \(.command(".csv"), .toward) 끝나는 파일 이름을 쓰세요.")
      case .textTooLong(let column, let row):
        failure.because(
          "A cell has at most 32,767 characters; \(.foreign(column)) of row \(row) has more.",
          ko: "셀 하나에는 32,767자까지 쓸 수 있습니다. \(row)행의 \(.foreign(column)) 값이 더 깁니다."
        ).next(asCSV)
      case .tooManyRows:
        failure.because("A sheet has at most 1,048,576 rows.", ko: "시트 하나에는 1,048,576행까지 쓸 수 있습니다.").next(asCSV)
      case .cannotWrite:
        failure.because("A temporary file could not be written.", ko: "임시 파일에 쓰지 못했습니다.")
          .next("Free some space in the folder for temporary files.", ko: "임시 폴더의 공간을 비우세요.")
      }
    self.init(.refused, message)
  }

  /// The error for a workbook of a command that prints a text.
  package static let textInWorkbook = CommandError(
    .refused,
    .failure("This output is a text, not a table. It was not saved.", ko: "표가 아니라 텍스트라서 저장하지 않았습니다.")
      .next(
        "Use a file name that ends in \(.command(".txt")).", ko: "\(.command(".txt"), .toward) 끝나는 파일 이름을 쓰세요."))

  package init(_ error: FileError) {
    self.init(fileError: error)
    if exitStatus == .usageError { code = .badFile }
  }

  private init(fileError error: FileError) {
    switch error {
    case .cannotRead(let path, let code):
      self.init(.usageError, CommandError.file("read", ko: "읽을 수 없습니다", path).because(CommandError.reason(code)))
    case .cannotWrite(let path, let code):
      self.init(.refused, CommandError.file("write", ko: "저장할 수 없습니다", path).because(CommandError.reason(code)))
    case .unusableHome(let path, let code):
      self.init(
        .refused,
        CommandError.file("write", ko: "저장할 수 없습니다", path).because(CommandError.reason(code))
          .next(
            "Start openmarket with \(.command("--home DIR")) to keep its files in another folder.",
            ko: "\(.command("--home 폴더"), .with) 시작하면 프로그램의 파일을 다른 폴더에 둡니다."))
    case .notAFile(let path):
      self.init(
        .usageError,
        CommandError.file("read", ko: "읽을 수 없습니다", path).because("It is not a regular file.", ko: "일반 파일이 아닙니다."))
    case .outside(let path):
      self.init(
        .usageError,
        CommandError.file("use", ko: "사용할 수 없습니다", path)
          .because(
            "A file can only name files below its own folder, and no hidden ones.",
            ko: "파일에는 그 파일의 폴더 아래에 있고 숨김이 아닌 파일만 적을 수 있습니다."
          )
          .next(
            "Copy the named file into that folder, and write its name without .. or / in front.",
            ko: "적은 파일을 그 폴더에 복사하고, 앞에 ..나 / 없이 이름을 적으세요."))
    case .link(let path):
      self.init(
        .usageError,
        CommandError.file("use", ko: "사용할 수 없습니다", path)
          .because(
            "It is a link, or lies behind one, and links in this folder are not followed.",
            ko: "링크이거나 링크 너머에 있는데, 이 폴더에서는 링크를 따라가지 않습니다."
          )
          .next("Replace the link with the file itself.", ko: "링크 대신 파일을 두세요."))
    case .notText(let path, let location):
      var message = CommandError.file("read", ko: "읽을 수 없습니다", path)
        .because("It is not valid UTF-8.", ko: "UTF-8이 아닌 바이트가 있습니다.")
      if let location { message = message.because(location.wording) }
      self.init(.usageError, message)
    case .tooLarge(let path, let limit):
      self.init(
        .usageError,
        CommandError.file("read", ko: "읽을 수 없습니다", path).because(
          "It is larger than \(limit) bytes.", ko: "\(limit)바이트보다 큽니다."))
    case .modifiedWhileReading(let path):
      self.init(
        .usageError,
        CommandError.file("read", ko: "읽을 수 없습니다", path)
          .because("It changed while it was being read.", ko: "읽는 동안 바뀌었습니다.")
          .next("Try again when no other program is writing to it.", ko: "다른 프로그램이 쓰지 않을 때 다시 시도하세요."))
    case .insecurePermissions(let path, let mode):
      self.init(
        .blocked,
        CommandError.file("use", ko: "사용할 수 없습니다", path)
          .because("Its permissions (\(mode)) let other users read it.", ko: "다른 사용자가 읽을 수 있는 권한입니다(\(mode)).")
          .next("Run \(.command("chmod 600 \(path)")).", ko: "\(.command("chmod 600 \(path)"), .object) 실행하세요."))
    case .syntax(let path, let line, let reason):
      self.init(
        .usageError,
        CommandError.file("read", ko: "읽을 수 없습니다", path)
          .because("Line \(line): \(reason.english).", ko: "\(line)번째 줄: \(reason.korean).")
          .next("Fix the line in an editor, or move the file away.", ko: "편집기에서 그 줄을 고치거나 파일을 옮기세요."))
    case .noCertificate(let path):
      self.init(
        .usageError,
        .failure(
          "Cannot use \(.value(path)) as a CA file. Nothing was sent.",
          ko: "\(.value(path), .object) CA 파일로 사용할 수 없습니다. 아무것도 보내지 않았습니다."
        ).because("It contains no PEM certificate.", ko: "PEM 형식의 인증서가 없습니다."))
    case .malformed(let path, let reason):
      self.init(
        .usageError, CommandError.file("read", ko: "읽을 수 없습니다", path).because(reason))
    }
  }

  package init(_ error: OutputError) {
    switch error {
    case .closed: self.init(.success, .note("The output was closed.", ko: "출력을 받는 프로그램이 끝났습니다."))
    case .failed(let path, let code):
      let message: Message =
        path.map { CommandError.file("write", ko: "저장할 수 없습니다", $0) }
        ?? .failure("Cannot write to standard output.", ko: "표준 출력에 쓰지 못했습니다.")
      self.init(.refused, message.because(CommandError.reason(code)))
    }
  }

  private static func file(_ verb: StyledText, ko korean: StyledText, _ path: String) -> Message {
    .failure("Cannot \(verb) \(.value(path)).", ko: "\(.value(path), .object) \(korean).")
  }

  package static func reason(_ code: Int32) -> LocalizedText {
    let text = String(cString: strerror(code))
    let korean: String =
      switch code {
      case ENOENT: "그런 파일이 없습니다"
      case EACCES, EPERM: "권한이 없습니다"
      case ENOSPC, EDQUOT: "디스크가 가득 찼습니다"
      case EROFS: "읽기 전용 파일 시스템입니다"
      case EISDIR: "폴더입니다"
      case ENOTDIR: "경로의 중간이 폴더가 아닙니다"
      case EBADF: "열려 있지 않은 파일입니다"
      case EEXIST: "이미 있습니다"
      case ENAMETOOLONG: "이름이 너무 깁니다"
      case ELOOP: "링크가 순환합니다"
      case EIO: "입출력 오류입니다"
      case EFBIG: "파일이 너무 큽니다"
      case EMFILE, ENFILE: "열린 파일이 너무 많습니다"
      case EINVAL: "사용할 수 없는 값입니다"
      default: "시스템 오류 \(code)번(\(text))입니다"
      }
    return LocalizedText("\(text).", ko: "\(korean).")
  }
}

extension CommandError {
  /// Creates the failure for a picture that can't be sent.
  ///
  /// Nothing was sent.
  package init(_ error: PictureError, picture: String? = nil) {
    let name = picture.map { LocalizedText(same: "\(.value($0))") } ?? LocalizedText("The image", ko: "사진")
    let what = Message.failure(
      "Cannot use \(name[.english]). Nothing was sent.", ko: "\(name[.korean]) 파일을 사용할 수 없습니다. 아무것도 보내지 않았습니다.")
    self.init(.usageError, what.because(CommandError.reason(error)), code: .badPicture)
  }

  /// Returns the reason why a picture can't be used.
  package static func reason(_ error: PictureError) -> LocalizedText {
    switch error {
    case .notFound: LocalizedText("No such file.", ko: "그런 파일이 없습니다.")
    case .unreadable(_, let reason): LocalizedText("Cannot read it: \(reason)", ko: "읽을 수 없습니다: \(reason)")
    case .notARegularFile(_, let kind):
      switch kind {
      case .directory: LocalizedText("It is a directory.", ko: "폴더입니다.")
      case .pipe: LocalizedText("It is a named pipe.", ko: "파이프(FIFO)입니다.")
      case .socket: LocalizedText("It is a socket.", ko: "소켓입니다.")
      case .characterDevice, .blockDevice: LocalizedText("It is a device.", ko: "장치입니다.")
      case .other: LocalizedText("It is not a regular file.", ko: "일반 파일이 아닙니다.")
      }
    case .tooLarge(let bytes, let limit):
      LocalizedText(
        "It is \(NumberFormatting.bytes(bytes)). The maximum is \(NumberFormatting.bytes(limit)).",
        ko: "\(NumberFormatting.bytes(bytes))입니다. \(NumberFormatting.bytes(limit))까지 읽습니다.")
    case .notAPicture:
      LocalizedText(
        "It is not a JPEG, PNG, WebP, HEIC or AVIF image.", ko: "JPEG, PNG, WebP, HEIC, AVIF가 아닙니다.")
    case .gif: LocalizedText("GIF is not supported; save it as PNG.", ko: "GIF는 지원하지 않습니다. PNG로 저장해 주세요.")
    case .tooManyPixels(let width, let height):
      LocalizedText(
        "It is \(width)x\(height) pixels. The maximum is 100 megapixels.",
        ko: "\(width)x\(height)픽셀입니다. 1억 픽셀이 넘으면 받지 않습니다.")
    case .tooLargeToDisplay(let width, let height):
      LocalizedText(
        "It is \(width)x\(height) pixels. Images over 16 megapixels are not displayed.",
        ko: "\(width)x\(height)픽셀입니다. 1600만 픽셀이 넘으면 표시하지 않습니다.")
    case .damaged(let fault):
      LocalizedText(
        "The file is damaged: \(fault.wording.english)", ko: "손상된 파일입니다: \(fault.wording.korean)")
    case .unsupported(let fault):
      LocalizedText(
        "Unsupported format: \(fault.wording.english)", ko: "지원하지 않는 종류입니다: \(fault.wording.korean)")
    case .needsLibrary(let kind):
      LocalizedText(
        "Reading \(kind.name) requires \(.value(kind.library)), which is not installed (apt install \(kind.library)).",
        ko: "\(kind.name) 사진을 읽으려면 \(.value(kind.library), .subject) 필요합니다(apt install \(kind.library)).")
    case .cannotFit(let limit):
      LocalizedText(
        "It cannot be reduced to \(NumberFormatting.bytes(limit)).",
        ko: "\(NumberFormatting.bytes(limit))보다 작게 만들 수 없습니다."
      )
    case .encodingFailed(let fault):
      LocalizedText(
        "Cannot convert it: \(fault.wording.english)", ko: "다시 만들 수 없습니다: \(fault.wording.korean)")
    }
  }
}

extension InvalidByte {
  /// The place of the byte as a sentence.
  package var wording: LocalizedText {
    LocalizedText(
      "Line \(line), byte \(column) is \(.value(hexadecimal)).",
      ko: "\(line)번째 줄의 \(column)번째 바이트가 \(.value(hexadecimal))입니다.")
  }
}

extension CommandError {
  /// Creates the error for a file in an unknown encoding, such as a spreadsheet.
  package init(_ fault: DecodedText.Fault, file: String, next step: LocalizedText) {
    let failure = Message.failure(
      "Cannot read \(.value(file)). Nothing was sent.", ko: "\(.value(file), .object) 읽을 수 없습니다. 아무것도 보내지 않았습니다.")
    switch fault {
    case .noTableOfCP949:
      self.init(
        .usageError,
        failure.because(
          "It is not UTF-8 or UTF-16, and this system has no tables for CP949.",
          ko: "UTF-8이나 UTF-16이 아니며, 이 시스템에는 CP949 변환표가 없습니다."
        ).next(
          "Install \(.value("libc-gconv-modules-extra")) (Debian, Ubuntu) or \(.value("glibc-gconv-extra")) (Fedora), or save it as “CSV UTF-8”.",
          ko:
            "\(.value("libc-gconv-modules-extra"))(데비안, 우분투)나 \(.value("glibc-gconv-extra"), .object) 설치하거나(페도라), CSV UTF-8로 저장하세요."
        ))
    case .invalid(let byte, let encoding):
      let name =
        switch encoding {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .cp949: "CP949"
        case nil: String?.none
        }
      let reason =
        name.map { LocalizedText("It is not valid \($0).", ko: "\($0)에 없는 바이트가 있습니다.") }
        ?? LocalizedText("Its encoding is not UTF-8, UTF-16 or CP949.", ko: "문자 인코딩이 UTF-8, UTF-16, CP949가 아닙니다.")
      self.init(.usageError, failure.because(reason).because(byte.wording).next(step))
    }
  }
}

extension PictureFault {
  /// The description of the fault in both languages.
  fileprivate var wording: LocalizedText {
    switch self {
    case .noPixels: LocalizedText("the image is empty", ko: "픽셀이 없는 사진")
    case .noImage: LocalizedText("it contains no image", ko: "사진이 들어 있지 않음")
    case .noData: LocalizedText("the file contains no image data", ko: "사진 데이터가 없음")
    case .truncated: LocalizedText("the file is truncated", ko: "파일이 중간에서 끝남")
    case .truncatedOrDamaged: LocalizedText("truncated or damaged", ko: "중간에서 끝나거나 손상됨")
    case .undecodable: LocalizedText("it could not be decoded", ko: "디코딩할 수 없음")
    case .unsupportedWebP:
      LocalizedText("not a WebP image supported by libwebp", ko: "libwebp가 지원하지 않는 WebP 사진")
    case .oversizedFrame:
      LocalizedText("the first frame is larger than the image", ko: "첫 프레임이 사진보다 큼")
    case .scanBeforeSize: LocalizedText("scan data before the image size", ko: "크기 정보보다 앞선 스캔 데이터")
    case .tooManyScans(let count): LocalizedText("a JPEG of \(count) scans", ko: "스캔이 \(count)개인 JPEG")
    case .noTurboJPEG: LocalizedText("cannot start TurboJPEG", ko: "TurboJPEG를 시작할 수 없음")
    case .noMemory: LocalizedText("out of memory", ko: "메모리 부족")
    case .libheif(let code): LocalizedText("libheif error \(code)", ko: "libheif 오류 \(code)")
    case .library(let text): LocalizedText(same: "\(.foreign(text))")
    }
  }
}
