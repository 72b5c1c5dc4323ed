import CommandLanguage
import Networking
import Text

/// A step of a lesson, as its file and the server state it.
///
/// Its texts are those of a stranger, and are sanitized where they are shown. Its check is a condition on products, which
/// the reader of conditions reads: it can compare, and nothing else.
package struct LessonStep: Hashable, Sendable {
  /// A fault of a step: its number, the member and the reason.
  package struct Fault: Error, Hashable, Sendable {
    package let step: Int
    package let key: String
    package let reason: LocalizedText
  }

  /// The members of a step.
  package enum Key: String, CaseIterable, Sendable {
    case goal
    case koreanGoal = "goal_ko"
    case hint
    case koreanHint = "hint_ko"
    case condition = "where"
    case count
  }

  package static let maximumCount = 20
  private static let maximumText = 200
  private static let maximumCondition = 1_000
  private static let counts = 0...10_000

  private let goal: String
  private let koreanGoal: String?
  private let hint: String
  private let koreanHint: String?
  private let conditionText: String
  private let condition: Condition
  private let count: Int

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - number: The number of the step, for faults.
  ///   - texts: The texts of the members.
  ///   - count: The number of products that match, or `nil` for one.
  ///   - names: The names of fields in the condition.
  /// - Throws: `Fault`.
  package init(
    _ number: Int, texts: [Key: String], count: Int?, names: FieldNameTable
  ) throws(Fault) {
    func fault(_ key: Key, _ reason: LocalizedText) -> Fault { Fault(step: number, key: key.rawValue, reason: reason) }
    func needed(_ key: Key) throws(Fault) -> String {
      guard let text = texts[key], !text.trimmed.isEmpty else {
        throw fault(
          key, LocalizedText("\(.field(key.rawValue)) is missing", ko: "\(.field(key.rawValue), .subject) 없습니다"))
      }
      return text
    }
    for key in [Key.goal, .koreanGoal, .hint, .koreanHint] {
      guard let text = texts[key] else { continue }
      guard text.unicodeScalars.count <= LessonStep.maximumText, !text.contains(where: \.isNewline) else {
        throw fault(
          key,
          LocalizedText(
            "\(.field(key.rawValue)) must be one line of at most \(LessonStep.maximumText) characters",
            ko: "\(.field(key.rawValue)) 값은 \(LessonStep.maximumText)자 이하인 한 줄입니다"))
      }
    }
    goal = try needed(.goal)
    hint = try needed(.hint)
    (koreanGoal, koreanHint) = (texts[.koreanGoal], texts[.koreanHint])
    conditionText = try needed(.condition)
    guard conditionText.unicodeScalars.count <= LessonStep.maximumCondition else {
      throw fault(
        .condition,
        LocalizedText(
          "\(.field("where")) has more than \(LessonStep.maximumCondition) characters",
          ko: "\(.field("where")) 값이 \(LessonStep.maximumCondition)자를 넘습니다"))
    }
    do throws(ParseError) {
      condition = try Condition.read(conditionText, names: names)
    } catch {
      func clause(_ text: StyledText) -> String {
        text.plain.hasSuffix(".") ? String(text.plain.dropLast()) : text.plain
      }
      let reason = error.message
      throw fault(
        .condition,
        LocalizedText(
          "\(.field("where")) is no condition: \(.foreign(clause(reason.english)))",
          ko: "\(.field("where")) 값이 조건이 아닙니다: \(.foreign(clause(reason.korean)))"))
    }
    guard condition.valueComparisons.isEmpty else {
      throw fault(
        .condition,
        LocalizedText(
          "\(.field("where")) must compare fields of products", ko: "\(.field("where")) 값은 상품의 필드를 비교하는 조건입니다"))
    }
    guard LessonStep.counts.contains(count ?? 1) else {
      throw fault(
        .count,
        LocalizedText(
          "\(.field("count")) must be from \(LessonStep.counts.lowerBound) to \(LessonStep.counts.upperBound)",
          ko: "\(.field("count")) 값은 \(LessonStep.counts.lowerBound)부터 \(LessonStep.counts.upperBound)까지입니다"))
    }
    self.count = count ?? 1
  }

  /// Returns the steps of a server's document.
  ///
  /// - Throws: `Fault`.
  static func steps(in document: JSON, names: FieldNameTable) throws(Fault) -> [LessonStep] {
    let rows = document.object?["steps"]?.array ?? []
    guard (1...maximumCount).contains(rows.count) else {
      throw Fault(
        step: 1, key: "steps",
        reason: LocalizedText("there must be 1 to \(maximumCount) steps", ko: "단계는 1개부터 \(maximumCount)개까지입니다"))
    }
    var steps: [LessonStep] = []
    for (index, row) in rows.enumerated() {
      // A number that isn't one of 64 bits is no count.
      let count = row.object?[Key.count.rawValue].map { $0.int ?? -1 }
      var texts: [Key: String] = [:]
      for key in Key.allCases { texts[key] = row.object?[key.rawValue]?.string }
      steps.append(try LessonStep(index + 1, texts: texts, count: count, names: names))
    }
    return steps
  }

  /// Returns the document that a server has for its steps.
  package static func document(of steps: [LessonStep]) -> String {
    let rows = steps.map { step in
      var members: [(String, JSON)] = [("goal", .string(step.goal)), ("hint", .string(step.hint))]
      if let text = step.koreanGoal { members.append((Key.koreanGoal.rawValue, .string(text))) }
      if let text = step.koreanHint { members.append((Key.koreanHint.rawValue, .string(text))) }
      members += [(Key.condition.rawValue, .string(step.conditionText)), (Key.count.rawValue, .int(step.count))]
      return JSON.object(members)
    }
    return JSON.object([("steps", .array(rows))]).serialized
  }

  /// The step as `learn` shows and checks it.
  var learningStep: LearningStep {
    LearningStep(
      goal: LocalizedText("\(.foreign(goal))", ko: "\(.foreign(koreanGoal ?? goal))"),
      hint: LocalizedText("\(.foreign(hint))", ko: "\(.foreign(koreanHint ?? hint))"),
      check: .matches(condition, count: count))
  }
}
