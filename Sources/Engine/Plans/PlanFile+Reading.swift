import Catalog
import Foundation
import Language
import Networking
import Platform
import Presentation
import Text

extension PlanFile {
  /// Reads a plan that may have been edited by hand: every key and value is checked as if it had been typed.
  ///
  /// - Throws: `Failure` with everything that is wrong and where.
  package init(_ text: String, named path: String, _ policy: LimitPolicy) throws {
    guard let object = (try? JSON(parsing: Data(text.utf8)))?.object else {
      throw PlanFile.unusable(path, [Wording("it is no JSON object", ko: "JSON 객체가 아닙니다")])
    }
    var reader = PlanReader(object, policy)
    guard let file = reader.read(), reader.problems.isEmpty else { throw PlanFile.unusable(path, reader.problems) }
    self = file
  }

  private static func unusable(_ path: String, _ problems: [Wording]) -> Failure {
    var message = Message.failure(
      "\(.value(path)) is no plan that can be applied; nothing was sent.",
      ko: "\(.value(path)), 적용할 수 있는 계획이 아니라 아무것도 보내지 않았습니다.")
    for problem in problems { message = message.because(problem) }
    return Failure(.misread, message)
  }
}
