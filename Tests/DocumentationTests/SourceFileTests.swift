import CommandLanguage
import Foundation
import TestSupport
import Testing

@testable import Commands

/// A reader finds the file of a command by the word to type.
@Suite struct SourceFileTests {
  private static let root =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/Sources"

  /// The text of each Swift file of the package by its path in `Sources`.
  private static let texts: [String: String] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return paths.filter { $0.hasSuffix(".swift") }.reduce(into: [:]) { texts, path in
      texts[path] = try? String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }
  }()

  /// The text of each documentation comment, with its file.
  private static let summaries: [(text: String, path: String)] = {
    var summaries: [(text: String, path: String)] = []
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      var comment: [String] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let line = line.drop { $0 == " " }
        if line.hasPrefix("///") {
          comment.append(String(line.dropFirst(4)))
        } else if !comment.isEmpty {
          summaries.append((comment.prefix { !$0.isEmpty }.joined(separator: " "), path))
          comment = []
        }
      }
    }
    return summaries
  }()

  private static func files(named name: String) -> [String] {
    texts.keys.filter { $0.hasSuffix("/\(name).swift") }
  }

  @Test func commandFileIsNamedAfterItsWord() {
    var lines: [String] = []
    for name in AllCommands.grammar.declarations.map(\.name) {
      let found = Self.files(named: name.prefix(1).uppercased() + name.dropFirst() + "Command")
      #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("Commands/") }, "\(name): \(found)")
      lines.append("\(name)  \(found.joined(separator: " "))")
    }
    #expect(lines.count > 60)
    Self.show(lines)
  }

  /// Every summary begins with a noun phrase or a verb, and ends as a sentence does.
  @Test func summariesAreSentences() {
    let openings: Set = ["What", "Whether", "Where", "Who", "How", "Nil", "Of"]
    // The summary of a case of `KoreanParticle` is its two forms.
    let summaries = Self.summaries.filter { !$0.path.hasSuffix("/KoreanParticle.swift") }
    #expect(summaries.count > 6_000)
    for (text, path) in summaries {
      let word = String(text.prefix { $0.isLetter })
      let isSentence = text.utf8.contains(UInt8(ascii: ".")) || text.hasSuffix(":")
      if openings.contains(word) || text.hasPrefix("The same ") || !isSentence { Issue.record("\(path): \(text)") }
    }
  }

  /// A name in code voice after a period, alone or of a type of the package, is a member that exists.
  @Test func membersNamedInCommentsExist() {
    // The ending of a file, and a folder.
    let others: Set = ["jpg", "openmarket"]
    let comment = TextPattern("^ *(///.*`.*)$")
    let name = TextPattern(#"`([A-Z]\w*)?\.([a-z]\w*)"#)
    for (path, text) in Self.texts {
      for groups in name.groups(in: comment.words(in: text).joined(separator: "\n")) {
        guard let member = groups[1] else { continue }
        if groups[0].map(DeclaredNames.types.contains) == false || others.contains(member) { continue }
        #expect(DeclaredNames.members.contains(member), "\(path): there is no \(groups[0] ?? "").\(member)")
      }
    }
  }

  /// Prints what was drawn, in runs that are asked to.
  private static func show(_ lines: [String]) {
    guard ProcessInfo.processInfo.environment["OPENMARKET_SHOW"] == "1" else { return }
    print(lines.joined(separator: "\n"))
  }
}

/// The names that the package and its tests declare.
enum DeclaredNames {
  private static let text: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    return ["Sources", "Tests"].flatMap { folder -> [String] in
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)) ?? []
      return paths.filter { $0.hasSuffix(".swift") }.compactMap {
        try? String(contentsOfFile: root + "/" + folder + "/" + $0, encoding: .utf8)
      }
    }.joined(separator: "\n")
  }()

  static let types = Set(
    TextPattern(#"\b(?:struct|enum|class|actor|protocol|typealias|func) ([A-Z][A-Za-z0-9]+)"#).words(in: text))
  static let members = Set(
    TextPattern(#"\b(?:var|let|func|case) ((?:[a-z]\w*, )*`?[a-z]\w*)"#).words(in: text).flatMap { names in
      names.split(separator: ", ").map { String($0.filter { $0 != "`" }) }
    })
}
