import CommandLanguage
import FileFormats
import Platform
import Presentation
import ShellRuntime
import Text

extension CommandError {
  /// Creates the error for a workbook that can't be read.
  init(_ fault: Workbook.Fault, workbook file: String) {
    let failure = Message.failure(
      "Cannot read the workbook \(.value(file)). Nothing was sent.",
      ko: "통합 문서 \(.value(file), .object) 읽을 수 없습니다. 아무것도 보내지 않았습니다.")
    let asCSV = LocalizedText(
      "Save the sheet as “CSV UTF-8” and import that file.", ko: "시트를 CSV UTF-8로 저장해 그 파일을 가져오세요.")
    switch fault {
    case .damaged:
      self.init(.usageError, failure.because("It is damaged.", ko: "파일이 손상되었습니다.").next(asCSV))
    case .unsupported:
      self.init(
        .usageError,
        failure.because("It is encrypted, or not an Excel workbook.", ko: "암호화되었거나 엑셀 통합 문서가 아닙니다.").next(asCSV))
    case .tooLarge:
      self.init(
        .usageError,
        failure.because(
          "It has more than \(Workbook.mostRows) rows, or too much text.", ko: "\(Workbook.mostRows)행이 넘거나 내용이 너무 많습니다."
        ).next(asCSV))
    case .noCells(let name?, _):
      self.init(
        .usageError,
        failure.because(
          "The sheet \(.value(name)) is a chart or has no cells.", ko: "\(.value(name)) 시트는 차트이거나 셀이 없습니다."))
    case .noCells(nil, let sheets):
      let hidden = sheets.filter { $0.kind == .hidden }.map(\.name)
      let error = failure.because("No visible sheet has cells.", ko: "셀이 있는 보이는 시트가 없습니다.")
      guard let first = hidden.first else {
        self.init(.usageError, error)
        return
      }
      self.init(
        .usageError,
        error.next(
          "To read a hidden sheet, name it: \(.command("sheet \(Quoting.quote(first))")).",
          ko: "숨긴 시트를 읽으려면 이름을 쓰세요: \(.command("sheet \(Quoting.quote(first))"))"))
    case .noSheet(let name, let names):
      let list = names.prefix(8).joined(separator: ", ")
      self.init(
        .usageError,
        failure.because("There is no sheet \(.value(name)).", ko: "\(.value(name)) 시트가 없습니다.")
          .next("Sheets: \(.value(list)).", ko: "시트: \(.value(list))"))
    }
  }
}
