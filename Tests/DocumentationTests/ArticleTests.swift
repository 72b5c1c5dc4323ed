import Catalog
import CommandLanguage
import Commands
import Foundation
import History
import Platform
import SQLiteSupport
import ShellRuntime
import TestSupport
import Testing

@testable import EmbeddedMarket
@testable import WriteJournal

/// The articles, files, folders and types that comments and articles refer to exist.
@Suite struct ArticleTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Returns the text of every file in a folder of the package by its path.
  private static func files(below folder: String, ending: String) throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: top + "/" + folder).filter { $0.hasSuffix(ending) }
    var texts: [String: String] = [:]
    for name in names {
      texts[folder + "/" + name] = try String(contentsOfFile: top + "/" + folder + "/" + name, encoding: .utf8)
    }
    return texts
  }

  private static func name(of path: String) -> String {
    String(path.split(separator: "/").last?.split(separator: ".").first ?? "")
  }

  /// A line of an article fits a screen; rows of tables and code may be longer.
  @Test func linesOfArticlesHaveAtMost125Columns() throws {
    var texts = try Self.files(below: "Sources", ending: ".md")
    texts["README.md"] = try String(contentsOfFile: Self.top + "/README.md", encoding: .utf8)
    for (path, text) in texts {
      var isCode = false
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if line.hasPrefix("```") { isCode.toggle() }
        if isCode || line.hasPrefix("|") { continue }
        #expect(line.count <= 125, "\(path):\(index + 1)")
      }
    }
  }

  @Test func articlesNamedInCommentsExist() throws {
    let articles = Set(try Self.files(below: "Sources", ending: ".md").keys.map(Self.name))
    var texts = try Self.files(below: "Sources", ending: ".swift")
    texts.merge(try Self.files(below: "Tests", ending: ".swift")) { $1 }
    texts.merge(try Self.files(below: "Sources", ending: ".md")) { $1 }
    let reference = TextPattern(#"(?:\(see|//.* see|article) ([A-Z][A-Za-z]+)\b"#)
    var found = 0
    for (path, text) in texts where !path.hasSuffix("ArticleTests.swift") {
      for name in reference.words(in: text) {
        found += 1
        let isThere = articles.contains(name)
        #expect(isThere, "\(path): there is no article \(name)")
      }
    }
    #expect(found > 0)
  }

  /// A path is relative to the package or to a module.
  @Test func filesNamedInArticlesExist() throws {
    let rooms = Set(try FileManager.default.contentsOfDirectory(atPath: Self.top + "/Sources"))
    var texts = try Self.files(below: "Sources", ending: ".md")
    texts["README.md"] = try String(contentsOfFile: Self.top + "/README.md", encoding: .utf8)
    for (article, text) in texts {
      for match in Self.prose(text).matches(of: /`([A-Za-z][A-Za-z0-9+.\/-]*\/[A-Za-z0-9+.\/-]*)`/) {
        let path = String(match.1)
        let start = String(path.prefix { $0 != "/" })
        let isOurs = rooms.contains(start) || ["Sources", "Tests", "Examples"].contains(start)
        guard isOurs || path.hasSuffix(".swift") || path.hasSuffix(".md") else { continue }
        let place = Self.top + (rooms.contains(start) ? "/Sources/" : "/") + path
        let isThere = FileManager.default.fileExists(atPath: place)
        #expect(isThere, "\(article): there is no \(path)")
      }
    }
  }

  /// Every link leads to a file, and every article is reached from README by links.
  @Test func linksExistAndReachEveryArticle() throws {
    var reached: Set<String> = []
    var waiting = ["README.md"]
    while let path = waiting.popLast() {
      guard reached.insert(path).inserted, path.hasSuffix(".md") else { continue }
      let text = try String(contentsOfFile: Self.top + "/" + path, encoding: .utf8)
      let folder = (path as NSString).deletingLastPathComponent
      for match in Self.prose(text).matches(of: /\]\(([A-Za-z.][^):#]*)\)/) {
        // `..` is resolved in an absolute path only.
        let whole = (("/" + folder) as NSString).appendingPathComponent(String(match.1)) as NSString
        let link = String(whole.standardizingPath.drop { $0 == "/" })
        let isThere = FileManager.default.fileExists(atPath: Self.top + "/" + link)
        #expect(isThere, "\(path): there is no \(link)")
        if isThere { waiting.append(link) }
      }
    }
    let articles = try Self.files(below: "Sources", ending: ".md").keys
    #expect(Set(articles).subtracting(reached) == [], "articles that no link from README reaches")
    #expect(reached.contains(".github/LICENSE"))
  }

  /// The table of modules in Architecture says what `Package.swift` allows.
  @Test func moduleTableEqualsThePackage() throws {
    let package = try String(contentsOfFile: Self.top + "/Package.swift", encoding: .utf8)
    let targets = package[(package.firstRange(of: "targets: [\n")?.upperBound ?? package.startIndex)...]
    var imports: [String: Set<String>] = [:]
    let calls = targets.matches(
      of: /\b(\w+)\(\s*(?:name: )?"(\w+)"(?:,\s*(?:dependencies: )?\[([^\]]*)\])?/)
    for match in calls where !["tests", "testTarget", "systemLibrary"].contains(String(match.1)) {
      imports[String(match.2)] = Set((match.3 ?? "").matches(of: /"(\w+)"/).map { String($0.1) })
    }
    let article = try String(contentsOfFile: Self.top + "/Sources/Shell/Shell.docc/Architecture.md", encoding: .utf8)
    let lines: [Substring] = article.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let cells: [[String]] = lines.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let rows: [[String]] = cells.filter { $0.count == 3 && imports[$0[0].replacing("`", with: "")] != nil }
    let names: [String] = rows.map { $0[0].replacing("`", with: "") }
    // Modules of C have no row.
    let modules = Set(
      try Self.files(below: "Sources", ending: ".swift").keys.compactMap { path in
        path.split(separator: "/").dropFirst().first.map(String.init)
      })
    #expect(Set(names) == modules && names.count == modules.count)
    for (index, row) in rows.enumerated() {
      let named = Set(row[2].matches(of: /`(\w+)`/).map { String($0.1) })
      let allowed = row[2].hasPrefix("all above") ? Set(names[..<index]).subtracting(named) : named
      let expected = imports[names[index], default: []].intersection(names)
      #expect(allowed == expected, "\(names[index]) may import \(expected.sorted())")
    }
  }

  /// A suite is named after a source, a type, a command or a helper of the tests, or the article Testing lists its behavior.
  @Test func everySuiteIsNamedAfterWhatItTests() throws {
    let tests = try Self.files(below: "Tests", ending: "Tests.swift")
    let sources = try Self.files(below: "Sources", ending: ".swift").keys
    let files = sources.compactMap { path in Self.name(of: path).split(separator: "+").first.map(String.init) }
    let listed = TextPattern("`([A-Za-z]+Tests)`").words(in: try Self.article("Shell/Shell.docc/Testing.md"))
    for path in tests.keys.sorted() {
      let suite = Self.name(of: path)
      let subject = String(suite.dropLast("Tests".count))
      if DeclaredNames.types.contains(subject) || files.contains(subject) || listed.contains(suite) { continue }
      Issue.record("\(path) is named after no source, and Testing doesn't list its behavior")
    }
    for suite in listed where !DeclaredNames.types.contains(suite) { Issue.record("there is no \(suite)") }
  }

  /// Types of other libraries.
  private static let foreign: Set = ["Double", "Int", "JSONEncoder", "Package", "URLComponents", "URLSession"]
  /// Types in the Swift source that `model` prints.
  private static let printed: Set = ["ProductChange", "ProductPage", "ProductSummary", "RefusalBody"]

  /// A word in code voice that is spelled like a type is a type of the package, and the name after its period is a
  /// member.
  @Test func typesNamedInArticlesExist() throws {
    let rooms = Set(try FileManager.default.contentsOfDirectory(atPath: Self.top + "/Sources"))
    let articles = try Self.files(below: "Sources", ending: ".md")
    let names = Set(articles.keys.map(Self.name))
    for (article, text) in articles {
      for match in Self.prose(text).matches(
        of: /`{1,2}([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\.([a-z]\w*))?(?:\([^`]*\))?`/)
      {
        let type = String(match.1)
        if rooms.contains(type) || names.contains(type) || Self.foreign.contains(type) || Self.printed.contains(type) {
          continue
        }
        if !DeclaredNames.types.contains(type) { Issue.record("\(article): there is no \(type)") }
        guard let member = match.2 else { continue }
        #expect(DeclaredNames.members.contains(String(member)), "\(article): there is no \(type).\(member)")
      }
    }
  }

  private static func article(_ path: String) throws -> String {
    try String(contentsOfFile: top + "/Sources/" + path, encoding: .utf8)
  }

  private static func words(_ text: Substring, _ pattern: Regex<(Substring, Substring)>) -> [String] {
    text.matches(of: pattern).map { String($0.1) }
  }

  @Test func everyProfileKeyIsInFiles() throws {
    let text = try Self.article("ShellRuntime/ShellRuntime.docc/Files.md")
    let start = try #require(text.firstRange(of: "[profiles.shop]")).upperBound
    let end = try #require(text[start...].firstRange(of: "\n\n")).lowerBound
    let keys = Self.words(text[start..<end], #/\n(\w+) = /#)
    #expect(keys.sorted() == ProfileSetting.all.map(\.name).sorted())
  }

  /// The rows of the table of files, by their first name.
  private static func filesOfHome() throws -> [String: [Substring]] {
    let text = try article("ShellRuntime/ShellRuntime.docc/Files.md")
    let start = try #require(text.firstRange(of: "\n| file | in | holds | version |")).upperBound
    let end = try #require(text[start...].firstRange(of: "\n\n")).lowerBound
    let rows = text[start..<end].split(separator: "\n").dropFirst(2).map { $0.split(separator: " | ") }
    return Dictionary(rows.map { (words($0[0], /`([^`]+)`/)[0], $0) }) { first, _ in first }
  }

  @Test func versionsInFilesAreThoseOfTheSchemas() throws {
    let market = StoreSchema.schema(at: MarketTime(microseconds: 0)) { _ in }.version
    let versions = [
      "profiles.toml": "`version = \(SettingsFile.version)`", "credentials.toml": "`version = \(SettingsFile.version)`",
      "journal/": "`user_version` \(Schema.journal.version)", "calls.sqlite": "`user_version` \(ExchangeStore.version)",
      "versions.sqlite": "`user_version` \(MarketSnapshotStore.version)", "demo/": "`user_version` \(market)",
      "served/": "`user_version` \(market)", "served/NAME/": "`user_version` \(market)",
      "lessons/NAME/": "`user_version` \(market)",
      "written.jsonl": "head, \(WrittenFiles.version)", "exports/*.cells": "head, \(ExportBaseline.version)",
      "proven-markets": "head, \(DescriptionProofs.version)",
    ]
    let rows = try Self.filesOfHome()
    for (name, version) in versions { #expect(rows[name]?[3] == version[...], "\(name)") }
    let databases = rows.filter { $0.value[3].contains("user_version") }.keys
    #expect(databases.allSatisfy { versions[$0] != nil }, "\(databases)")
  }

  @Test func everyFileOfAHomeIsInFiles() throws {
    let source = try Self.article("Platform/Files/AppDirectories.swift")
    let names = Self.words(source[...], /\b(?:configuration|state|data|cache) \+ "\/([a-z.-]+)/)
    #expect(names.contains("proven-markets"))
    let listed = try Self.filesOfHome().keys
    for name in names {
      #expect(listed.contains { $0 == name || $0.hasPrefix(name + "/") }, "\(name)")
    }
  }

  @Test func everyFormatAndFieldIsInLanguage() throws {
    let text = try Self.article("CommandLanguage/CommandLanguage.docc/Language.md")
    let start = try #require(text.firstRange(of: "\n## Data\n")).upperBound
    let sample = try #require(text[start...].firstRange(of: "\n```json\n"))
    let formats = text[start..<sample.lowerBound].split(separator: "\n").flatMap { row in
      Self.words(row.hasPrefix("| `") ? row.dropFirst(2).prefix { $0 != "|" } : "", /`(\w+)`/)
    }
    #expect(formats.sorted() == OutputFormat.names.sorted())
    let end = try #require(text[sample.upperBound...].firstRange(of: "\n```\n")).lowerBound
    let object = String(text[sample.upperBound..<end]).replacing("\n", with: "")
    let images = try #require(object.firstRange(of: "\"images\":"))
    let fields = Self.words(object[..<images.upperBound], /"(\w+)":/)
    #expect(fields == ProductField.allCases.map(\.rawValue))
  }

  @Test func everyOutcomeIsInGlossaryAndLanguage() throws {
    let names = OutcomeKind.allCases.map(\.rawValue).sorted()
    let glossary = try Self.article("Shell/Shell.docc/Glossary.md")
    let start = try #require(glossary.firstRange(of: "\n## Outcomes\n")).upperBound
    let end = try #require(glossary[start...].firstRange(of: "\n## ")).lowerBound
    #expect(Self.words(glossary[start..<end], /\n\| `([a-z-]+)` \|/).sorted() == names)
    let language = try Self.article("CommandLanguage/CommandLanguage.docc/Language.md")
    let list = try #require(language.firstMatch(of: /`outcome` \(([^)]*)\)/)).1
    #expect(Self.words(list, /`([a-z-]+)`/).sorted() == names)
  }

  /// An article begins with its title and one paragraph that says what the reader learns, and is in a catalog.
  @Test func articlesBeginWithTitleAndSummary() throws {
    for (path, text) in try Self.files(below: "Sources", ending: ".md") {
      let parts = text.components(separatedBy: "\n\n")
      #expect(parts[0].hasPrefix("# ") && !parts[0].contains("\n"), "\(path)")
      #expect(parts.count > 2 && !parts[1].hasPrefix("#") && !parts[1].hasPrefix("|"), "\(path)")
      #expect(path.contains(".docc/"), "\(path): outside a catalog")
    }
  }

  /// Returns the text without code blocks, whose words are examples.
  private static func prose(_ text: String) -> String {
    text.components(separatedBy: "\n```").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
  }
}
