import Catalog
import CommandLanguage
import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing
import Text

@testable import Commands
@testable import Shell

/// A product is written to a text for an editor and read back.
@Suite struct EditorDocumentTests {
  private func product(_ name: String = "우유병 텀블러", _ description: String = "뚜껑이 꼭 맞습니다.") -> Product {
    Product(
      id: 42, name: name, description: description, price: Amount(3500), discount: Amount(100), currency: .krw, stock: 2
    )
  }

  private func edits(_ product: Product, _ change: (String) -> String) throws(ParseError) -> [String] {
    let sheet = EditorDocument(product, at: "demo", .english)
    return try sheet.assignments(in: change(sheet.text)).map { "\($0.name)=\($0.value)" }
  }

  @Test(arguments: [("en", "demo, vendor 15"), ("ko", "demo, 판매자 15")])
  func firstLineNamesTheVendorInTheLanguage(_ language: String, _ label: String) async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("set lang \(language)")
      #expect(EditCommand.serverLabel(await sandbox.shell.session) == label)
    }
  }

  @Test func nameThatCannotBeShownIsLeftOutOfTheDocument() {
    #expect(
      EditorDocument(product("Lamp \u{1B}[31m"), at: "demo, vendor 15", .english).text == """
        # Product 42: Lamp ^[[31m
        # demo, vendor 15
        # Edit the values after the colons. Lines starting with # are ignored.
        # Save and close the editor to review the changes.
        # Nothing is sent before that.

        # name contains characters that cannot be shown here. Use patch to change it.
        # list price
        price: 3500
        # amount off the price
        discount: 100
        # KRW, USD, JPY, HKD
        currency: KRW
        # number in stock
        stock: 2
        # 10 to 1000 characters, line breaks allowed
        description:
        뚜껑이 꼭 맞습니다.
        # ---
        # End of description
        # To cancel, change nothing or delete everything.
        #
        #
        #
        #

        """)
  }

  @Test(arguments: [
    ("a", "b"), ("a: b", "# no comment\n\n  indented \n# ---\nafter"), ("", ""), ("# x", "description: x\n\n"),
    (" spaces ", "\n\nfirst lines"), ("a", "vim: set modeline :"), ("a", "tabs\tand\r\nreturns"),
  ])
  func unchangedTextIsNoEdit(name: String, description: String) throws {
    #expect(try edits(product(name, description)) { $0 }.isEmpty)
    #expect(try edits(product(name, description)) { $0.replacing("\n", with: "\r\n") }.isEmpty)
    #expect(try edits(product(name, description)) { String($0.dropLast()) }.isEmpty)
    #expect(try edits(product(name, description)) { _ in "" }.isEmpty)
    #expect(
      try edits(product(name, description)) { $0.replacing("stock: 2", with: "stock:3") } == ["stock=3"])
  }

  /// No control character of a server reaches the terminal through an editor: ESC, OSC 52, C1, NUL, or a carriage
  /// return in a line.
  @Test(arguments: ["\u{1B}[31m", "\u{1B}]52;c;aGk=\u{7}", "\u{9B}31m", "\u{0}", "a\rb", "\u{7F}"])
  func controlCharactersAreEscapedInTheDocument(_ text: String) throws {
    let product = product("Lamp", "First line.\n\tSecond \(text) line.")
    let sheet = EditorDocument(product, at: "demo", .english)
    #expect(
      sheet.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    #expect(
      sheet.text.contains("# description contains characters that cannot be shown here. Use patch to change it.\n"))
    #expect(!sheet.text.contains("\ndescription:"))
    #expect(try edits(product) { $0 }.isEmpty)
    #expect(
      try edits(product) { $0.replacing("# ---\n", with: "description: New words.\n# ---\n") } == [
        "description=New words."
      ])
  }

  /// An editor that saves with CRLF: changes are found, and the description has the same end.
  @Test func crlfFromEditorIsRead() throws {
    let changed = try edits(product()) {
      $0.replacing("stock: 2", with: "stock: 3").replacing("\n", with: "\r\n")
    }
    #expect(changed == ["stock=3"])
  }

  @Test func changedValuesAreRead() throws {
    let description = try edits(product()) { $0.replacing("꼭 맞습니다.", with: "꼭\n# 맞습니다.\n") }
    #expect(description == ["description=뚜껑이 꼭\n# 맞습니다."])
    #expect(try edits(product()) { $0.replacing("description:\n", with: "description: ") }.isEmpty)
    #expect(try edits(product()) { $0.replacing("# ---\n", with: "") }.first?.hasPrefix("description=뚜껑이") == true)
    #expect(try edits(product()) { $0.replacing("price: 3500", with: "price: 19,99") } == ["price=19,99"])
  }

  @Test(arguments: ["colour: red", "just words", "id: 3", "price: 1\nprice: 2"])
  func errorsAreNamed(line: String) {
    #expect(throws: ParseError.self) { try edits(product()) { line + "\n" + $0 } }
  }

  @Test func reasonIsAtTheTopOnce() {
    let text = EditorDocument(product(), at: "demo", .english).text
    let once = EditErrors([ParseError(LocalizedText(same: "first"))]).text(text, .english)
    let next = ParseError(LocalizedText(same: "second\u{1B}"), suggestion: LocalizedText(same: "third"))
    let twice = EditErrors([next]).text(once, .english)
    #expect(twice == "#! second^[\n#! third\n" + text)
  }

  /// The path of a program is one word without quotes, too; anything else is split.
  @Test func editorPathMayContainSpaces() throws {
    let folder = NSTemporaryDirectory() + "my editors-" + UUID().uuidString
    try Files.createDirectory(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/an editor"
    try Files.write(Data("#!/bin/sh\n".utf8), to: path, mode: 0o755)
    let parts = path.split(separator: " ").map(String.init)
    func words(_ text: String) throws -> [String] { try ExternalEditor.words(["EDITOR": text]) }
    #expect(try words(path) == [path])
    #expect(try words("'\(path)' --wait") == [path, "--wait"])
    #expect(try words(path + " --wait") == parts + ["--wait"])
    #expect(try words(folder) == folder.split(separator: " ").map(String.init))
  }
}
