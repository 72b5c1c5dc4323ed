import ModelContextProtocol

/// The resources: the language, the session, and templates for help, products and plans.
enum ResourceCatalog {
  static let all = [
    ResourceDeclaration(
      "openmarket://language", name: "language",
      description: "Targets, conditions, assignments and values of the command language.", mediaType: "text/markdown"),
    ResourceDeclaration(
      "openmarket://session", name: "session",
      description: "The market, the profile and the settings, without secrets.",
      mediaType: "application/json"),
    ResourceDeclaration(
      "openmarket://help/{command}", name: "help", description: "The help of a command.", mediaType: "text/plain"),
    ResourceDeclaration(
      "openmarket://market/{id}", name: "product", description: "A product.", mediaType: "application/json"),
    ResourceDeclaration(
      "openmarket://plan/{plan_id}", name: "plan", description: "A plan as a person sees it before it is applied.",
      mediaType: "text/plain"),
  ]
}
