/// What an edition serves as an OpenAPI 3.1 document, for clients and their generators.
enum OpenAPIDocument {
  static func open(base: String) -> JSON { .null }
  static func training(base: String) -> JSON { .null }
  static func camp(base: String) -> JSON { .null }
}
