import Catalog

/// Reads lines against the declarations of all commands; pure.
package struct Grammar: Sendable {
  package let declarations: [Declaration]

  package init(_ declarations: [Declaration]) { self.declarations = declarations }
}
