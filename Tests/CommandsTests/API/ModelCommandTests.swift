@testable import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import ShellTesting
import TestSupport
import Testing
import Text

/// The output of `model` compiles, hides no type of a framework, and works against a market of each edition.
@Suite(.timeLimit(Trial.limit)) struct ModelCommandTests {
  /// The compiler runs once, on the models of all editions, each in a namespace of its own.
  @Test func modelsCompileAndReachTheirMarkets() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      // A name that would run code in a literal that isn't escaped.
      let name = "Lamp \\(fatalError()) \\#(fatalError()) \"\"\" 🚀"
      let words = "name='\(name)' description='It folds into a card.' price=3500 currency=KRW stock=2"
      #expect(await sandbox.run("new \(words) images=~/cup.png yes").contains("142"))
      var models = [await sandbox.exactly("swift model")]
      #expect(models[0].contains("\\\\\\\\(fatalError()) \\\\\\\\#(fatalError())"), "\(models[0])")
      #expect(await sandbox.exactly("model") == models[0])
      var markets: [EmbeddedMarket] = []
      for edition in [ServedEdition.training, .camp1, .camp2] {
        let market = EmbeddedMarket(MarketOptions(dataDirectory: sandbox.home.demoDirectory, edition: edition))
        markets.append(market)
        let url = try await market.start()
        _ = await sandbox.run("profile add \(edition.rawValue) url=\(url.absoluteString) api=\(edition.rawValue)")
        _ = await sandbox.run("profile \(edition.rawValue)")
        models.append(await sandbox.exactly("model"))
      }
      let program = try Self.program(of: models, named: ["Open", "Training", "Camp1", "Camp2"])
      let path = sandbox.folder + "/main.swift"
      try program.write(toFile: path, atomically: true, encoding: .utf8)
      let line = "swiftc -swift-version 6 -o \(sandbox.folder)/program \(path)"
      let said = try await SwiftCodeGeneratorTests.run(
        "\(line) && \(sandbox.folder)/program \(sandbox.folder)/cup.png", sandbox)
      for market in markets { await market.stop() }
      #expect(
        said == """
          \(name)
          Open: created true 19.5, changed 14.75, listed true, 3 samples, 1 image, then 404
          Training: created true 19.5, changed 14.75, listed true, 3 samples, 1 image, then 404
          Camp1: created true 19000, changed 4750, listed true, 3 samples, 1 image, then 404
          Camp2: created true 19000, changed 4750, listed true, 3 samples, 1 image, then 404

          """)
    }
  }

  /// Returns a program with the models in namespaces, which creates, changes, lists and deletes a product in each market.
  private static func program(of models: [String], named names: [String]) throws -> String {
    let end = "#endif\n"
    var head = ""
    var text = ""
    for (model, name) in zip(models, names) {
      let start = try #require(model.range(of: end), "\(model)")
      head = String(model[..<start.upperBound])
      text += "enum \(name) {\n\(model[start.upperBound...])\n\(try examples(of: name))}\n\n"
      let isCamp = name.hasPrefix("Camp")
      let login =
        isCamp
        ? "password: \"hers\""
        : "identifier: \"\(EmbeddedMarket.demoVendor.identifier)\", secret: \"\(EmbeddedMarket.demoVendor.secret)\""
      let price = isCamp ? "19000" : "Decimal(string: \"19.5\")!"
      let sale = isCamp ? "4750" : "Decimal(string: \"4.75\")!"
      let keys = isCamp ? ("title", "descriptions") : ("name", name == "Open" ? "description" : "descriptions")
      text += """
        func check\(name)() async throws {
          let client = \(name).MarketClient(\(login))
          let name = "Lamp \\\\(1) \\"+\\" 🚀"
          let made = try await client.create(
            .init(\(keys.0): name, \(keys.1): "It folds into a card.", price: \(price), currency: "USD", stock: 3),
            images: [image])
          let changed = try await client.update(made.id, .init(discountedPrice: \(sale)))
          let price: Decimal? = made.price
          let sale: Decimal? = changed.\(isCamp ? "discountedPrice" : "bargainPrice")
          let last = try await client.products(page: \(isCamp ? 8 : 1)).\(isCamp ? "items" : "pages")
          try await client.delete(made.id)
          var status = 0
          do { _ = try await client.product(made.id) } catch let error as \(name).MarketRefusal {
            status = error.body == nil ? 0 : error.status
          }
          print(
            "\(name): created \\(made.\(keys.0) == name) \\(price!), changed \\(sale!),",
            "listed \\(last.contains { $0.id == made.id }),",
            "\\(\(name).Fixtures.page.\(isCamp ? "items" : "pages").count) samples,",
            "\\(\(name).Fixtures.product.images.count) image, then \\(status)")
        }

        """
    }
    text += """
      let image = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
      print(Open.Fixtures.page.pages[0].name)
      try await checkOpen()
      try await checkTraining()
      try await checkCamp1()
      try await checkCamp2()

      """
    return head + text
  }

  /// Returns a function with the statements that `api` shows.
  private static func examples(of name: String) throws -> String {
    let guide = EndpointGuide(try #require(Edition(rawValue: name.lowercased())))
    let statements = guide.operations.compactMap { guide.swift($0, product: 42) }.map { statement in
      "do {\n\(statement.replacing("let page = ", with: "_ = ").replacing("let product = ", with: "_ = "))\n}"
    }
    let parameters = "identifier: String, secret: String, password: String, photo: Data"
    return "static func examples(\(parameters)) async throws {\n\(statements.joined(separator: "\n"))\n}\n"
  }

  /// No type has the name of one of Swift, Foundation or SwiftUI, and the comments are in the language of the session.
  @Test(arguments: Edition.allCases) func namesOfTypesHideNothing(_ edition: Edition) throws {
    let base = try #require(URL(string: "http://127.0.0.1:8080/"))
    func text(_ language: MessageLanguage) -> String {
      SwiftModelWriter(model: EditionModel(edition), base: base, language: language, samples: []).text
    }
    let names = text(.english).matches(of: /(?:struct|enum|class|protocol|typealias|actor) (\w+)/).map { String($0.1) }
    #expect(names.count > 7)
    #expect(names.filter(SwiftTypes.frameworkNames.contains) == [])
    #expect(text(.english).contains("/// List price.") && text(.korean).contains("/// 정가."))
    #expect(!text(.english).contains("Fixtures") && text(.english).contains("\"http://127.0.0.1:8080\""))
  }

  /// A market without products still has a sample of its list.
  @Test func emptyMarketHasASampleOfItsList() async throws {
    try await Sandbox.with(served: { $0.startsEmpty = true }) { sandbox in
      let model = await sandbox.run("model")
      #expect(model.contains("static let page = ") && !model.contains("static let product = "), "\(model)")
    }
  }
}
