import Foundation
import FoundationXML

/// Checks a JUnit report against junit-10.xsd (Jenkins' xUnit plugin, github.com/jenkinsci/xunit-plugin): the nesting
/// of elements, allowed and required attributes, and that the counts match the cases.
final class JUnitChecker: NSObject, XMLParserDelegate {
  private struct Rule {
    var children: Set<String> = []
    var attributes: Set<String>
    var required: Set<String> = []
  }

  private static let rules: [String: Rule] = [
    "testsuites": Rule(children: ["testsuite"], attributes: ["name", "time", "tests", "failures", "errors"]),
    "testsuite": Rule(
      children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
      attributes: ["name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id"],
      required: ["name", "tests", "failures", "errors"]),
    "testcase": Rule(
      children: ["skipped", "error", "failure", "system-out", "system-err"],
      attributes: ["name", "time", "classname", "group"], required: ["name"]),
    "failure": Rule(attributes: ["type", "message"]), "error": Rule(attributes: ["type", "message"]),
    "skipped": Rule(attributes: ["type", "message"]),
  ]

  private(set) var problems: [String] = []
  private var path: [String] = []
  private var counts: [String: Int] = [:]
  private var told: [String: String] = [:]

  init(_ document: String) {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    if !parser.parse() { problems.append("not well-formed: \(parser.parserError.map { "\($0)" } ?? "")") }
    for (attribute, element) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")]
    where told[attribute] != String(counts[element, default: 0]) {
      problems.append("\(attribute) is \(told[attribute] ?? "missing"), there are \(counts[element, default: 0])")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[element, default: 0] += 1
    if path.isEmpty {
      told = attributes
      if element != "testsuites" { problems.append("the root is \(element)") }
    } else if let parent = path.last, JUnitChecker.rules[parent]?.children.contains(element) != true {
      problems.append("\(element) in \(parent)")
    }
    path.append(element)
    guard let rule = JUnitChecker.rules[element] else { return problems.append("unknown element \(element)") }
    for name in attributes.keys where !rule.attributes.contains(name) { problems.append("\(name) of \(element)") }
    for name in rule.required where attributes[name] == nil { problems.append("no \(name) of \(element)") }
    if let time = attributes["time"], element != "testcase", time.wholeMatch(of: /[0-9]*(\.[0-9]*)?/) == nil {
      problems.append("time \(time)")
    }
  }

  func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
    path.removeLast()
  }
}
