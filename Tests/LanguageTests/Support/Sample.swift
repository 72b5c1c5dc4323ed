import Catalog
import Language
import Text

/// A small set of commands with every kind of parameter.
enum Sample {
  static let grammar = Grammar([
    ls, show, patch, rm, new, search, log, login, set, alias, plan, echo, assert, help, next,
  ])

  static let product = Product(
    id: 32, name: "우유병 텀블러", description: "깨지지 않는 텀블러", price: Amount(3500), discount: Amount(100),
    sale: Amount(3400), currency: .krw, stock: 2, vendor: "red123", vendorID: 15,
    created: Timestamp("2022-10-18T05:00:00"), modified: Timestamp("2022-10-18T05:00:00"),
    images: [Picture(id: 35, url: "https://a/1"), Picture(id: 36, url: "https://a/2")])

  private static func words(_ text: String) -> LocalizedText { LocalizedText(same: StyledText(text)) }

  private static func option(_ name: String, _ kind: ValueKind) -> Parameter {
    Parameter(name, .option, kind, words(name))
  }

  private static func flag(_ name: String) -> Parameter { Parameter(name, .flag, .none, words(name)) }

  private static let targets = Parameter("TARGETS", .positional(required: true), .target, words("which"))

  private static let ls = Declaration(
    "ls", aliases: ["list"], group: .view, summary: words("one page"), prints: true,
    parameters: [
      option("page", .number(1...1_000_000_000_000)), option("size", .number(1...1000)), option("search", .text),
      option("where", .expression), option("sort", .field), flag("desc"), option("columns", .fields), flag("all"),
    ])
  private static let show = Declaration(
    "show", group: .view, summary: words("one product"), prints: true,
    parameters: [
      Parameter("TARGET", .positional(required: false), .target, words("which")),
      Parameter("FIELD", .rest(required: false), .field, words("what")),
    ])
  private static let patch = Declaration(
    "patch", group: .view, summary: words("change"), writes: true, prints: true,
    parameters: [
      targets, flag("set"), Parameter("FIELD=VALUE", .assignments, .assignment([]), words("what")),
      option("round", .decimal), option("half", .choice(["even", "up"])),
    ])
  private static let rm = Declaration(
    "rm", group: .view, summary: words("delete"), writes: true, prints: true, parameters: [targets])
  private static let new = Declaration(
    "new", group: .view, summary: words("create"), writes: true, prints: true,
    parameters: [
      Parameter("FIELD=VALUE", .assignments, .assignment(["images"]), words("what")), option("from", .file),
    ])
  private static let search = Declaration(
    "search", group: .view, summary: words("search"), prints: true,
    parameters: [Parameter("TEXT", .rest(required: true), .text, words("text"))])
  private static let log = Declaration("log", group: .api, summary: words("log"), prints: true)
  private static let login = Declaration(
    "login", group: .account, summary: words("log in"), traits: [.takesSecret],
    parameters: [
      Parameter("NAME=VALUE", .assignments, .settings(["identifier", "vendor_id", "secret"]), words("credentials"))
    ])
  private static let set = Declaration(
    "set", group: .session, summary: words("settings"),
    parameters: [
      Parameter("NAME", .positional(required: false), .setting, words("name")),
      Parameter("VALUE", .positional(required: false), .text, words("value")),
    ])
  private static let alias = Declaration(
    "alias", group: .scripting, summary: words("alias"),
    parameters: [
      Parameter("NAME", .positional(required: true), .text, words("name")),
      Parameter("=", .positional(required: true), .choice(["="]), words("equals")),
      Parameter("LINE", .rest(required: true), .line, words("line")),
    ])
  private static let plan = Declaration(
    "plan", group: .view, summary: words("plan"), prints: true,
    parameters: [Parameter("COMMAND", .rest(required: true), .line, words("line"))])
  private static let echo = Declaration(
    "echo", group: .scripting, summary: words("echo"),
    parameters: [Parameter("TEXT", .rest(required: false), .text, words("text"))])
  private static let assert = Declaration(
    "assert", group: .scripting, summary: words("assert"),
    parameters: [Parameter("EXPR", .rest(required: true), .expression, words("condition"))])
  private static let help = Declaration(
    "help", group: .session, summary: words("help"),
    parameters: [Parameter("COMMAND", .positional(required: false), .command, words("command"))])
  private static let next = Declaration("next", group: .view, summary: words("next page"), prints: true)
}
