import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite struct RecipeStoreTests {
  @Test(arguments: [
    ("week48.xlsx", "supplier"), ("Seoul Goods 2026-11-22.xlsx", "seoul-goods"), ("/tmp/한빛_단가표_48주.csv", "한빛-단가표"),
    ("seoul-goods-w48.csv", "seoul-goods"), ("48.csv", "supplier"),
  ])
  func proposalLeavesOutWhatAWeekChanges(_ file: String, _ name: String) {
    #expect(RecipeStore.proposal(for: file) == name && RecipeStore.isName(name))
  }

  @Test(arguments: ["", "-a", "a b", "a.b", "version", "\"", String(repeating: "a", count: 61)])
  func otherTextIsNoName(_ text: String) { #expect(!RecipeStore.isName(text)) }

  /// A recipe is added beside others, whose tables stay; a file that can't be used is left as it is.
  @Test func othersStay() throws {
    let folder = NSTemporaryDirectory() + "openmarket-recipes-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/recipes.toml"
    let store = RecipeStore(at: path)
    #expect(try store.load().isEmpty)
    let one = Recipe(headings: ["Item", "Qty"], columns: ["Item": "name", "Qty": "stock"])
    try store.set("one", one)
    try store.set("two", one)
    try store.set("one", nil)
    #expect(try store.load() == ["two": one])
    let broken = try String(contentsOfFile: path, encoding: .utf8).replacing("key = \"name\"", with: "key = \"code\"")
    try broken.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: FileError.self) { try store.set("three", one) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == broken)
  }

  /// A recipe that another shell changed while it was edited is not overwritten.
  @Test func changedRecipeIsNotReplaced() throws {
    let folder = NSTemporaryDirectory() + "openmarket-recipes-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = RecipeStore(at: folder + "/recipes.toml")
    let read = Recipe(headings: ["Item", "Qty"], columns: ["Item": "name", "Qty": "stock"])
    var (theirs, mine) = (read, read)
    theirs.unknown = .skip
    mine.skip = ["TOTAL"]
    #expect(try store.set("one", read) == nil)
    #expect(try store.set("one", theirs) == read)
    #expect(try !store.replace("one", read, with: mine))
    #expect(try store.load() == ["one": theirs])
    #expect(try store.replace("one", theirs, with: mine))
    #expect(try store.load() == ["one": mine])
  }

  @Test func freeNameIsOfNoRecipe() {
    let recipe = Recipe(headings: ["Item"])
    #expect(RecipeStore.free("supplier", in: [:]) == "supplier")
    #expect(RecipeStore.free("supplier", in: ["supplier": recipe, "supplier-2": recipe]) == "supplier-3")
  }
}
