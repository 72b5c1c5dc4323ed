import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The file of `serve --lesson`: what a class begins with, which faults its requests get, and which steps `learn` has.
struct Lesson {
  /// The products to begin with.
  enum Products: Hashable {
    case sample
    case none
    /// A CSV file, or a folder that `pull` wrote, below the folder of the lesson.
    case file(ConfinedPath)
  }

  /// The API of the lesson.
  enum API: Hashable {
    case edition(ServedEdition)
    /// A file that describes one, below the folder of the lesson.
    case file(ConfinedPath)
  }

  private enum Key: String, CaseIterable {
    case api, strict, quirks, products, vendors, clock, seed, delay, faults, steps
  }

  private enum RuleKey: String, CaseIterable {
    case sequence, `repeat`, rate, faults, delay, shared
  }

  private enum Kind: String, CaseIterable {
    case uniform, normal, exponential
  }

  let path: String
  private(set) var api: API?
  private(set) var isStrict = false
  private(set) var hasQuirks = false
  private(set) var products = Products.sample
  private(set) var vendors: VendorList?
  private(set) var clock: Date?
  private(set) var seed: UInt64?
  private(set) var faults = FaultPlan()
  /// The steps of `learn` for the class.
  private(set) var steps: [LessonStep] = []

  /// The name of the file without its ending, which is that of the lesson's folder.
  var name: String {
    let file = (path as NSString).lastPathComponent
    return file.hasSuffix(".toml") ? String(file.dropLast(5)) : file
  }

  /// Reads a lesson.
  ///
  /// - Throws: `FileError` with the line of the first error; `CommandError` for its list of vendors, and if there is no
  ///   such file.
  init(_ path: String, home: String?) throws {
    self.path = Paths.expanded(path, home: home)
    guard let file = try SettingsFile(self.path) else {
      throw CommandLineError.failure("There is no lesson \(.value(path)).", ko: "\(.value(path)) 수업 파일이 없습니다.")
    }
    let table = try SettingsTable(file, .table(file.root.filter { $0.key != "version" }), at: [])
    try Lesson.checkKeys(of: table, Key.allCases.map(\.rawValue))
    if let word = try table.text(Key.api.rawValue), APIWord.isFile(word) {
      api = .file(try Lesson.located(word, by: self.path))
    } else {
      let edition: ServedEdition? = try table.enumeration(Key.api.rawValue)
      api = edition.map { .edition($0) }
    }
    isStrict = try Lesson.flag(Key.strict.rawValue, in: table)
    hasQuirks = try Lesson.flag(Key.quirks.rawValue, in: table)
    switch try table.text(Key.products.rawValue) {
    case nil, "sample": products = .sample
    case "none": products = .none
    case let listed?: products = .file(try Lesson.located(listed, by: self.path))
    }
    vendors = try Lesson.vendors(table, file: self.path)
    if let text = try table.text(Key.clock.rawValue) {
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw table.fault(
          Key.clock.rawValue,
          LocalizedText(
            "\(.field("clock")) must be a date with a time zone, such as \"2022-03-01T09:00:00+09:00\"",
            ko: "\(.field("clock")) 값은 \"2022-03-01T09:00:00+09:00\"처럼 시간대가 있는 시각입니다"))
      }
      clock = date
    }
    if let number = try table.integer(Key.seed.rawValue) {
      guard let seed = UInt64(exactly: number) else {
        throw table.fault(
          Key.seed.rawValue, LocalizedText("\(.field("seed")) must not be negative", ko: "\(.field("seed")) 값은 0 이상입니다")
        )
      }
      self.seed = seed
    }
    faults = FaultPlan(delay: try Lesson.delay(in: table), seed: seed ?? 0)
    steps = try Lesson.steps(in: table)
    guard let rules = try table.table(Key.faults.rawValue) else { return }
    for name in rules.values.keys.sorted() {
      guard let values = try rules.table(name) else { continue }
      faults.rules.append(try Lesson.rule(name, values, in: rules))
    }
  }

  /// Returns the file that the lesson states, which is below the lesson's folder.
  private static func located(_ stated: String, by lesson: String) throws(FileError) -> ConfinedPath {
    try ConfinedPath(stated: stated, below: ConfinedPath(folderOf: lesson))
  }

  private static func vendors(_ table: SettingsTable, file: String) throws -> VendorList? {
    switch table.values[Key.vendors.rawValue] {
    case nil: return nil
    case .integer(let count): return try VendorList(String(count))
    case .string(let list): return try VendorList(located(list, by: file))
    case .decimal, .boolean, .array, .table:
      throw table.fault(
        Key.vendors.rawValue,
        LocalizedText(
          "\(.field("vendors")) must be a number, or the quoted path of a list",
          ko: "\(.field("vendors")) 값은 수나 목록 파일의 경로입니다"))
    }
  }

  // MARK: Steps

  /// Returns the steps of the tables `[steps.1]`, `[steps.2]` and so on.
  ///
  /// - Throws: `FileError` with the line of a step that can't be used.
  private static func steps(in table: SettingsTable) throws(FileError) -> [LessonStep] {
    guard let listed = try table.table(Key.steps.rawValue) else { return [] }
    var steps: [LessonStep] = []
    let names = Set(listed.values.keys)
    guard (1...LessonStep.maximumCount).contains(names.count), names == Set((1...names.count).map { String($0) }) else {
      throw table.fault(
        Key.steps.rawValue,
        LocalizedText(
          "\(.field("steps")) must be tables named steps.1, steps.2 and so on without a gap, at most \(LessonStep.maximumCount)",
          ko: "\(.field("steps")) 값은 steps.1, steps.2처럼 빠짐없이 번호를 붙인 표이고, 최대 \(LessonStep.maximumCount)개입니다"))
    }
    for number in 1...names.count {
      guard let step = try listed.table(String(number)) else { continue }
      try checkKeys(of: step, LessonStep.Key.allCases.map(\.rawValue))
      var texts: [LessonStep.Key: String] = [:]
      for key in LessonStep.Key.allCases where key != .count { texts[key] = try step.text(key.rawValue) }
      let count = try step.integer(LessonStep.Key.count.rawValue)
      do throws(LessonStep.Fault) {
        steps.append(try LessonStep(number, texts: texts, count: count, names: .editionIndependent))
      } catch {
        throw step.fault(error.key, error.reason)
      }
    }
    return steps
  }

  // MARK: Faults

  private static func rule(_ name: String, _ table: SettingsTable, in rules: SettingsTable) throws -> FaultRule {
    guard var rule = FaultRule(name) else {
      throw rules.fault(
        name,
        LocalizedText(
          "\(.value(name)) is not a method and a path, such as \"POST /api/products\" or \"GET /api/products/*\"",
          ko: "\(.value(name), .topic) \"POST /api/products\"나 \"GET /api/products/*\" 같은 메서드와 경로가 아닙니다"))
    }
    try checkKeys(of: table, RuleKey.allCases.map(\.rawValue))
    rule.sequence = try faults(RuleKey.sequence.rawValue, in: table)
    rule.repeats = try flag(RuleKey.repeat.rawValue, in: table)
    rule.isShared = try flag(RuleKey.shared.rawValue, in: table)
    rule.rate = try rate(in: table)
    rule.faults = try faults(RuleKey.faults.rawValue, in: table)
    rule.delay = try delay(in: table)
    if rule.rate > 0, rule.faults.isEmpty { rule.faults = [Fault(.status(503))] }
    if rule.rate == 0, !rule.faults.isEmpty {
      throw table.fault(
        RuleKey.faults.rawValue,
        LocalizedText(
          "\(.field("faults")) needs a \(.field("rate")), such as rate = \"20%\"",
          ko: "\(.field("faults"))에는 rate = \"20%\" 같은 \(.field("rate"), .subject) 필요합니다"))
    }
    if rule.repeats, rule.sequence.isEmpty {
      throw table.fault(
        RuleKey.repeat.rawValue,
        LocalizedText(
          "\(.field("repeat")) needs a \(.field("sequence"))",
          ko: "\(.field("repeat"))에는 \(.field("sequence"), .subject) 필요합니다"))
    }
    return rule
  }

  private static func faults(_ key: String, in table: SettingsTable) throws(FileError) -> [Fault] {
    let values: [TOML]
    switch table.values[key] {
    case nil: return []
    case .array(let elements): values = elements
    case let one?: values = [one]
    }
    var faults: [Fault] = []
    for value in values {
      let text: String? =
        switch value {
        case .integer(let status): String(status)
        case .string(let text): text
        case .decimal, .boolean, .array, .table: nil
        }
      guard let text, let fault = Fault(text) else {
        throw table.fault(
          key,
          LocalizedText(
            "\(.field(key)) has an unknown fault\(text.map { " \(.foreign($0))" as StyledText } ?? ""); use a status such as 503 or \"429 retry-after=2\", \(words)",
            ko:
              "\(.field(key))에 알 수 없는 장애가 있습니다\(text.map { ": \(.foreign($0))" as StyledText } ?? ""). 503이나 \"429 retry-after=2\" 같은 상태, \(words) 중에서 쓰세요"
          ))
      }
      faults.append(fault)
    }
    return faults
  }

  private static let words = Fault.words.map { "\"\($0.word)\"" }.joined(separator: ", ")

  /// Returns the rate of a rule, a number from 0 to 1 or a percentage in quotes.
  private static func rate(in table: SettingsTable) throws -> Double {
    let key = RuleKey.rate.rawValue
    let rate: Double?
    switch table.values[key] {
    case nil: return 0
    case .string(let text): rate = FaultRate(text)?.value
    case .decimal(let text): rate = FaultRate(text)?.value
    case .integer(let number): rate = FaultRate(String(number))?.value
    case .boolean, .array, .table: rate = nil
    }
    if let rate { return rate }
    throw table.fault(
      key,
      LocalizedText(
        "\(.field(key)) must be from 0 to 1, or from \"0%\" to \"100%\"",
        ko: "\(.field(key)) 값은 0부터 1, 또는 \"0%\"부터 \"100%\"까지입니다"
      ))
  }

  /// Returns the distribution of delays: a number of milliseconds, or a table with the parameters of one.
  private static func delay(in table: SettingsTable) throws -> DelayDistribution? {
    let key = Key.delay.rawValue
    let problem = table.fault(
      key,
      LocalizedText(
        "\(.field(key)) must be milliseconds from 0 to \(DelayDistribution.maximum), such as 200, { uniform = [100, 400] }, { normal = [200, 50] } or { exponential = 200 }",
        ko:
          "\(.field(key)) 값은 0부터 \(DelayDistribution.maximum)까지의 밀리초입니다. 예: 200, { uniform = [100, 400] }, { normal = [200, 50] }, { exponential = 200 }"
      ))
    func time(_ value: TOML?) throws -> Double {
      let time: Double? =
        switch value {
        case .integer(let number): Double(number)
        case .decimal(let digits): Double(digits)
        case .string, .boolean, .array, .table, nil: nil
        }
      guard let time, (0...Double(DelayDistribution.maximum)).contains(time) else { throw problem }
      return time
    }
    func pair(_ value: TOML?) throws -> (Double, Double) {
      guard case .array(let two) = value, two.count == 2 else { throw problem }
      return (try time(two[0]), try time(two[1]))
    }
    switch table.values[key] {
    case nil: return nil
    case .table(let parameters):
      guard parameters.count == 1, let (name, value) = parameters.first, let kind = Kind(rawValue: name) else {
        throw problem
      }
      switch kind {
      case .exponential: return .exponential(mean: try time(value))
      case .normal:
        let (mean, deviation) = try pair(value)
        return .normal(mean: mean, deviation: deviation)
      case .uniform:
        let (low, high) = try pair(value)
        guard low <= high else { throw problem }
        return .uniform(low...high)
      }
    case let number: return .constant(try time(number))
    }
  }

  // MARK: Values

  private static func flag(_ key: String, in table: SettingsTable) throws(FileError) -> Bool {
    switch table.values[key] {
    case nil: return false
    case .boolean(let flag): return flag
    case .string, .integer, .decimal, .array, .table:
      throw table.fault(
        key, LocalizedText("\(.field(key)) must be true or false", ko: "\(.field(key)) 값은 true나 false입니다"))
    }
  }

  private static func checkKeys(of table: SettingsTable, _ known: [String]) throws(FileError) {
    guard let unknown = table.values.keys.sorted().first(where: { !known.contains($0) }) else { return }
    let list = known.joined(separator: ", ")
    throw table.fault(
      unknown,
      LocalizedText(
        "unknown key \(.foreign(unknown)); the keys are \(list)", ko: "알 수 없는 키 \(.foreign(unknown)); 쓸 수 있는 키: \(list)"
      ))
  }
}

/// A fraction of requests, written as `0.2` or `20%`.
struct FaultRate {
  /// From 0 to 1.
  let value: Double

  /// Returns `nil` for a text that is not a number, or is not from 0 to 1.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
    value = isPercent ? number / 100 : number
    guard (0...1).contains(value) else { return nil }
  }
}
