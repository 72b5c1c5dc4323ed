import Catalog
import CommandLanguage
import Text

/// A small set of commands with every kind of parameter.
enum Sample {
  static let grammar = CommandParser([
    ls, show, patch, rm, new, search, log, login, set, alias, plan, echo, assert, help, next,
  ])

  static let product = Product(
    id: 32, name: "우유병 텀블러", description: "깨지지 않는 텀블러", price: Amount(3500), discount: Amount(100),
    sale: Amount(3400), currency: .krw, stock: 2, vendor: "red123", vendorID: 15,
    created: Timestamp("2022-10-18T05:00:00"), modified: Timestamp("2022-10-18T05:00:00"),
    images: [Picture(id: 35, url: "https://a/1"), Picture(id: 36, url: "https://a/2")])

  private static func words(_ text: String) -> LocalizedText { LocalizedText(same: StyledText(text)) }

  private static func option(_ name: String, _ kind: ValueKind) -> Parameter {
    Parameter(name, .option, kind: kind, summary: words(name))
  }

  private static func flag(_ name: String) -> Parameter { Parameter(name, .flag, kind: .none, summary: words(name)) }

  private static let targets = Parameter("TARGETS", .positional(required: true), kind: .target, summary: words("which"))

  private static let ls = CommandDeclaration(
    "ls", aliases: ["list"], group: .view, summary: words("one page"), producesData: true,
    parameters: [
      option("page", .number(1...1_000_000_000_000)), option("size", .number(1...1000)), option("search", .text),
      option("where", .expression), option("sort", .field), flag("desc"), option("columns", .fields), flag("all"),
    ])
  private static let show = CommandDeclaration(
    "show", group: .view, summary: words("one product"), producesData: true,
    parameters: [
      Parameter("TARGET", .positional(required: false), kind: .target, summary: words("which")),
      Parameter("FIELD", .rest(required: false), kind: .field, summary: words("what")),
    ])
  private static let patch = CommandDeclaration(
    "patch", group: .view, summary: words("change"), writesToMarket: true, producesData: true,
    parameters: [
      targets, flag("set"),
      Parameter("FIELD=VALUE", .assignments, kind: .productAssignments([]), summary: words("what")),
      option("round", .decimal), option("half", .choice(["even", "up"])),
    ])
  private static let rm = CommandDeclaration(
    "rm", group: .view, summary: words("delete"), writesToMarket: true, producesData: true, parameters: [targets])
  private static let new = CommandDeclaration(
    "new", group: .view, summary: words("create"), writesToMarket: true, producesData: true,
    parameters: [
      Parameter("FIELD=VALUE", .assignments, kind: .productAssignments(["images"]), summary: words("what")),
      option("from", .file),
    ])
  private static let search = CommandDeclaration(
    "search", group: .view, summary: words("search"), producesData: true,
    parameters: [Parameter("TEXT", .rest(required: true), kind: .text, summary: words("text"))])
  private static let log = CommandDeclaration("log", group: .api, summary: words("log"), producesData: true)
  private static let login = CommandDeclaration(
    "login", group: .account, summary: words("log in"), traits: [.acceptsSecret],
    parameters: [
      Parameter(
        "NAME=VALUE", .assignments, kind: .namedAssignments(["identifier", "vendor_id", "secret"]),
        summary: words("credentials"))
    ])
  private static let set = CommandDeclaration(
    "set", group: .session, summary: words("settings"),
    parameters: [
      Parameter("NAME", .positional(required: false), kind: .setting, summary: words("name")),
      Parameter("VALUE", .positional(required: false), kind: .text, summary: words("value")),
    ])
  private static let alias = CommandDeclaration(
    "alias", group: .scripting, summary: words("alias"),
    parameters: [
      Parameter("NAME", .positional(required: true), kind: .text, summary: words("name")),
      Parameter("=", .positional(required: true), kind: .choice(["="]), summary: words("equals")),
      Parameter("LINE", .rest(required: true), kind: .line, summary: words("line")),
    ])
  private static let plan = CommandDeclaration(
    "plan", group: .view, summary: words("plan"), producesData: true,
    parameters: [Parameter("COMMAND", .rest(required: true), kind: .line, summary: words("line"))])
  private static let echo = CommandDeclaration(
    "echo", group: .scripting, summary: words("echo"),
    parameters: [Parameter("TEXT", .rest(required: false), kind: .text, summary: words("text"))])
  private static let assert = CommandDeclaration(
    "assert", group: .scripting, summary: words("assert"),
    parameters: [Parameter("EXPR", .rest(required: true), kind: .expression, summary: words("condition"))])
  private static let help = CommandDeclaration(
    "help", group: .session, summary: words("help"),
    parameters: [Parameter("COMMAND", .positional(required: false), kind: .command, summary: words("command"))])
  private static let next = CommandDeclaration("next", group: .view, summary: words("next page"), producesData: true)
}
