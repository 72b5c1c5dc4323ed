import Catalog
import CommandLanguage
import Testing

/// Arguments are converted to their types once, when the line is parsed.
struct ParsedCommandTests {
  @Test func argumentsAreConvertedToTheirTypes() throws {
    let show = try Sample.grammar.read("show 42,50-60 name price")[0]
    #expect(show.target("TARGET") == .ids([42...42, 50...60]))
    #expect(show.fields("FIELD") == [.name, .price])
    let list = try Sample.grammar.read("ls page 2 columns id,title where stock=0 and price>10")[0]
    #expect(list.number("page") == 2)
    #expect(list.fields("columns") == [.id, .name])
    #expect(list.condition("where") == (try Condition.read("stock=0 and price>10")))
    #expect(list.text("where") == "stock=0 and price>10")
    let remove = try Sample.grammar.read("rm where name~'a b'")[0]
    #expect(remove.target("TARGETS") ?? remove.target("TARGET") == .matching(try Condition.read("name~'a b'")))
  }

  /// An argument that is missing or still unknown has no value.
  @Test func missingOrUnknownArgumentHasNoValue() throws {
    let none = try Sample.grammar.read("ls")[0]
    #expect(none.number("page") == nil && none.condition("where") == nil && none.fields("columns") == nil)
    let line = "show $x"
    let segment = try #require(try Sample.grammar.segments(of: line).first)
    let later = try Sample.grammar.check(segment, of: line)
    #expect(later.hasUnresolvedVariables && later.target("TARGET") == nil && later.text("TARGET") == "")
    let known = try Sample.grammar.read(segment, of: line) { name in name == "x" ? NamedValue(word: "7") : nil }
    #expect(known.target("TARGET") == .ids([7...7]))
  }
}
