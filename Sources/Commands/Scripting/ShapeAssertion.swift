import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The claim that JSON has a structure: `assert $p matches {…}`.
struct ShapeAssertion: Assertion {
  /// The value, or `nil` for a missing member.
  private let value: JSON?
  private let shape: JSONShape

  private static let maximumShown = 20

  /// Creates an assertion about the shape of a value.
  ///
  /// - Parameters:
  ///   - value: The value of the variable before `matches`, or `nil` if there is a text.
  ///   - text: That text, interpreted as JSON or otherwise as a string.
  ///   - shape: The shape.
  /// - Throws: `ParseError` for an invalid shape.
  init(_ value: NamedValue?, _ text: String, _ shape: String) throws(ParseError) {
    self.shape = try JSONShapeParser.read(shape)
    if let value {
      self.value = value.json
    } else {
      self.value = (try? JSON(parsing: Data(text.utf8))) ?? .string(text)
    }
  }

  func verify(in scope: inout CommandScope) async throws -> CommandResult {
    let misfits = shape.misfits(value)
    guard !misfits.isEmpty else { return .empty }
    var message = Message.failure("Assertion failed: the value has a different shape.", ko: "확인 실패: 값의 구조가 다릅니다.")
    for misfit in misfits.prefix(ShapeAssertion.maximumShown) {
      let found = misfit.found?.described ?? LocalizedText("nothing", ko: "값 없음")
      let expected = misfit.expected.description
      message = message.because(
        "\(.value(misfit.path)): expected \(.command(expected)), found \(found.english)",
        ko: "\(.value(misfit.path)): 기대 \(.command(expected)), 실제 \(found.korean)")
    }
    if misfits.count > ShapeAssertion.maximumShown {
      let more = misfits.count - ShapeAssertion.maximumShown
      message = message.because("and \(more) more", ko: "그 밖에 \(more)곳")
    }
    throw CommandError(.assertionFailed, message)
  }
}
