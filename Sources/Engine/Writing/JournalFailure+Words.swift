import Catalog
import Journal
import Text

extension JournalFailure {
  /// Why nothing was sent: without a journal no write leaves.
  package var wording: Wording {
    switch self {
    case .unwritable(let path, let reason):
      Wording(
        "Nothing was sent: the journal \(.value(path)) cannot be written (\(reason)).",
        ko: "아무것도 보내지 않았습니다: 기록 \(.value(path)), 쓸 수 없습니다(\(reason)).")
    case .diskFull:
      Wording(
        "Nothing was sent: the journal cannot be written, the disk is full.",
        ko: "아무것도 보내지 않았습니다: 디스크가 가득 차 기록을 쓸 수 없습니다.")
    case .quota(let bytes):
      Wording(
        "Nothing was sent: pictures of writes that are not finished fill the \(bytes >> 20) MB the journal has for them; \(.command("resume")) goes on with those.",
        ko:
          "아무것도 보내지 않았습니다: 끝나지 않은 쓰기의 사진이 기록의 \(bytes >> 20)MB를 다 채웠습니다. \(.command("resume"))으로 마저 하세요.")
    case .takenOver(let n):
      Wording(
        "Nothing was sent: another shell has given up write \(n) or goes on with it.",
        ko: "아무것도 보내지 않았습니다: 다른 셸이 쓰기 \(n)번을 포기했거나 이어서 하고 있습니다.")
    case .takenBack(let n, let by):
      Wording(
        "Nothing was sent: entry \(n) is taken back by entry \(by) already.",
        ko: "아무것도 보내지 않았습니다: 기록 \(n)번은 \(by)번이 이미 되돌립니다.")
    case .tooOpen(let path, let mode):
      Wording(
        "Nothing was sent: others can read the journal \(.value(path)) (0\(String(mode, radix: 8))).",
        ko: "아무것도 보내지 않았습니다: 남이 기록 \(.value(path), .object) 읽을 수 있습니다(0\(String(mode, radix: 8))).")
    case .notOurs(let path):
      Wording(
        "Nothing was sent: \(.value(path)) is not a file of yours.",
        ko: "아무것도 보내지 않았습니다: \(.value(path)), 당신의 파일이 아닙니다.")
    case .newer(let version):
      Wording(
        "Nothing was sent: the journal was written by a newer program (version \(version)).",
        ko: "아무것도 보내지 않았습니다: 더 새로운 프로그램의 기록입니다(판 \(version)).")
    case .damaged(let evidence):
      Wording(
        "Nothing was sent: the journal is damaged: \(.foreign(evidence))",
        ko: "아무것도 보내지 않았습니다: 기록이 상했습니다: \(.foreign(evidence))")
    case .poisoned(let evidence):
      Wording(
        "Nothing was sent: an earlier entry could not be written (\(.foreign(evidence))); start again.",
        ko: "아무것도 보내지 않았습니다: 앞의 기록을 쓰지 못했습니다(\(.foreign(evidence))). 다시 시작하세요.")
    case .busy:
      Wording("Nothing was sent: another shell keeps the journal busy.", ko: "아무것도 보내지 않았습니다: 다른 셸이 기록을 쓰고 있습니다.")
    case .absent: Wording("Nothing was sent: there is no journal.", ko: "아무것도 보내지 않았습니다: 기록이 없습니다.")
    }
  }
}
