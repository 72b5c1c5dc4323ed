import Catalog
import CommandLanguage
import Text

/// Returns an invocation as one line of text, for comparison in tables.
func spelled(_ invocation: ParsedCommand) -> String {
  var parts: [String] = invocation.prefixes.map { "<\($0)>" }
  parts.append(invocation.command)
  for (name, given) in invocation.arguments.sorted(by: { $0.key < $1.key }) {
    parts.append(name + ":[" + given.map(\.text).joined(separator: "|") + "]")
  }
  for one in invocation.assignments {
    parts.append("{" + one.name + one.operation.rawValue + (one.isFile ? "@" : "") + one.value + "}")
  }
  if let format = invocation.clauses.format { parts.append("as=" + format.rawValue) }
  if let file = invocation.clauses.file { parts.append("to=" + file) }
  if let pipe = invocation.clauses.pipe { parts.append("pipe=" + pipe) }
  if let until = invocation.until { parts.append("until=" + until.description) }
  return parts.joined(separator: " ")
}

/// Returns the parsed line or its error as text, with variables.
func meaning(of line: String, names: FieldNameTable = .editionIndependent, variables: [String: String] = [:]) -> String
{
  meaning(of: line, names: names) { variables[$0].map(NamedValue.init(word:)) }
}

/// Returns the parsed line or its error as text, with values.
func meaning(of line: String, names: FieldNameTable = .editionIndependent, values: NamedValues) -> String {
  do throws(ParseError) {
    return try Sample.grammar.read(line, names: names, variables: values).map(spelled).joined(separator: " ; ")
  } catch {
    return spelled(error)
  }
}

func spelled(_ misread: ParseError) -> String {
  var text = "! " + misread.message.english.plain
  if let next = misread.suggestion { text += " > " + next.english.plain }
  if let range = misread.range { text += " @\(range.lowerBound)-\(range.upperBound)" }
  if misread.isIncomplete { text += " unfinished" }
  return text
}
