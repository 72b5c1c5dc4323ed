@testable import Commands
import MarketAPI
import Testing

/// The records that an app is written by are those by which `contract` judges a server.
@Suite struct EditionModelTests {
  @Test(arguments: Edition.allCases) func recordsHaveTheMembersOfTheSchemas(_ edition: Edition) {
    let model = EditionModel(edition)
    let schemas = EditionSchemas(edition)
    var wrong: [String] = []
    func compare(_ record: EditionModel.Record, _ shape: JSONShape) {
      guard case .object(let members) = shape else { return wrong.append("\(record.name) is no object") }
      let own = Set(record.members.map(\.key))
      let theirs = Set(members.map(\.key))
      if own != theirs { wrong.append("\(record.name): \(own.symmetricDifference(theirs).sorted())") }
      for (key, shape) in members {
        guard let member = record.members.first(where: { $0.key == key }) else { continue }
        compare(member, shape, in: record.name)
      }
    }
    func compare(_ member: EditionModel.Member, _ shape: JSONShape, in name: String) {
      let place = "\(name).\(member.key)"
      switch (member.type, shape) {
      case (_, .omittable(let shape)):
        if !member.isOptional { wrong.append("\(place) may be missing") }
        compare(member, shape, in: name)
      case (.whole, .wholeNumber), (.seconds, .number), (.money, .number), (.money, .wholeNumber), (.text, .text),
        (.time, .time), (.bool, .bool), (.texts, .list(.text)):
        break
      case (.record(let name), .object), (.records(let name), .list(.object)):
        guard let record = model.responses.first(where: { $0.name == name }) else { return wrong.append(place) }
        if case .list(let element) = shape { compare(record, element) } else { compare(record, shape) }
      default: wrong.append("\(place) is no \(shape.description)")
      }
    }
    compare(model.page, schemas.page)
    compare(model.product, schemas.product)
    #expect(wrong == [])
    let keys = Set(schemas.errors.flatMap(\.keys)).subtracting(["error"])
    #expect(Set(model.refusal.members.map(\.key)) == keys)
  }

  /// The properties of a type are different, and each is an identifier.
  @Test(arguments: Edition.allCases) func propertiesAreIdentifiers(_ edition: Edition) {
    let model = EditionModel(edition)
    for record in model.responses + [model.creation, model.change] {
      let properties = record.members.map(\.property)
      #expect(Set(properties).count == properties.count, "\(record.name)")
      #expect(properties.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]*/) != nil }, "\(properties)")
    }
  }
}
