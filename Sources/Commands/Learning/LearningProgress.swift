import Catalog
import Foundation
import Platform
import Text

/// The progress of a home in the steps of one market: the current one, and the times at which the others were reached.
struct LearningProgress: Hashable, Sendable {
  /// The time at which a step was reached, and in which generation of the market.
  struct Reached: Hashable, Sendable {
    var time: Int64
    var market: String
    /// The product that the step created.
    var product: Product.ID?
  }

  /// The values of a product of the user at the beginning of a step.
  struct Base: Hashable, Sendable {
    var stock: Int
    /// A digest of all values.
    var digest: String

    init(stock: Int, digest: String) { (self.stock, self.digest) = (stock, digest) }

    init(_ product: Product) {
      stock = product.stock ?? 0
      var hash = FNV1a()
      let values = [
        product.name, product.description, product.price?.description, product.discount?.description,
        product.currency?.code,
      ]
      for value in values { hash.combine((value ?? "") + "\u{0}") }
      hash.combine(String(stock))
      digest = hash.hex
    }
  }

  /// The digest of the steps.
  let digest: String
  /// The number of the current step, from 1; one more than there are steps at the end.
  var step = 1
  var isOn = true
  /// The time at which the current step began.
  var began: Int64 = 0
  /// The generation of the market in which it began; "" if the server says none.
  var market = ""
  /// The time at which the user's products were seen with other values than in `base`.
  var changed: Int64?
  /// The highest ID of a product when the current step began, if it compares with that.
  var newest: Product.ID?
  var reached: [Int: Reached] = [:]
  var base: [Product.ID: Base] = [:]

  init(digest: String) { self.digest = digest }
}

/// The file of the home with the progress of `learn`, a table for each market with steps.
struct LearningStore {
  /// The number of products whose values at the beginning of a step are stored.
  static let maximumBase = 500
  private static let coursesKey = "courses"

  private let path: String
  private let folder: String

  init(_ home: AppDirectories) { (path, folder) = (home.learningFile, home.state) }

  /// A Boolean value that indicates that `learn` was begun in this home.
  var exists: Bool { access(path, F_OK) == 0 }

  /// Returns the progress in a course, or `nil` if it wasn't begun.
  ///
  /// - Throws: `FileError`, with the line of a value that can't be used.
  func progress(in course: String) throws(FileError) -> LearningProgress? {
    guard let file = try SettingsFile(path), let table = try file.tables(in: LearningStore.coursesKey)[course] else {
      return nil
    }
    return try LearningStore.progress(table)
  }

  /// Stores the progress in a course.
  ///
  /// - Throws: `FileError`.
  func set(_ progress: LearningProgress, in course: String) throws(FileError) {
    try Files.createHomeFolder(folder)
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var root = try SettingsFile(path)?.root ?? [:]
      var courses = root[LearningStore.coursesKey]?.table ?? [:]
      courses[course] = .table(LearningStore.table(progress))
      root[LearningStore.coursesKey] = .table(courses)
      try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
    }
  }

  /// Records that no line is printed after commands, in all courses.
  ///
  /// - Returns: False if none was begun.
  /// - Throws: `FileError`.
  func stop() throws(FileError) -> Bool {
    guard exists else { return false }
    for course in try SettingsFile(path)?.root[LearningStore.coursesKey]?.table?.keys.sorted() ?? [] {
      guard var progress = try progress(in: course) else { continue }
      progress.isOn = false
      try set(progress, in: course)
    }
    return true
  }

  private static func progress(_ table: SettingsTable) throws(FileError) -> LearningProgress {
    func number(_ key: String, _ range: ClosedRange<Int>) throws(FileError) -> Int? {
      guard let number = try table.integer(key) else { return nil }
      guard range.contains(number) else { throw invalid(key, in: table) }
      return number
    }
    var progress = LearningProgress(digest: try table.text("digest") ?? "")
    progress.step = try number("step", 1...1_000) ?? 1
    progress.isOn = try table.text("state") != "off"
    progress.began = Int64(try number("began", times) ?? 0)
    progress.market = try table.text("market") ?? ""
    progress.changed = try number("changed", times).map { Int64($0) }
    progress.newest = try number("newest", 0...Int.max)
    if let reached = try table.table("reached") {
      for key in reached.values.keys {
        guard let step = Int(key), let entry = try reached.table(key), let time = try entry.integer("time"),
          times.contains(time)
        else { throw invalid(key, in: reached) }
        progress.reached[step] = .init(
          time: Int64(time), market: try entry.text("market") ?? "", product: try entry.integer("product"))
      }
    }
    if let base = try table.table("base") {
      for key in base.values.keys {
        let words = (try base.text(key) ?? "").split(separator: " ").map(String.init)
        guard let id = Int(key), words.count == 2, let stock = Int(words[0]) else { throw invalid(key, in: base) }
        progress.base[id] = .init(stock: stock, digest: words[1])
      }
    }
    return progress
  }

  /// The seconds since 1970 that can be a time.
  private static let times = 0...Int(Timestamp.representableRange.upperBound)

  private static func invalid(_ key: String, in table: SettingsTable) -> FileError {
    table.fault(
      key, LocalizedText("\(.field(key)) has an invalid value", ko: "\(.field(key)) 값이 올바르지 않습니다"))
  }

  private static func table(_ progress: LearningProgress) -> [String: TOML] {
    var table: [String: TOML] = [
      "digest": .string(progress.digest), "step": .integer(progress.step),
      "state": .string(progress.isOn ? "on" : "off"), "began": .integer(Int(progress.began)),
      "market": .string(progress.market),
    ]
    table["changed"] = progress.changed.map { .integer(Int($0)) }
    table["newest"] = progress.newest.map { .integer($0) }
    table["reached"] = .table(
      Dictionary(
        uniqueKeysWithValues: progress.reached.map { step, reached in
          var entry: [String: TOML] = ["time": .integer(Int(reached.time)), "market": .string(reached.market)]
          entry["product"] = reached.product.map { .integer($0) }
          return (String(step), .table(entry))
        }))
    table["base"] = .table(
      Dictionary(
        uniqueKeysWithValues: progress.base.map { (String($0.key), .string("\($0.value.stock) \($0.value.digest)")) }))
    return table
  }
}
