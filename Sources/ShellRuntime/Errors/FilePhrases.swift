import Text

extension PhraseTable {
  /// The Korean of what is wrong with a file: an image that does not decode, a snapshot.
  package static let files = PhraseTable([
    ("the image is empty", "픽셀이 없는 사진"),
    ("cannot start TurboJPEG", "TurboJPEG를 시작할 수 없음"),
    ("out of memory", "메모리 부족"),
    ("it contains no image", "사진이 들어 있지 않음"),
    ("it is damaged", "손상됨"),
    ("the file is truncated", "파일이 중간에서 끝남"),
    ("it has no color table", "색상표가 없음"),
    ("not a WebP image supported by libwebp", "libwebp가 지원하지 않는 WebP 사진"),
    ("truncated or damaged", "중간에서 끝나거나 손상됨"),
    ("the first frame is larger than the image", "첫 프레임이 사진보다 큼"),
    ("it could not be decoded", "디코딩할 수 없음"),
    ("libheif error {1}", "libheif 오류 {1}"),
    ("scan data before the image size", "크기 정보보다 앞선 스캔 데이터"),
    ("the file contains no image data", "사진 데이터가 없음"),
    ("no certificate in the CA file", "CA 파일에 인증서가 없음"),
    ("Unsupported format {1} (supported: {2}).", "지원하지 않는 형식: {1}(지원하는 형식: {2})."),
    ("It is empty.", "비어 있습니다."),
    ("It is incomplete.", "끝까지 저장되지 않은 파일입니다."),
    ("Cannot read line {1}.", "{1}번째 줄을 읽을 수 없습니다."),
    ("not a JSON object with product fields", "상품 필드가 있는 JSON 객체가 아닙니다."),
  ])
}
