import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The work that one home hands over to another: a file of lines of JSON, each of which names its kind.
///
/// A file may come from anyone and contain anything. The reader accepts only what the program could have written, line by line;
/// what the items mean for this home is decided by `HandoverReview`.
struct HandoverFile: Hashable {
  /// A kind of items, as it is asked about and typed.
  enum Kind: String, CaseIterable, Hashable {
    // The log is before the pending changes, which belong to its runs.
    case profiles, aliases, recipes, reports, every, sales, log, pending

    /// The kinds as they are typed, separated by commas.
    static let list = allCases.map(\.rawValue).joined(separator: ",")

    /// The word of the kind.
    var word: LocalizedText {
      switch self {
      case .profiles: LocalizedText("profiles", ko: "프로필")
      case .aliases: LocalizedText("aliases", ko: "별칭")
      case .recipes: LocalizedText("recipes", ko: "레시피")
      case .reports: LocalizedText("reports", ko: "보고서")
      case .every: LocalizedText("recurring lines", ko: "반복할 줄")
      case .sales: LocalizedText("sales", ko: "할인")
      case .log: LocalizedText("log entries", ko: "로그")
      case .pending: LocalizedText("pending changes", ko: "대기 중인 변경")
      }
    }

    /// Returns a number of items in words: `1 profile`, `2 profiles`.
    func counted(_ count: Int) -> LocalizedText {
      let one: StyledText =
        switch self {
        case .profiles: "profile"
        case .aliases: "alias"
        case .recipes: "recipe"
        case .reports: "report"
        case .every: "recurring line"
        case .sales: "sale"
        case .log: "log entry"
        case .pending: "pending change"
        }
      let unit: StyledText = self == .log || self == .sales || self == .pending ? "건" : "개"
      return LocalizedText(
        "\(count) \(count == 1 ? one : word.english)", ko: "\(word.korean) \(count)\(unit)")
    }

    /// A Boolean value that indicates that `yes` alone doesn't take the items: an alias and a recurring line are code, and a
    /// sale and a pending change are made by one home.
    var isNamedToBeTaken: Bool { [.aliases, .every, .sales, .pending].contains(self) }
  }

  /// A profile: its settings as they are typed.
  struct ProfileItem: Hashable, Codable {
    var name: String
    var settings: [String: String]
    /// The places of `weather`, as TOML.
    var weather: String?
  }

  struct AliasItem: Hashable, Codable {
    var name: String
    var line: String
  }

  /// A table of a file of tables by name, such as a recipe, as TOML.
  struct TableItem: Hashable, Codable {
    var name: String
    var toml: String
  }

  /// A line that the timer runs again and again, with its days and its time as they are typed.
  struct RecurringItem: Hashable, Codable {
    var days: String
    var time: String
    var line: String
    var profile: String
  }

  /// A sale: the text of its plan, and what is known of its products.
  struct SaleItem: Hashable, Codable {
    var plan: String
    var progress: String?
  }

  /// The first line.
  private struct Head: Codable {
    var openmarket: String
    var version: Int
    var made: String
    var maker: String?
  }

  var made = Timestamp(seconds: 0, isUTC: true)
  /// The name of the account that wrote the file, as it says.
  var maker: String?
  var profiles: [ProfileItem] = []
  var aliases: [AliasItem] = []
  var recipes: [TableItem] = []
  var reports: [TableItem] = []
  var recurring: [RecurringItem] = []
  var sales: [SaleItem] = []
  var log = HandedOverLog()
  /// The kinds that this version doesn't know, with the number of items of each.
  var unknown: [String: Int] = [:]

  /// The beginning of every such file.
  static let name = "handover"
  private static let version = 1
  /// The maximum size of a file in bytes.
  static let maximumBytes = 256 << 20
  /// The maximum size of all pictures in it.
  static let maximumPictureBytes = 96 << 20
  private static let maximumItems = 1 << 20
  /// The maximum number of items that a user reads one by one.
  private static let maximumShownItems = 1_000
  private static let maximumUnknownKinds = 16
  private static let maximumName = 256

  init() {}
}

// MARK: - Writing
extension HandoverFile {
  /// Returns the contents of the file, without each item that contains a secret, and the names of those that were left out.
  ///
  /// - Parameter isSecret: Returns whether a text contains a secret.
  /// - Throws: `CommandError` for a file that the reader would refuse because of its size.
  func contents(_ isSecret: (String) -> Bool) throws -> (data: Data, omitted: [String]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var lines: [Data] = []
    var omitted: [String] = []
    func text(_ item: some Encodable) throws -> String { String(decoding: try encoder.encode(item), as: UTF8.self) }
    func add(_ key: String, _ item: some Encodable, named name: String, checks: Bool = true) throws {
      let text = try text(item)
      if checks, isSecret(text) || HandoverFile.texts(in: text).contains(where: isSecret) {
        omitted.append(name)
        return
      }
      lines.append(Data("{\"\(key)\":\(text)}\n".utf8))
    }
    for item in profiles { try add("profile", item, named: "profile \(item.name)") }
    for item in aliases { try add("alias", item, named: "alias \(item.name)") }
    for item in recipes { try add("recipe", item, named: "recipe \(item.name)") }
    for item in reports { try add("report", item, named: "report \(item.name)") }
    for item in recurring { try add("every", item, named: "every \(item.days) \(item.time)") }
    for (index, item) in sales.enumerated() { try add("sale", item, named: "sale \(index + 1)") }
    for item in log.descriptions { try add("description", item, named: "description \(item.digest)") }
    for item in log.runs { try add("run", item, named: "run r\(item.number)") }
    for item in log.writes { try add("write", item, named: "log entry \(item.id)") }
    for item in log.pending { try add("pending", item, named: "pending change \(item.write.id)") }
    for item in log.pictures {
      // The bytes of a picture contain short texts by chance.
      if [item.address, item.name].compactMap(\.self).contains(where: isSecret) { continue }
      try add("picture", item, named: "picture", checks: false)
    }
    let head = try text(
      Head(openmarket: HandoverFile.name, version: HandoverFile.version, made: made.description, maker: maker))
    var data = Data((head + "\n").utf8)
    for line in lines { data.append(line) }
    data.append(Data("{\"end\":\(lines.count)}\n".utf8))
    guard data.count <= HandoverFile.maximumBytes, lines.count <= HandoverFile.maximumItems,
      shownCount <= HandoverFile.maximumShownItems
    else { throw HandoverFile.tooLarge(data.count, shownCount) }
    return (data, omitted)
  }

  private static func tooLarge(_ bytes: Int, _ items: Int) -> CommandError {
    let (megabytes, limit) = (bytes >> 20, maximumBytes >> 20)
    return CommandError(
      .refused,
      .failure(
        "The file would be too large to be opened. Nothing was saved.", ko: "너무 커서 열 수 없는 파일이 됩니다. 저장하지 않았습니다."
      ).because(
        "It would have \(megabytes) MB, of at most \(limit), and \(items) profiles, aliases, recipes, reports, lines and sales, of at most \(maximumShownItems).",
        ko: "\(megabytes)MB(최대 \(limit)MB)이고 프로필, 별칭, 레시피, 보고서, 줄, 할인이 \(items)개(최대 \(maximumShownItems)개)입니다."
      ).next(
        "Leave kinds out: \(.command("without log"))", ko: "종류를 빼세요: \(.command("without log"))"))
  }

  /// Returns the texts within JSON, without escapes, in which a search finds no secret.
  private static func texts(in json: String) -> [String] {
    func texts(_ value: JSON) -> [String] {
      switch value {
      case .string(let text): [text]
      case .array(let items): items.flatMap(texts)
      case .object(let object): object.keys.flatMap { key in [key] + (object[key].map(texts) ?? []) }
      case .number, .bool, .null, .invalidLiteral: []
      }
    }
    return (try? JSON(parsing: Data(json.utf8))).map(texts) ?? []
  }
}

// MARK: - Reading
extension HandoverFile {
  /// Reads a file that may come from anyone.
  ///
  /// - Throws: `FileError`, which is `.malformed` with the number of the first line that can't be used.
  init(_ path: String) throws(FileError) {
    try self.init(try StableFileReader.data(path, limit: HandoverFile.maximumBytes), at: path)
  }

  /// Reads the contents of such a file.
  ///
  /// - Throws: `FileError.malformed`.
  init(_ bytes: Data, at path: String) throws(FileError) {
    self.init()
    func fault(at line: Int, _ english: StyledText, ko korean: StyledText) -> FileError {
      .malformed(
        path: path, reason: LocalizedText("line \(String(line)): \(english)", ko: "\(String(line))행: \(korean)"))
    }
    let decoder = JSONDecoder()
    // A file of short lines has a hundred million of them, so that they are read one by one.
    var rest = bytes[...]
    func nextLine() -> Data? {
      guard !rest.isEmpty else { return nil }
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      defer { rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...] }
      return rest[..<end]
    }
    guard let first = nextLine(), let head = try? decoder.decode(Head.self, from: first),
      head.openmarket == HandoverFile.name, let made = Timestamp(head.made), made.isUTC
    else {
      throw .malformed(path: path, reason: LocalizedText("not a file of handover", ko: "handover 명령으로 만든 파일이 아닙니다"))
    }
    guard head.version == HandoverFile.version else {
      throw fault(at: 1, "it was written by a newer openmarket", ko: "더 새로운 openmarket이 만든 파일입니다")
    }
    (self.made, maker) = (made, head.maker.map { String($0.prefix(HandoverFile.maximumName)) })
    var isComplete = false
    var number = 1
    var count = 0
    while let line = nextLine() {
      number += 1
      if Task.isCancelled { throw .cannotRead(path: path, errno: EINTR) }
      guard !isComplete else { throw fault(at: number, "it follows the end", ko: "끝난 뒤에 더 있습니다") }
      guard let object = (try? JSON(parsing: line))?.object, object.keys.count == 1, let kind = object.keys.first else {
        throw fault(at: number, "not an item", ko: "항목이 아닙니다")
      }
      if kind == "end" {
        guard (try? object.int("end")) == count else { throw fault(at: number, "lines are missing", ko: "빠진 줄이 있습니다") }
        isComplete = true
        continue
      }
      count += 1
      guard add(kind, line: Data(line), decoder: decoder) else {
        let name = String(kind.prefix(HandoverFile.maximumName))
        throw fault(
          at: number, "not a \(.foreign(name)) that openmarket writes", ko: "openmarket이 쓴 \(.foreign(name)) 항목이 아닙니다")
      }
      guard count <= HandoverFile.maximumItems, shownCount <= HandoverFile.maximumShownItems else {
        throw fault(at: number, "the file has too many items", ko: "항목이 너무 많습니다")
      }
    }
    guard isComplete else { throw fault(at: number, "the end is missing", ko: "끝이 잘렸습니다") }
  }

  /// The number of items that are shown one by one.
  private var shownCount: Int {
    profiles.count + aliases.count + recipes.count + reports.count + recurring.count + sales.count
  }

  /// Adds the item of a line, and returns false if it can't be used.
  private mutating func add(_ kind: String, line: Data, decoder: JSONDecoder) -> Bool {
    func item<Item: Decodable>(_ type: Item.Type) -> Item? {
      try? decoder.decode([String: Item].self, from: line)[kind]
    }
    func isTable(_ item: TableItem) -> Bool {
      HandoverFile.isName(item.name) && (try? TOML(parsing: item.toml))?.table != nil
    }
    switch kind {
    case "profile":
      guard let item = item(ProfileItem.self), ProfileCommand.isProfileName(item.name) else { return false }
      profiles.append(item)
    case "alias":
      guard let item = item(AliasItem.self), item.name.utf8.count <= HandoverFile.maximumName else { return false }
      aliases.append(item)
    case "recipe":
      guard let item = item(TableItem.self), isTable(item) else { return false }
      recipes.append(item)
    case "report":
      guard let item = item(TableItem.self), isTable(item) else { return false }
      reports.append(item)
    case "every":
      guard let item = item(RecurringItem.self), ProfileCommand.isProfileName(item.profile) else { return false }
      recurring.append(item)
    case "sale":
      guard let item = item(SaleItem.self) else { return false }
      sales.append(item)
    case "description":
      guard let item = item(HandedOverDescription.self), item.isUsable else { return false }
      log.descriptions.append(item)
    case "run":
      guard let item = item(HandedOverRun.self), item.isUsable else { return false }
      log.runs.append(item)
    case "write":
      guard let item = item(HandedOverWrite.self), item.isUsable else { return false }
      log.writes.append(item)
    case "pending":
      guard let item = item(HandedOverPendingWrite.self), item.isUsable else { return false }
      log.pending.append(item)
    case "picture":
      guard let item = item(HandedOverPicture.self), item.isUsable else { return false }
      log.pictures.append(item)
    default:
      guard kind.utf8.count <= HandoverFile.maximumName,
        unknown.count < HandoverFile.maximumUnknownKinds || unknown[kind] != nil
      else { return false }
      unknown[kind, default: 0] += 1
    }
    return true
  }

  /// Returns whether a text can name a table: a word of letters, digits, `-` and `_`.
  private static func isName(_ text: String) -> Bool {
    (1...60).contains(text.unicodeScalars.count) && text != SettingsFile.versionKey
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
      }
  }
}
